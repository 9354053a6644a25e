import {beforeAll, describe, expect, it} from 'vitest';
import {AttnLookup} from '../../web/elements/attn-lookup.js';
import type {LookupState} from '../../web/elements/attn-lookup/compute.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnLookup;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<LookupState> = {}) => drawnWidget(resources, spec, patch);

const softOutput = (scores: readonly number[], values: readonly number[]) => {
  const parts = scores.map((score) => Math.exp(score));
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.reduce((total, part, i) => total + (part * values[i]!) / sum, 0);
};

describe('attn-lookup', () => {
  // Parts e², e^1.5, e⁻¹ = 7.38906, 4.48169, 0.36788, sum 12.23863: 0.60375, 0.36619, 0.03006.
  // Soft: 6.0375 + 7.3238 = 13.3613; hard: the value of the highest score.
  it('takes one entry in the hard lookup and a blend in the soft one', async () => {
    const {result, drawn, says, table} = await show();
    expect(result.hard).toBe(10);
    expect(result.soft).toBeCloseTo(softOutput([2, 1.5, -1], [10, 20, 0]), 12);
    expect(drawn).toContain('>13.36<');
    expect(says).toContain('硬查表只认「甲」，取回10');
    expect(table.rows.at(-1)).toEqual(['取回', '', '', '10', '13.36', '', '']);
  });

  it('has the slope of a difference quotient', async () => {
    const scores = [2, 1.5, -1];
    const values = [10, 20, 0];
    const {result} = await show();
    scores.forEach((_, j) => {
      const at = (step: number) =>
        softOutput(
          scores.map((s, i) => (i === j ? s + step : s)),
          values,
        );
      expect(result.gradient[j]).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 6);
    });
    // Adding a constant to all scores changes nothing, so the gradient sums to 0.
    expect(Math.abs(result.gradient.reduce((sum, g) => sum + g, 0))).toBeLessThan(1e-12);
  });

  it('draws a step where the varied score passes the largest of the others', async () => {
    const {result} = await show();
    expect(new Set(result.curve.map(({hard}) => hard))).toEqual(new Set([10, 20]));
    for (const {score, hard} of result.curve) expect(hard).toBe(score >= 1.5 ? 10 : 20);
    const soft = result.curve.map((answer) => answer.soft);
    // The soft curve falls towards 10 without a jump.
    expect([...soft].sort((a, b) => b - a)).toEqual(soft);
  });

  it('has sentences for a tie, a single entry and a saturated row', async () => {
    expect((await show({scores: [1, 1], values: [0, 4]})).says).toContain('2条并列最高');
    expect((await show({scores: [1, 1], values: [0, 4]})).result.soft).toBe(2);
    expect((await show({scores: [3], values: [7]})).says).toContain('只有一条');
    expect((await show({scores: [1000, 0], values: [1, 2]})).says).toContain('饱和');
  });

  it('reads missing values as 0, and an index beyond the entries as the last', async () => {
    const {result} = await show({scores: [1, 2, 3], values: [5], moved: 8});
    expect(result.values).toEqual([5, 0, 0]);
    expect(result.moved).toBe(2);
  });

  it('never shows NaN: a million, equal values, eight entries', async () => {
    for (const patch of [
      {scores: [1e6, -1e6, 0], values: [1e6, -1e6, 0]},
      {scores: [0, 0, 0], values: [0, 0, 0]},
      {scores: [1, 2, 3, 4, 5, 6, 7, 8], values: [1, 1, 1, 1, 1, 1, 1, 1], moved: 8},
    ]) {
      const {drawn, says, table} = await show(patch);
      expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
      expect(composeFigure(drawn, {title: '查表', description: says})).not.toMatch(/var\(|style=/);
    }
  });
});
