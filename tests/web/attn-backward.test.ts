import {beforeAll, describe, expect, it} from 'vitest';
import {AttnBackward} from '../../web/elements/attn-backward.js';
import {momentOf, stops} from '../../web/elements/attn-backward/moment.js';
import {type BackwardState, schema} from '../../web/elements/attn-backward/state.js';
import {cellProduct, checked} from '../../web/elements/attn-backward/words.js';
import {InputError} from '../../web/shared/input.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnBackward;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<BackwardState> = {}) => drawnWidget(resources, spec, patch);
const first = (...numbers: number[]) => [...numbers, ...Array<number>(12 - numbers.length).fill(0)];

/**
 * Q = 0, so every weight is 1/3. Only k₁ = (1, 0, 0, 0), v₁ = (3, 0, 0, 0) and the first row of dO,
 * (1, 0, 0, 0), are not 0.
 */
const BY_HAND = {q: first(), k: first(1), v: first(3), grad: first(1)} as const;

describe('attn-backward', () => {
  it('computes the five tables as by hand, and prints the product of a cell', async () => {
    const {result} = await show(BY_HAND);
    // dP = (3, 0, 0), mean 1, dS = (2, −1, −1) ÷ 3; dV has dO's first row ÷ 3 in every row.
    expect(result.dP[0]).toEqual([3, 0, 0]);
    expect(result.means[0]).toBeCloseTo(1, 14);
    [2 / 3, -1 / 3, -1 / 3].forEach((value, j) => expect(result.dS[0]![j]).toBeCloseTo(value, 14));
    for (const row of result.dV) expect(row[0]).toBeCloseTo(1 / 3, 14);
    // dQ₁ = 2/3 · k₁ ÷ √4; dK = dSᵀ Q ÷ √4 = 0.
    expect(result.dQ[0]![0]).toBeCloseTo(1 / 3, 14);
    expect(result.dK.flat().every((value) => value === 0)).toBe(true);
    const line = (at: number) => cellProduct({...defaults(schema), ...BY_HAND, at}, result);
    expect(line(0)).toBe('');
    expect(line(0.4)).toBe('dP第1行第1列：1×3＋0×0＋0×0＋0×0＝3.000');
    expect(line(0.6)).toBe('dS第1行第1列：0.3333×(3−1)＝0.667');
    expect(line(0.8)).toBe('dQ第1行第1列：(0.667×1＋(−0.333)×0＋(−0.333)×0)÷2＝0.333');
  });

  it('agrees with the differences for other seeds, and says so', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const {result, says} = await show({seed});
      expect(checked(result).right).toBe(true);
      expect(says).toContain('三个梯度都与有限差分相符。');
      // A constant added to a row of scores changes nothing.
      for (const sum of result.rowSums) expect(Math.abs(sum)).toBeLessThan(1e-13);
    }
  });

  it('shows which gradients a forgotten term makes wrong, and by how much', async () => {
    const mean = await show({...BY_HAND, mistake: 'mean'});
    // dS₁ = 3 · 1/3 in place of 2/3, so dQ is off by 1/3 · 1 ÷ 2.
    expect(mean.result.check.q).toBeCloseTo(1 / 6, 8);
    expect(mean.result.check.v).toBeLessThan(1e-6);
    expect(mean.result.rowSums[0]).toBeCloseTo(1, 14);
    expect(mean.says).toContain('合计1.000，不是0');
    expect(checked(mean.result)).toMatchObject({right: false});
    const scale = await show({...BY_HAND, mistake: 'scale'});
    // 2/3 in place of 1/3.
    expect(scale.result.check.q).toBeCloseTo(1 / 3, 8);
    expect(scale.drawn).toContain('✗ 核对不符');
  });

  it('walks through all cells of a step, and stops on the chosen one', () => {
    const at = (place: number) => momentOf({...defaults(schema), row: 2, column: 4, at: place});
    expect(stops().map(({name}) => name)).toEqual(['开始', 'dV', 'dP', 'dS', 'dQ', 'dK']);
    expect(at(0)).toMatchObject({index: 0, filled: 0, lit: null});
    // 0.3 is half of the second step, dP, which has nine cells.
    expect(at(0.3)).toMatchObject({index: 1, filled: 5, lit: {row: 1, column: 1}});
    expect(at(0.2)).toMatchObject({index: 0, filled: 12, lit: {row: 1, column: 3}});
    // A result of three columns has no fourth.
    expect(at(0.6)).toMatchObject({index: 2, filled: 9, lit: {row: 1, column: 2}});
    expect(at(1)).toMatchObject({index: 4, filled: 12});
  });

  it('takes its tables from the seed until a reader writes one, of twelve numbers', async () => {
    const drawn = (await show({seed: 3})).result;
    const {result} = await show({seed: 3, v: first(3)});
    expect(result.q).toEqual(drawn.q);
    expect(result.v.flat()).toEqual(first(3));
    expect(drawn.v.flat().every((value) => Number(value.toFixed(1)) === value)).toBe(true);
    expect(schema.q.read('')).toEqual([]);
    expect(() => schema.q.read('1,2')).toThrow(InputError);
    expect(() => schema.q.read(first(5).join())).toThrow(InputError);
  });

  it('never shows NaN: zeros, the ends of the range, one-hot rows', async () => {
    for (const patch of [
      {q: first(), k: first(), v: first(), grad: first()},
      Object.fromEntries(
        ['q', 'k', 'v', 'grad'].map((name, n) => [
          name,
          Array.from({length: 12}, (_, i) => ((i + n) % 3 === 0 ? 4 : -4)),
        ]),
      ),
    ])
      for (const {at} of stops())
        for (const mistake of ['nothing', 'mean', 'scale'] as const) {
          const {drawn, says, table} = await show({...patch, at, mistake});
          expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
        }
  });
});
