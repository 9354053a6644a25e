import {beforeAll, describe, expect, it} from 'vitest';
import {AttnHeads} from '../../web/elements/attn-heads.js';
import type {HeadsState, WorkedResult} from '../../web/elements/attn-heads/state.js';
import type {Spec} from '../../web/elements/attn-widget/spec.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnHeads;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<HeadsState> = {}) =>
  drawnWidget(resources, spec as Spec<HeadsState, WorkedResult>, patch);

const softmax = (scores: number[]) => {
  const parts = scores.map(Math.exp);
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part) => part / sum);
};

describe('attn-heads', () => {
  // q[给了] = (2.066, −2.382, 1.884, 1.432); k by halves: 小明 (2, 0.4 | 0.2, 0.15), 把 (0.2, 1.6 | 0.4,
  // 0.5), 苹果 (0.2, 0.2 | 2, 0.55), 给了 (0.4, 2 | 0.4, 0.6).
  it('gives each half of the teaching sentence a softmax of its own', async () => {
    const q = [2.066, -2.382, 1.884, 1.432];
    const k = [
      [2, 0.4, 0.2, 0.15],
      [0.2, 1.6, 0.4, 0.5],
      [0.2, 0.2, 2, 0.55],
      [0.4, 2, 0.4, 0.6],
    ];
    const half = (from: number) =>
      softmax(k.map((key) => (q[from]! * key[from]! + q[from + 1]! * key[from + 1]!) / Math.SQRT2));
    const {result, says} = await show();
    const [, a, b] = result.ways;
    half(0).forEach((w, j) => expect(a!.weights[3]![j]).toBeCloseTo(w, 12));
    half(2).forEach((w, j) => expect(b!.weights[3]![j]).toBeCloseTo(w, 12));
    expect(says).toContain('头A最看「小明」，89.5 %；头B最看「苹果」，77.0 %');
    expect(says).toContain('一个头最看「苹果」，56.5 %');
    expect(result.joined[3]!.map((x) => x.toFixed(3))).toEqual([
      '0.906',
      '1.096',
      '0.812',
      '0.252',
    ]);
  });

  // Scores 0 and 1/√2 in either half: weights 1, e^0.7071 over 3.02811 = 0.33024, 0.66976.
  it('gives both heads of the four-dimensional example the same weights', async () => {
    const {result, says, table} = await show({source: 'example'});
    const [low, high] = softmax([0, Math.SQRT1_2]);
    expect(result.joined[0]).toEqual([1, 0, 1, 0]);
    [low, high, low, high].forEach((x, c) => expect(result.joined[1]![c]).toBeCloseTo(x!, 14));
    expect(says).toContain('(0.330, 0.670, 0.330, 0.670)');
    expect(says).toContain('两个头拿到的数一样');
    // Not divided into heads: scores 0 and 2/√4.
    expect(result.ways[0]!.weights[1]![1]).toBeCloseTo(Math.E / (1 + Math.E), 14);
    expect(table.rows).toHaveLength(6);
  });

  it('has rows that sum to 1 and see no later token, in every variant', async () => {
    for (const source of ['teaching', 'example'] as const) {
      const {result} = await show({source});
      for (const {weights} of result.ways) {
        weights.forEach((row, i) => {
          expect(row.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 14);
          row.slice(i + 1).forEach((w) => expect(w).toBe(0));
        });
      }
    }
  });

  it('draws the chosen map, and moves a row beyond the sentence to its end', async () => {
    expect((await show({head: 2})).drawn).toContain('>62.0 %<');
    const {result, says} = await show({source: 'example', row: 5, head: 0});
    expect(result.row).toBe(1);
    expect(says).not.toMatch(/NaN|undefined/);
    expect((await show({row: 1})).says).toContain('只看得见自己');
  });

  it('draws pictures that can be exported', async () => {
    const {drawn, says} = await show();
    expect(composeFigure(drawn, {title: '头', description: says})).not.toMatch(/var\(|style=/);
  });
});
