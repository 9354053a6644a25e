import {beforeAll, describe, expect, it} from 'vitest';
import {AttnQkv} from '../../web/elements/attn-qkv.js';
import {spanOf} from '../../web/elements/attn-qkv/planes.js';
import type {QkvState} from '../../web/elements/attn-qkv/state.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnQkv;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

async function show(patch: Partial<QkvState> = {}) {
  const state = {...defaults<QkvState>(spec.schema), ...patch};
  const result = spec.compute(resources, state, undefined);
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
  return {
    state,
    result,
    drawn,
    says: spec.says(state, result),
    table: spec.table(state, result),
    steps: await drawTemplate(spec.steps!(state, result)),
  };
}

describe('attn-qkv', () => {
  // q₃ = (1, 0): scores 1, 0, 1; unscaled weights e, 1, e over 2e + 1 = 0.42232, 0.15536, 0.42232.
  // Output (2·0.42232 + 0.42232, 2·0.15536 + 0.42232) = (1.26696, 0.73304).
  it('gives the text’s output, unscaled', async () => {
    const {result, drawn, says, table} = await show({scaled: false});
    expect(result.output[2]![0]).toBeCloseTo((3 * Math.E) / (2 * Math.E + 1), 14);
    expect(result.output[2]![1]).toBeCloseTo((2 + Math.E) / (2 * Math.E + 1), 14);
    expect(says).toContain('(1.267, 0.733)');
    expect(says).toContain('没有除以√2');
    expect(drawn).toContain('>1.267<');
    expect(table.rows[2]).toEqual([
      '第3行',
      '1',
      '0',
      '1',
      '0.422',
      '0.155',
      '0.422',
      '0.926',
      '1.267',
      '0.733',
    ]);
  });

  // Divided by √2: weights e^0.7071, 1, e^0.7071 = 2.02811, 1, 2.02811 over 5.05623.
  it('gives the text’s output, scaled', async () => {
    const root = Math.exp(Math.SQRT1_2);
    const {result, says} = await show();
    expect(result.output[2]![0]).toBeCloseTo((3 * root) / (2 * root + 1), 14);
    expect(says).toContain('(1.203, 0.797)');
  });

  it('copies V where each sees only itself', async () => {
    const {result, drawn, says} = await show({mask: 'self', v: [0.3, -7, 1e6, 2, -5, 0]});
    expect(result.weights).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(result.output.flat()).toEqual([0.3, -7, 1e6, 2, -5, 0]);
    expect(says).toContain('单位矩阵');
    expect(drawn.match(/遮住/g)).toHaveLength(6);
  });

  it('hides what comes later under the causal mask', async () => {
    const {result} = await show({mask: 'causal', scaled: false});
    // softmax(0, 1) = 1, e over 1 + e
    expect(result.weights[0]).toEqual([1, 0, 0]);
    expect(result.weights[1]![1]).toBeCloseTo(Math.E / (1 + Math.E), 14);
    expect(result.weights[1]![2]).toBe(0);
  });

  // q₃·k = 2, 0, 1 once k₁ is doubled; row 2 has q₂·k₁ = 0 either way.
  it('sharpens a row whose best key grows, and no other', async () => {
    const before = (await show({scaled: false})).result.entropy;
    const after = (await show({scaled: false, k: [2, 0, 0, 1, 1, 1]})).result.entropy;
    expect([before[2], after[2]].map((value) => value!.toFixed(3))).toEqual(['0.926', '0.758']);
    expect(after[1]).toBeCloseTo(before[1]!, 14);
  });

  it('has rows that sum to 1 and outputs among the values, up to a million', async () => {
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    const six = (size: number) => Array.from({length: 6}, () => (2 * random() - 1) * size);
    for (let run = 0; run < 300; run++) {
      const size = 10 ** Math.floor(random() * 9 - 2);
      const [q, k, v] = [six(size), six(size), six(size)];
      for (const mask of ['none', 'self', 'causal'] as const) {
        const {result, state} = await (run < 5
          ? show({q, k, v, mask})
          : {
              result: spec.compute(
                resources,
                {q, k, v, mask, scaled: run % 2 === 0, asks: 3},
                undefined,
              ),
              state: {v},
            });
        for (const row of result.weights) {
          expect(Math.abs(row.reduce((sum, w) => sum + w, 0) - 1)).toBeLessThan(1e-12);
        }
        for (const c of [0, 1]) {
          const values = [0, 1, 2].map((j) => state.v[2 * j + c]!);
          const slack = 1e-9 * Math.max(...values.map(Math.abs));
          for (const output of result.output) {
            expect(output[c]).toBeGreaterThanOrEqual(Math.min(...values) - slack);
            expect(output[c]).toBeLessThanOrEqual(Math.max(...values) + slack);
          }
        }
      }
    }
  });

  it('never shows NaN: zeros, equal values, a million', async () => {
    const same = (x: number) => Array.from({length: 6}, () => x);
    for (const x of [0, 1, -1e6, 1e6, 1e-300]) {
      const {drawn, says, table, steps} = await show({q: same(x), k: same(-x), v: same(x)});
      expect(`${drawn} ${says} ${table.rows.join()} ${steps}`).not.toMatch(
        /NaN|Infinity|undefined/,
      );
    }
  });

  // On k₁ = (1, 0), k₂ = (0, 1), k₃ = (1, 1): q·k ÷ k·k of q₂ = (0, 1) is 0, 1 and 1 ÷ 2.
  it('projects the asking query on each key, but not on one of length 0', async () => {
    expect((await show()).result.feet[1]).toEqual([0, 1, 0.5]);
    const {result, drawn} = await show({k: [2, 0, 0, 0, -3, 4], asks: 1});
    // q₁ = (1, 0): 2 ÷ 4, nothing, −3 ÷ 25.
    expect(result.feet[0]).toEqual([0.5, null, -0.12]);
    expect(drawn).not.toContain('NaN');
  });

  it('shows and says the row that asks', async () => {
    const {says, drawn, steps} = await show({asks: 2, scaled: false});
    // Scores 0, 1, 1: weights 1, e, e over 2e + 1.
    expect(says).toContain('第2行（没有除以√2）的权重是15.5 %、42.2 %、42.2 %');
    expect(drawn).toContain('>q₂、k₂<');
    expect(drawn).toContain('>v₁ 0.155<');
    expect(steps).toContain('以第<!--lit-part-->2');
  });

  it('has one scale on both axes of a plane, with room beyond the longest arrow', () => {
    expect(spanOf([1, -0.5])).toBe(1.25);
    expect(spanOf([0, 6])).toBe(12.5);
    expect(spanOf([0, 0])).toBe(1.25);
  });

  it('says what is wrong with a matrix of another size, and falls back', () => {
    expect(() => spec.schema.q.read('1,2,3')).toThrow('要6个数，3行2列，一行一行写；这里有3个');
    expect(() => spec.schema.q.read('1,2,3,4,5,2000000')).toThrow('最大');
    expect(spec.schema.q.read('１，０、0；1 １，−1')).toEqual([1, 0, 0, 1, 1, -1]);
    const {state, problem} = readFields<QkvState>(spec.schema, (key) => (key === 'v' ? '7' : null));
    expect(state.v).toEqual(spec.schema.v.fallback);
    expect(problem?.message).toContain('这里有1个');
  });

  it('draws pictures that stand alone', async () => {
    const {drawn, says} = await show({mask: 'causal'});
    const file = composeFigure(drawn, {title: 'Q、K、V', description: says});
    expect(file).toContain('遮住');
    expect(file).not.toMatch(/var\(|style=/);
  });
});
