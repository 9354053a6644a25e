import {beforeAll, describe, expect, it} from 'vitest';
import {AttnJacobian} from '../../web/elements/attn-jacobian.js';
import type {JacobianState} from '../../web/elements/attn-jacobian/compute.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnJacobian;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<JacobianState> = {}) => drawnWidget(resources, spec, patch);

const uniform = (n: number) => Array.from({length: n}, () => 1 / n);

describe('attn-jacobian', () => {
  // 0.9999 · 0.0001 = 9.999·10⁻⁵, 0.9999 · 0.00005 = 4.9995·10⁻⁵; ‖J‖ = 1.58·10⁻⁴ = 0.5 ÷ 3163
  it('shows a nearly one-hot row in one unit, and its distance from the limit', async () => {
    const {result, drawn, says} = await show();
    expect(result.matrix[0]![0]).toBeCloseTo(9.999e-5, 15);
    expect(result.matrix[1]![0]).toBeCloseTo(-4.9995e-5, 15);
    expect(drawn).toContain('>×10⁻⁵<');
    expect(drawn).toContain('>9.999<');
    expect(drawn).toContain('‖J‖＝0.000158');
    expect(says).toContain('9.999×10⁻⁵倍');
    expect(says).toContain('上限的3,163分之一');
  });

  it('is all zeros for a one-hot row, and says that the weights do not change', async () => {
    const {result, drawn, says} = await show({probabilities: [0, 1, 0]});
    expect(result.matrix.flat()).toEqual(Array(9).fill(0));
    expect(says).toContain('整个矩阵都是0');
    expect(drawn).not.toContain('url(#minus)');
  });

  // ‖J‖ = √(n−1)/n for n equal weights, ½ for two halves whatever n
  it.each([2, 3, 4, 5, 6, 7, 8])(
    'has its largest norm at two weights of ½, for n = %i',
    async (n) => {
      const even = await show({probabilities: uniform(n)});
      expect(even.result.norm).toBeCloseTo(Math.sqrt(n - 1) / n, 14);
      const tie = await show({probabilities: uniform(n).map((_, i) => (i < 2 ? 0.5 : 0))});
      expect(tie.result.norm).toBe(0.5);
      expect(tie.says).toContain('到顶了');
      if (n > 2) expect(even.result.norm).toBeLessThan(0.5);
      expect(even.says.includes('到顶了')).toBe(n === 2);
      expect(even.says).toContain('上限都是0.5');
    },
  );

  it('has rows that sum to 0 and hatches negative cells', async () => {
    const {drawn, table, result} = await show({scores: [2, 1, 0]});
    expect(table.rows.map((row) => row.at(-1))).toEqual(['0', '0', '0']);
    expect(drawn.match(/url\(#minus\)/g)).toHaveLength(6);
    // e², e, 1 over their sum
    expect(result.weights[0]).toBeCloseTo(Math.E ** 2 / (Math.E ** 2 + Math.E + 1), 14);
    expect(table.rows[0]).toHaveLength(table.columns.length);
  });

  it('refuses weights that do not sum to 1 with a sentence, and falls back', () => {
    expect(() => spec.schema.probabilities.read('0.5，0.6')).toThrow('加起来要等于1，这里是1.1');
    expect(() => spec.schema.probabilities.read('0.5, 0.500002')).toThrow('1.000002');
    expect(() => spec.schema.probabilities.read('1.5, -0.5')).toThrow('最大');
    expect(spec.schema.probabilities.read('0.3333333，0.3333333，0.3333334')).toHaveLength(3);
    const {state, problem} = readFields<JacobianState>(spec.schema, (key) =>
      key === 'probabilities' ? '0.9,0.9' : null,
    );
    expect(state.probabilities).toEqual(spec.schema.probabilities.fallback);
    expect(problem?.message).toContain('1.8');
  });

  it('reads an empty list of scores in a link as no scores', () => {
    expect(spec.schema.scores.read('')).toEqual([]);
    expect(spec.schema.scores.read('２，−1')).toEqual([2, -1]);
  });

  it('never shows NaN: one weight, distant scores, weights near the smallest number', async () => {
    for (const patch of [
      {probabilities: [1]},
      {scores: [1e6, -1e6, 0]},
      {scores: [0, -700]},
      {scores: [0, -740, -1000]},
      {probabilities: [1, 5e-324]},
    ]) {
      const {drawn, says, table} = await show(patch);
      expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
    }
    expect((await show({probabilities: [1]})).says).toContain('只有一个权重');
  });

  it('draws one picture that can be exported', async () => {
    const {drawn, says} = await show({probabilities: uniform(8)});
    // The end mark that Lit writes, which is not valid HTML.
    expect(drawn).not.toContain('<?>');
    const file = composeFigure(drawn, {title: '雅可比矩阵', description: says});
    expect(file).toContain('−0.016');
    expect(file).not.toMatch(/var\(|style=/);
  });
});
