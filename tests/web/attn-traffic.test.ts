import {beforeAll, describe, expect, it} from 'vitest';
import {AttnTraffic, type TrafficState} from '../../web/elements/attn-traffic.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnTraffic;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<TrafficState> = {}) => drawnWidget(resources, spec, patch);

describe('attn-traffic', () => {
  // 4 · 4096² · 64 · 16 = 6.87·10¹⁰ operations ÷ 312·10¹² = 220 μs. Four passes over 2²⁹ bytes and
  // 2²⁵ for Q, K, V, O: 2.18·10⁹ ÷ 1555·10⁹ = 1.40 ms, 6.37 times as long. Sixteen blocks of 256:
  // (2 + 32) · 2²³ bytes = 2.85·10⁸, 183 μs.
  it('finds the A100 waiting for memory, until the scores stay on the chip', async () => {
    const {result, says, table} = await show();
    expect(result.operations).toBe(68719476736);
    expect(result.standardBytes).toBe(2 ** 31 + 2 ** 25);
    expect(result.tiledBytes).toBe(34 * 2 ** 23);
    expect(says).toBe(
      '标准写法里，搬要1.4 ms，是算的6.37倍：慢在搬。分块以后搬只要183 μs，算要220 μs：慢在算，不在搬。',
    );
    expect(table.rows.at(-1)).toEqual(['一张分数表（都存着）', '537 MB', '']);
  });

  it('says the opposite where arithmetic is slow, and for a block of one query', async () => {
    expect((await show({tera: 0.1})).says).toContain('慢在算。');
    expect((await show({block: 1})).says).toContain('仍比算的');
  });

  it('never shows NaN at the ends of the ranges', async () => {
    for (const patch of [
      {length: 1, width: 1, heads: 1, bytes: 1, block: 1, tera: 1e5, bandwidth: 1e6},
      {length: 1e7, width: 4096, heads: 1e5, bytes: 8, tera: 0.001, bandwidth: 0.1},
    ]) {
      const {drawn, says, table} = await show(patch);
      expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});
