import {beforeAll, describe, expect, it} from 'vitest';
import {AttnPosition} from '../../web/elements/attn-position.js';
import type {PositionState} from '../../web/elements/attn-position/state.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnPosition;
const KINDS = ['none', 'sinusoidal', 'learnt', 'rotary'] as const;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<PositionState> = {}) => drawnWidget(resources, spec, patch);

describe('attn-position', () => {
  it('rotates q and k: equal distances have equal scores, up to position a million', async () => {
    const {result, says} = await show();
    expect(result.spread).toBeLessThan(1e-12);
    for (const at of [1, 63, 9900, 999_999]) {
      const there = (await show({at})).result.score ?? NaN;
      expect(Math.abs(there - (result.score ?? NaN))).toBeLessThan(at <= 1e4 ? 1e-12 : 1e-10);
    }
    expect(says).toContain('换到哪里都一样');
    expect((await show({offset: 4})).result.score).not.toBeCloseTo(result.score!, 3);
  });

  it('rotates 64 of 256 columns: only one part depends on the distance', async () => {
    const [near, far] = [
      await show({dim: 256, rotated: 64}),
      await show({dim: 256, rotated: 64, offset: 30}),
    ];
    expect(near.result.spread).toBeLessThan(1e-12);
    expect(near.result.parts[1]).toBe(far.result.parts[1]);
    expect(near.result.parts[0]).not.toBeCloseTo(far.result.parts[0], 3);
    expect(near.result.parts[0] + near.result.parts[1]).toBeCloseTo(near.result.score!, 12);
    expect(near.result.waves).toHaveLength(32);
  });

  it('draws at most eight pairs, whose shares in the score add up to it', async () => {
    const {result} = await show({dim: 8, at: 5});
    expect(result.dials.map(({pair}) => pair)).toEqual([1, 2, 3, 4]);
    const sum = result.dials.reduce((all, {part}) => all + part!, 0);
    expect(sum).toBeCloseTo(result.score!, 12);
    // Both turn by place · speed; their angle stays, so does the share.
    const far = (await show({dim: 8, at: 50})).result;
    far.dials.forEach(({part}, i) => expect(part).toBeCloseTo(result.dials[i]!.part!, 12));
    expect(far.dials[0]?.q[1]).not.toEqual(result.dials[0]?.q[1]);
    const {dials} = (await show({dim: 256})).result;
    expect(dials).toHaveLength(8);
    expect([dials[0]?.pair, dials.at(-1)?.pair]).toEqual([1, 128]);
  });

  it('shows that a rotated V reveals the position, and an unrotated one does not', async () => {
    const {result, says} = await show({value: true});
    expect(result.leak[0]).toBeLessThan(1e-12);
    expect(result.leak[1]).toBeGreaterThan(0.5);
    expect(says).toContain('把V也转了');
  });

  it('adds codes: scores depend on positions, distances of codes do not', async () => {
    const {result} = await show({kind: 'sinusoidal', offset: 1});
    expect(result.spread).toBeGreaterThan(0.5);
    // √((2 sin ½)² + (2 sin 0.005)²) at any position
    const chord = Math.sqrt((2 * Math.sin(0.5)) ** 2 + (2 * Math.sin(0.005)) ** 2);
    for (const at of [0, 50, 5000]) {
      const there = (await show({kind: 'sinusoidal', offset: 1, at})).result;
      expect(there.distance).toBeCloseTo(chord, 11);
    }
    const {table, result: codes} = await show({kind: 'sinusoidal'});
    // Place 1: sin 1, cos 1, sin 0.01, cos 0.01 = 0.99995.
    expect(table.rows[1]?.at(-1)).toBe('0.8415, 0.5403, 0.0100, 1.0000');
    expect(codes.map).toHaveLength(64);
    expect(codes.map[1]).toEqual(codes.codes[1]?.values);
  });

  it('has no row 64 in its table, and computes any position by the other ways', async () => {
    const {result, says, table} = await show({kind: 'learnt', at: 61, offset: 3});
    expect(result.score).toBeNull();
    expect(result.course.filter((score) => score !== null)).toHaveLength(61);
    expect(says).toContain('位置64没有那一行');
    expect(table.rows.at(-1)?.[2]).toBe('没有这一行');
    expect((await show({kind: 'learnt', at: 60, offset: 3})).result.score).not.toBeNull();
    expect((await show({kind: 'sinusoidal', at: 61})).says).toContain('没学过');
    expect((await show({at: 61})).says).not.toContain('没学过');
    expect((await show({offset: 64})).says).toContain('没学过');
  });

  it('shuffles: no change without a mask, and one from the second causal layer on', async () => {
    const order = [3, 2, 1, 4, 5];
    const gaps = async (patch: Partial<PositionState>) =>
      (await show({kind: 'none', order, ...patch})).result.moved.map((row) => row.difference);
    expect(Math.max(...(await gaps({})))).toBeLessThan(1e-12);
    expect(Math.max(...(await gaps({layers: 2})))).toBeLessThan(1e-12);
    expect((await gaps({causal: true}))[3]).toBeLessThan(1e-12);
    expect((await gaps({causal: true, layers: 2}))[3]).toBeGreaterThan(0.1);
    for (const kind of ['sinusoidal', 'learnt', 'rotary'] as const) {
      expect(Math.min(...(await gaps({kind})))).toBeGreaterThan(1e-3);
    }
    expect((await show({kind: 'none', order})).says).toContain('一个数都没变');
  });

  it('refuses odd widths, and lists that are no permutation, in a sentence', () => {
    expect(() => spec.schema.dim.read('5')).toThrow('偶数');
    expect(() => spec.schema.order.read('1,1,2,3,4')).toThrow('1到5各写一次');
    expect(spec.schema.order.read('')).toEqual([]);
  });

  it('never shows NaN: every kind, two to 256 columns, small and large positions', async () => {
    for (const kind of KINDS) {
      for (const patch of [
        {dim: 2, offset: 0},
        {dim: 256, at: 1_000_000, offset: 10_000, value: true},
        {dim: 8, rotated: 64, offset: 95},
        {order: [5, 4, 3, 2, 1], causal: true, layers: 2},
      ]) {
        const {drawn, says, table} = await show({kind, ...patch});
        expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
        expect(composeFigure(drawn, {title: '位置', description: says})).not.toMatch(
          /var\(|style=/,
        );
      }
    }
  });
});
