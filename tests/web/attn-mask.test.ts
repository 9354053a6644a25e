import {beforeAll, describe, expect, it} from 'vitest';
import {AttnMask} from '../../web/elements/attn-mask.js';
import type {MaskState} from '../../web/elements/attn-mask/state.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnMask;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

async function show(patch: Partial<MaskState> = {}) {
  const state = {...defaults<MaskState>(spec.schema), ...patch};
  const result = spec.compute(resources, state, undefined) as ReturnType<
    typeof AttnMask.spec.compute
  >;
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
  const rows = result.blocks.flat();
  return {
    state,
    result,
    rows,
    drawn,
    says: spec.says(state, result),
    table: spec.table(state, result),
  };
}

const visible = (rows: readonly {visible: number}[]) => rows.map((row) => row.visible);
const POEM = {tokens: [...'秦川雄帝宅空山不明月松间照清泉'], lengths: [5, 3, 7]};
const WAYS: readonly MaskState['mistake'][] = [
  'none',
  'open',
  'zero',
  'after',
  'bfloat16',
  'float16',
  'inverted',
  'query',
  'cross',
  'wide',
];
const KINDS: readonly MaskState['kind'][] = ['causal', 'window', 'right', 'left', 'packed'];

describe('attn-mask', () => {
  it('shows one more position in each row of the sentence, and rows that sum to 1', async () => {
    const {rows, drawn, says} = await show();
    expect(visible(rows)).toEqual([1, 2, 3, 4, 5]);
    for (const {sum, cells} of rows) {
      expect(sum).toBeCloseTo(1, 14);
      for (const {hidden, weight} of cells) if (hidden) expect(weight).toBe(0);
    }
    // Row 给了, single head: the chapter's 56.5 % and 39.4 %.
    expect(drawn).toContain('>56.5<');
    expect(drawn).toContain('>39.4<');
    // Ten hidden pairs, and the card of the answer that 「给了」 has to predict.
    expect(drawn.match(/url\(#hidden-0\)/g)).toHaveLength(11);
    expect(drawn).toContain('>答案<');
    expect(says).toContain('15÷25＝60.0 %');
  });

  it('walks row by row', async () => {
    const {drawn, says} = await show({step: 4});
    expect(drawn).toContain('「给了」这一行');
    expect(drawn).toContain('>−∞<');
    expect(says).toContain('看得见4个位置，行和1.000，输出是(');
    expect((await show({step: 40})).says).toContain('可见的对');
  });

  it('names the symptom of every wrong way', async () => {
    // In the row of 给了, 32.53 % lie on 小王.
    expect((await show({mistake: 'open'})).rows[3]?.cells[4]?.weight).toBeCloseTo(0.3253, 4);
    const zero = await show({mistake: 'zero'});
    expect(zero.rows.every(({sum}) => Math.abs(sum - 1) < 1e-12)).toBe(true);
    expect(zero.says).toContain('行和却仍是1');
    const after = await show({mistake: 'after', step: 4});
    expect(after.says).toContain('行和0.675');
    expect(after.drawn).toContain('✗0.675');
    const float16 = await show({mistake: 'float16', step: 1});
    expect(float16.drawn).toContain('无定义');
    expect(float16.says).toContain('没有一行还是数');
    expect(visible((await show({mistake: 'inverted'})).rows)).toEqual([4, 3, 2, 1, 0]);
    expect(visible((await show({kind: 'window', window: 3, mistake: 'wide'})).rows)).toEqual([
      1, 2, 3, 4, 4,
    ]);
    expect(
      (await show({kind: 'packed', ...POEM, lengths: [5, 3], window: 8, mistake: 'cross'})).says,
    ).toContain('15格看到了别的句子');
  });

  it('pads left and right and packs, with both shares', async () => {
    const right = await show({kind: 'right', ...POEM});
    expect(right.result.blocks.map(visible)).toEqual([
      [1, 2, 3, 4, 5, 5, 5],
      [1, 2, 3, 3, 3, 3, 3],
      [1, 2, 3, 4, 5, 6, 7],
    ]);
    expect(right.says).toContain('有用的格子15÷21＝71.4 %');
    expect(right.says).toContain('71÷147＝48.3 %');
    const left = await show({kind: 'left', ...POEM});
    expect(left.result.blocks.map(visible)).toEqual([
      [0, 0, 1, 2, 3, 4, 5],
      [0, 0, 0, 0, 1, 2, 3],
      [1, 2, 3, 4, 5, 6, 7],
    ]);
    expect(left.says).toContain('有6行什么也看不见');
    expect(left.drawn).toContain('✗0.000<');
    const packed = await show({kind: 'packed', ...POEM, window: 8});
    expect(packed.result.blocks.map((rows) => rows.map(({label}) => label).join(''))).toEqual([
      '秦川雄帝宅空山不',
      '明月松间照清泉补',
    ]);
    expect(packed.says).toContain('有用的格子15÷16＝93.8 %');
  });

  it(
    'follows a convention for a row with nothing to see, and shows what it does to the ' + 'output',
    async () => {
      const first = async (empty: MaskState['empty']) =>
        await show({kind: 'left', window: 7, step: 1, empty});
      const zero = await first('zero');
      expect(zero.rows[0]).toMatchObject({visible: 0, defined: true, sum: 0, output: [0, 0, 0, 0]});
      expect(zero.says).toContain('输出是(0.00, 0.00, 0.00, 0.00)');
      const self = await first('self');
      expect(self.rows[0]).toMatchObject({sum: 1, output: [0.5, 1, 0.5, 0.5]});
      expect(self.rows[0]?.cells.some(({leak}) => leak)).toBe(false);
      const mean = await first('mean');
      expect(mean.rows[0]?.cells.map(({weight}) => weight)).toEqual(Array(7).fill(1 / 7));
      expect(mean.says).toContain('输出是V的平均');
    },
  );

  it('never shows NaN, whatever is chosen, and fits a table and an exported picture', async () => {
    for (const kind of KINDS) {
      for (const mistake of WAYS) {
        for (const empty of ['zero', 'self', 'mean'] as const) {
          const shown = await show({kind, mistake, empty, lengths: [2, 1], window: 3, step: 1});
          const {title} = spec as {title: string};
          const svg = composeFigure(shown.drawn, {title, description: shown.says});
          expect(svg + shown.says + JSON.stringify([shown.table, shown.result])).not.toMatch(
            /NaN|Infinity|undefined/,
          );
          for (const row of shown.table.rows) expect(row).toHaveLength(shown.table.columns.length);
        }
      }
    }
  });

  it('takes few and many tokens, and falls back from bad attributes with a sentence', async () => {
    expect((await show({tokens: ['甲']})).rows).toHaveLength(1);
    const many = await show({tokens: Array.from({length: 40}, (_, i) => `t${i}`)});
    expect(many.rows).toHaveLength(12);
    expect((await show({kind: 'packed', lengths: [12, 12, 12, 12]})).rows).toHaveLength(48);
    expect(spec.schema.lengths.read('５，3')).toEqual([5, 3]);
    expect(spec.schema.lengths.read('')).toEqual([]);
    const {state, problem} = readFields<MaskState>(spec.schema, (key) =>
      key === 'lengths' ? '5,0' : null,
    );
    expect(state.lengths).toEqual([]);
    expect(problem?.message).toContain('最小');
  });
});
