import {beforeAll, describe, expect, it} from 'vitest';
import {AttnTiles} from '../../web/elements/attn-tiles.js';
import {
  momentOf,
  outputRows,
  stopsOf,
  type TilesState,
} from '../../web/elements/attn-tiles/state.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnTiles;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<TilesState> = {}) => drawnWidget(resources, spec, patch);

describe('attn-tiles', () => {
  // Twelve tokens in blocks of four: 3 × 3 tiles, of which the three above the diagonal are hidden.
  // In hand: 4 queries with output, m and ℓ (4 · (4 + 4 + 2)), 4 keys with values (4 · 8), and 16
  // scores.
  it('skips the tiles above the diagonal, and holds fewer numbers than the table has', async () => {
    const {result, says, table} = await show({at: 1});
    expect(result.walked.map(({pairs}) => pairs)).toEqual([10, 16, 10, 16, 16, 10]);
    expect(says).toContain('算了6块，跳过3块。手里最多88个数，整张分数表有144个');
    expect(table.rows.map((row) => row[2]).filter((cell) => cell === '跳过')).toHaveLength(3);
  });

  // With a window of 4 the tile of queries 9–12 and keys 1–4 is hidden as well, and each tile below
  // the diagonal keeps the pairs at a distance of at most 3: 3 + 2 + 1 of its corner.
  it('skips more under a window, and reaches the first tokens with global ones', async () => {
    const window = await show({pattern: 'window', at: 1});
    expect(window.result.walked.map(({pairs}) => pairs)).toEqual([10, 6, 10, 6, 10]);
    expect(window.says).toContain('算了5块，跳过4块');
    // Queries 9–12 see tokens 1 and 2: 8 pairs. Queries 5–8 see token 1, and 6–8 token 2, beyond
    // their window: 7 more than the 6 of the corner.
    const global = await show({pattern: 'global', at: 1});
    expect(global.result.walked.map(({pairs}) => pairs)).toEqual([10, 13, 10, 8, 6, 10]);
  });

  it('gives the output of attention for any size of tile under every rule', async () => {
    for (const pattern of ['causal', 'window', 'stride', 'global'] as const)
      for (const block of [1, 3, 8]) {
        const {result} = await show({n: 17, block, pattern});
        expect(result.difference).toBeLessThan(1e-15);
      }
  });

  it('keeps one tile of scores, adds it to the output, writes finished rows back', async () => {
    // The third tile of causal 8 in blocks of 4 is that of queries 5–8 and keys 5–8.
    const {state, result} = await show({n: 8, at: 2 / 3});
    const stages = (at: number) => outputRows({...state, at}, result).map(({stage}) => stage);
    expect(momentOf(state, result)).toMatchObject({index: 1, come: 1, taken: 1, done: false});
    expect(stages(0)).toEqual(Array(8).fill('later'));
    expect(stages(2 / 3)).toEqual([...Array(4).fill('written'), ...Array(4).fill('now')]);
    expect(stages(1)).toEqual(Array(8).fill('written'));
    // Before the second beat of the third tile the output is still that of the second.
    const rows = (at: number) => outputRows({...state, at}, result).map(({values}) => values);
    expect(rows(2.5 / 3)[7]).toEqual(rows(2 / 3)[7]);
    expect(rows(1)[7]).not.toEqual(rows(2 / 3)[7]);
    expect(stopsOf(result).map(({name}) => name)).toEqual(['', '第1块', '第2块', '算完']);
  });

  it('never shows NaN, at the ends of the ranges and between stops', async () => {
    for (const n of [4, 24])
      for (const block of [1, 8])
        for (const pattern of ['causal', 'stride'] as const)
          for (const at of [0, 0.31, 0.77, 1]) {
            const {drawn, says, table} = await show({n, block, pattern, at});
            expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
          }
  });
});
