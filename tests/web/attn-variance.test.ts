import {beforeAll, describe, expect, it} from 'vitest';
import {AttnVariance, type VarianceState} from '../../web/elements/attn-variance.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnVariance;
let resources: Resources;

beforeAll(async () => {
  resources = await resourcesFromBuild();
});

function show(patch: Partial<VarianceState> = {}) {
  const state = {...defaults<VarianceState>(spec.schema), ...patch};
  const result = spec.compute(resources, state, undefined);
  return {state, result, says: spec.says(state, result), table: spec.table(state, result)};
}

describe('attn-variance', () => {
  // Var(q·k) = d for independent components of variance 1, so the standard deviation is √d. That of
  // a sample of 10,000 products is off by √((κ−1)/4n) of itself, κ = 3 + 6/d for such products:
  // about 0.9 % at d = 4 and 0.7 % at large d, more for keys that share a query; 4 % is four of
  // these.
  it('finds √d without scaling and 1 with it', () => {
    const {rows, products} = show().result;
    expect(products).toBe(10_000);
    expect(rows.map(({d}) => d)).toEqual([4, 64, 256]);
    for (const {d, raw, scaled} of rows) {
      expect(Math.abs(raw.std / Math.sqrt(d) - 1)).toBeLessThan(0.04);
      expect(raw.std / scaled.std).toBeCloseTo(Math.sqrt(d), 10);
    }
  });

  it('sharpens the rows as d grows, unless they are scaled', () => {
    const {rows} = show().result;
    const of = (key: 'maxWeight' | 'entropy' | 'jacobianNormMedian') =>
      rows.map(({raw, scaled}) => [raw[key], scaled[key]] as const);
    const rising = of('maxWeight').map(([raw]) => raw);
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
    const falling = of('entropy').map(([raw]) => raw);
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    for (const [, scaled] of of('maxWeight')) expect(scaled).toBeLessThan(0.5);
    expect(of('jacobianNormMedian')[2]![0]).toBeLessThan(of('jacobianNormMedian')[2]![1] / 100);
  });

  it('repeats itself for one seed and not for the next', () => {
    expect(show({seed: 7}).result).toEqual(show({seed: 7}).result);
    expect(show({seed: 7}).says).not.toBe(show({seed: 8}).says);
  });

  it('draws each row of histograms on one axis and every product once', () => {
    for (const side of ['raw', 'scaled'] as const) {
      const histograms = show().result.rows.map((row) => row[side].histogram);
      expect(new Set(histograms.map(({lo, hi}) => `${lo} ${hi}`)).size).toBe(1);
      for (const {counts, below, above} of histograms)
        expect(counts.reduce((sum, count) => sum + count, below + above)).toBe(10_000);
    }
  });

  it('shows the comparison in the view, with the numbers of sentence and table', async () => {
    const {state, result, says, table} = show();
    const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
    const last = result.rows[2]!;
    for (const text of [
      `标准差${last.raw.std.toFixed(1)}`,
      `标准差${last.scaled.std.toFixed(2)}`,
      `${(100 * last.raw.maxWeight).toFixed(1)} %`,
    ])
      expect(drawn).toContain(text);
    expect(drawn.match(/<tbody>.*<\/tbody>/s)![0].match(/<td>/g)).toHaveLength(3 * 10);
    expect(says).toContain(
      `实测点积的标准差是${result.rows.map(({raw}) => raw.std.toFixed(1)).join('、')}`,
    );
    expect(table.rows).toHaveLength(6);
    expect(table.rows[5]).toHaveLength(table.columns.length);
    const file = composeFigure(drawn, {title: '方差实验', description: says});
    expect(file.match(/preserveAspectRatio="none"/g)).toHaveLength(6);
    expect(file).not.toMatch(/var\(|NaN|style=/);
  });

  it('warns that ‖J‖ misleads with many keys', () => {
    expect(show({keys: 16, samples: 20}).says).not.toContain('键一多');
    expect(show({keys: 64, samples: 20}).says).toContain('请看中位数和熵');
  });

  it('takes the smallest and the largest runs and refuses larger ones', async () => {
    for (const patch of [
      {dims: [1], samples: 1, keys: 2},
      {dims: [4096], samples: 3},
      {dims: [1, 4096], samples: 1},
      {seed: 0xffffffff, samples: 2},
    ]) {
      const {state, result, says, table} = show(patch);
      expect(
        `${says} ${table.rows.join()} ${await drawTemplate(spec.view(state, result))}`,
      ).not.toMatch(/NaN|Infinity/);
    }
    expect(() => show({dims: [4096, 4096, 4096], samples: 20_000, keys: 64})).toThrow(
      expect.objectContaining({code: 'too_many_draws'}),
    );
  });

  it.each([
    ['dims', '0'],
    ['dims', '4,64,256,512'],
    ['dims', '2.5'],
    ['seed', '-1'],
    ['seed', '4294967296'],
    ['samples', '0'],
    ['keys', '65'],
  ] as const)('refuses %s="%s" in a sentence', (key, text) => {
    expect(() => spec.schema[key].read(text)).toThrow(/。$/);
  });
});
