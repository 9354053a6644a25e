import {beforeAll, describe, expect, it} from 'vitest';
import {AttnOnlineSoftmax} from '../../web/elements/attn-online-softmax.js';
import {
  momentOf,
  type OnlineState,
  schema,
  stopsOf,
} from '../../web/elements/attn-online-softmax/state.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnOnlineSoftmax;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<OnlineState> = {}) => drawnWidget(resources, spec, patch);

describe('attn-online-softmax', () => {
  // Block 1, 3: m = 3, ℓ = e⁻² + 1 = 1.135. Then 2: factor 1, ℓ = 1.135 + e⁻¹ = 1.503.
  it('keeps the sum where no larger score comes: 1, 3, then 2', async () => {
    const {result, says, table} = await show({scores: [1, 3, 2], block: 2, at: 0.9999});
    expect(result.blocks.map(({max}) => max)).toEqual([3, 3]);
    expect(says).toContain('ℓ＝1.503');
    expect(table.rows.map((row) => row[6])).toEqual(['0.090', '0.665', '0.245']);
    const walking = await show({scores: [1, 3, 2], block: 2, at: 0.75});
    expect(walking.says).toContain('修正因子是1：1.135×1＋0.368＝1.503');
  });

  // Then 5: m = 5, the old sum times e⁻² = 0.135, ℓ = 1.13534 · e⁻² + 1 = 1.154.
  it('shrinks the old sum by e^(3−5) where 5 comes after 1, 3', async () => {
    const {result, says, table} = await show({scores: [1, 3, 5], block: 2, at: 0.75});
    expect(result.blocks[1]!.correction).toBeCloseTo(Math.exp(-2), 14);
    expect(says).toContain('m从3变成它');
    expect(says).toMatch(/1\.1353?×0\.1353?＋1＝1\.154/);
    expect(table.rows.map((row) => row[6])).toEqual(['0.016', '0.117', '0.867']);
  });

  it('gives the weights of the whole row for any size of block', async () => {
    for (let block = 1; block <= 12; block++) {
      const {result} = await show({scores: [0.5, -3, 12, 7, 7, -40, 11.9, 12.1], block});
      expect(result.difference).toBeLessThan(1e-15);
    }
  });

  it('first shrinks the old terms and then adds the new ones', async () => {
    const {result} = await show({scores: [1, 3, 5], block: 2});
    const at = (place: number) =>
      momentOf({...defaults(schema), scores: [1, 3, 5], block: 2, at: place}, result);
    expect(at(0)).toMatchObject({index: -1, terms: []});
    expect(at(0.5)).toMatchObject({index: 0, terms: [Math.exp(-2), 1]});
    // Half of the second block: the old terms are e⁻⁴ and e⁻², the new one is not there.
    const half = at(0.75);
    expect(half.terms[1]).toBeCloseTo(Math.exp(-2), 14);
    expect(half.terms[2]).toBe(0);
    expect(at(1)).toMatchObject({index: 1, added: 1, done: true});
    expect(stopsOf(result).map(({name}) => name)).toEqual(['', '第1块', '第2块']);
  });

  it('never shows NaN, from one score to twelve, at the ends of the range', async () => {
    for (const scores of [[7], [50, -50], Array.from({length: 12}, (_, i) => i * 4 - 24)])
      for (const block of [1, 5, 12])
        for (const at of [0, 0.3, 0.6, 1]) {
          const {drawn, says, table} = await show({scores, block, at});
          expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
        }
  });
});
