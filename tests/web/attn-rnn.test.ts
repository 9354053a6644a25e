import {beforeAll, describe, expect, it} from 'vitest';
import {AttnRnn, type RnnState} from '../../web/elements/attn-rnn.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnRnn;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<RnnState> = {}) => drawnWidget(resources, spec, patch);

describe('attn-rnn', () => {
  it('reads 50 words: 50 steps, 49 updates, 0.9⁴⁹ left, 512 ÷ 50 numbers per word', async () => {
    const {result, says, table, drawn} = await show();
    expect(result).toMatchObject({steps: 50, updates: 49, share: 10.24});
    expect(result.left).toBeCloseTo(0.9 ** 49, 14);
    expect(says).toContain('50步，第一个词元到句末被改写49次');
    expect(says).toContain('0.6 %');
    expect(says).toContain('10.2个数');
    expect(table.rows[2]).toEqual(['并行：排队走几步', '50', '1']);
    expect(drawn).toContain('25,600');
  });

  it('gives the counts of 4,096 tokens', async () => {
    const {result} = await show({length: 4096});
    // 4096 · 512² = 2³⁰, 4096² · 512 = 2³³
    expect(result).toMatchObject({
      steps: 4096,
      updates: 4095,
      walked: '1073741824',
      scored: '8589934592',
    });
    expect(Math.log10(result.left)).toBeCloseTo(4095 * Math.log10(0.9), 9);
  });

  it('measures at most the bound, and draws the measured values', async () => {
    for (const length of [2, 5, 50, 700]) {
      const {result} = await show({length});
      expect(result.curve[0]).toEqual({t: 1, bound: 1, measured: 1});
      expect(result.curve.at(-1)?.t).toBe(length);
      for (const {bound, measured} of result.curve)
        expect(measured).toBeLessThanOrEqual(bound * (1 + 1e-12));
    }
  });

  it('shows the whole of a short sentence, and both ends of a long one', async () => {
    const shown = async (length: number) =>
      (await show({length})).result.cells.map((cell) => cell?.t ?? null);
    expect(await shown(5)).toEqual([1, 2, 3, 4, 5]);
    expect(await shown(50)).toEqual([1, 2, 3, 4, null, 48, 49, 50]);
  });

  it('never shows NaN: one token, a million; names an underflow', async () => {
    for (const length of [1, 2, 8, 9, 7100, 1 << 20]) {
      const {drawn, says, table} = await show({length});
      expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined|null/);
      expect(composeFigure(drawn, {title: 'RNN', description: says})).not.toMatch(/var\(|style=/);
    }
    expect((await show({length: 1})).says).toContain('没有区别');
    expect((await show({length: 1 << 20})).says).toContain('小到双精度也记不下');
  });
});
