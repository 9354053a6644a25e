import {beforeAll, describe, expect, it} from 'vitest';
import {AttnDecode} from '../../web/elements/attn-decode.js';
import type {DecodeState} from '../../web/elements/attn-decode/state.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnDecode;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<DecodeState> = {}) => drawnWidget(resources, spec, patch);

const count = (text: string, part: string) => text.split(part).length - 1;

describe('attn-decode', () => {
  it('counts 2 + 3 + 4 computations without the cache and 2 + 1 + 1 with it', async () => {
    const {says, drawn} = await show();
    expect(says).toContain('2 + 3 + 4 ＝ 9份K和V，其中5份早就算过');
    expect(says).toContain('2 + 1 + 1 ＝ 4份');
    expect(says).toContain('逐位相同');
    // With the cache: 4 cells computed, 2 + 3 taken from it. Without it: those 5 are computed
    // again.
    expect(count(drawn, '>✓取<')).toBe(5);
    expect(count(drawn, '>✗重算<')).toBe(5);
    expect(count(drawn, '>算<')).toBe(4 + 4);
    const without = (await show({cache: false})).drawn;
    expect(count(without, '>✗重算<')).toBe(5);
    expect(count(without, '>算<')).toBe(4);
    expect(without).not.toContain('✓取');
  });

  it('follows the formulas p·g + g(g − 1)/2 and p + g − 1', async () => {
    for (let prompt = 1; prompt <= 4; prompt++) {
      for (let generate = 1; prompt + generate <= 5; generate++) {
        const {result} = await show({prompt, generate});
        const sum = (passes: typeof result.anew) =>
          passes.reduce((total, {computed}) => total + computed, 0);
        expect(sum(result.anew)).toBe(prompt * generate + (generate * (generate - 1)) / 2);
        expect(sum(result.kept)).toBe(prompt + generate - 1);
        expect(result.identical).toBe(true);
      }
    }
  });

  it('uses the last token present as the query', async () => {
    const {table} = await show();
    const column = (name: string) => table.rows.map((row) => row[table.columns.indexOf(name)]);
    expect(column('谁的q在问')).toEqual(['把', '苹果', '给了']);
    expect(column('接着出')).toEqual(['苹果', '给了', '小王']);
    // Row 给了 of lesson 7, two heads joined and multiplied by W_O: 人, 物, 语法, 身份 / 2.
    expect(column('留着得到的输出').at(-1)).toBe('(0.906, 0.812, 0.252, 0.548)');
    expect(column('重算得到的输出')).toEqual(column('留着得到的输出'));
  });

  it('is a race: one key and value a beat, and what is kept is there at once', async () => {
    // The slower way takes 9 beats. After 4, it has done the first pass (2) and repeated the same
    // two tokens in the second; the other has done 2 + 1 + 1 and is at its end.
    const {says, drawn} = await show({at: 4 / 9});
    expect(says).toBe('第4拍：每步重算的算了4份，其中2份重复，做完1步；留着的算了4份，做完3步。');
    expect(count(drawn, '>✗重算<')).toBe(2);
    expect(count(drawn, '>✓取<')).toBe(5);
    expect(drawn).toContain('第4拍跑完');
    // W_K and W_V have 4 × 4 entries each: 32 products a token, 4 tokens each way.
    expect(count(drawn, '128次乘法')).toBe(2);
    // Nothing is taken before the second pass begins.
    expect((await show({at: 2 / 9})).drawn).not.toContain('✓取');
    expect((await show({at: 0})).says).toContain('每步重算的算了0份，做完0步');
    expect((await show({at: 0.5, cache: false})).says).not.toContain('留着');
  });

  it('saves nothing when one step is generated', async () => {
    const {says, table} = await show({prompt: 1, generate: 1});
    expect(says).toContain('都算1份K和V，没有可省的');
    // A token that sees only itself: V of 小明 (1, 1.2, 0.1, 0.2) times W_O.
    expect(table.rows[0]?.at(-1)).toBe('(1.000, 0.100, 0.200, 0.600)');
  });

  it('refuses more tokens than the sentence has, and gives its length', () => {
    expect(() =>
      spec.compute(resources, {prompt: 4, generate: 2, cache: true, at: 1}, undefined),
    ).toThrow('这句话只有5个词元：提示4个，最多再生成1个。');
  });

  it('draws pictures that can be exported', async () => {
    for (const cache of [true, false]) {
      const {drawn, says} = await show({cache});
      expect(composeFigure(drawn, {title: '生成', description: says})).not.toMatch(/var\(|style=/);
    }
  });
});
