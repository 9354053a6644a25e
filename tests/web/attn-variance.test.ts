import {beforeAll, describe, expect, it} from 'vitest';
import {AttnVariance} from '../../web/elements/attn-variance.js';
import {FELL, LANDED, WALKED, type VarianceState} from '../../web/elements/attn-variance/state.js';
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
      `<td>${last.scaled.std.toFixed(2)}</td>`,
      `${(100 * last.raw.maxWeight).toFixed(1)} %`,
    ])
      expect(drawn).toContain(text);
    expect(drawn.match(/<tbody>.*<\/tbody>/s)![0].match(/<td>/g)).toHaveLength(3 * 10);
    const scaled = show({divisor: 'root'});
    expect(await drawTemplate(spec.view(scaled.state, scaled.result))).toContain(
      `标准差${last.scaled.std.toFixed(2)}`,
    );
    expect(says).toContain(
      `实测点积的标准差是${result.rows.map(({raw}) => raw.std.toFixed(1)).join('、')}`,
    );
    expect(table.rows).toHaveLength(6);
    expect(table.rows[5]).toHaveLength(table.columns.length);
    const file = composeFigure(drawn, {title: '方差实验', description: says});
    // Walks, histogram and outlines of the other dimensions, in the wide picture alone.
    expect(file.match(/preserveAspectRatio="none"/g)).toHaveLength(3);
    expect(file).not.toMatch(/var\(|NaN|style=/);
  });

  it('shows one dimension with the digits that it has in the table', () => {
    const {rows, shown, shownProducts} = show({d: 64}).result;
    expect(shown).toEqual(rows[1]);
    expect(shownProducts).toBe(10_000);
    // Not among those to compare with: the same draws, on an axis of their own.
    expect(show({d: 64, dims: [4]}).result.shown.scaled).toEqual(rows[1]!.scaled);
    expect(show({d: 16}).table.rows.map(([d]) => d)).toEqual(
      [4, 4, 64, 64, 256, 256, 16, 16].map(String),
    );
    // 200 rows of 5 keys are the fewest.
    expect(show({d: 4096}).result.shownProducts).toBe(1000);
  });

  it('walks on as d grows, and ends at the scores whose weights it shows', () => {
    const {walks, stops, scores, weights} = show({d: 256}).result;
    expect(stops.at(-1)).toBe(256);
    walks.forEach((walk, k) => expect(walk.at(-1)! * 16).toBeCloseTo(scores[k]!, 1));
    expect(weights.map(({divisor}) => divisor)).toEqual([1, 16, 256]);
    weights.forEach((row) => {
      const sum = resources.core.weigh(scores.map((score) => score / row.divisor)).weights;
      expect(row.weights).toEqual(sum.map(({value}) => value));
    });
    // A walk of 16 components is the beginning of the one of 256.
    const start = stops.findIndex((n) => n === 16);
    const short = show({d: 16}).result.scores;
    walks.forEach((walk, k) => expect(walk[start]! * 16).toBeCloseTo(short[k]!, 1));
  });

  it('goes from the first component to all products, drawn at every place', async () => {
    expect(show({at: 0}).result).toMatchObject({walked: 1, stops: [1]});
    expect(show({at: WALKED}).result.walked).toBe(256);
    const drawnAt = async (at: number) => {
      const {state, result} = show({at});
      return (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
    };
    expect(await drawnAt(0)).toContain('第1项到第1项');
    expect(await drawnAt(0)).not.toContain('✗ 标准差16.0');
    expect(await drawnAt(FELL)).toContain('落下1,000个');
    expect(await drawnAt(1)).toContain('10,000个点积');
    for (const at of [0, 0.2, WALKED, LANDED, 0.6, FELL, 0.9, 1])
      expect(await drawnAt(at)).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('counts a thousand products into the bins of the whole histogram', () => {
    const {first, shown} = show().result;
    expect(first).toHaveLength(1000);
    const {counts} = shown.scaled.histogram;
    counts.forEach((count, bin) =>
      expect(first.filter((one) => one === bin).length).toBeLessThanOrEqual(count),
    );
  });

  it.each([
    // √d ÷ 1, ÷ √d and ÷ d at d = 256: 16, 1 and 1/16, measured within 4 %.
    ['one', 16],
    ['root', 1],
    ['d', 1 / 16],
  ] as const)('says the spread after dividing by %s', (divisor, expected) => {
    const {says} = show({divisor});
    const std = Number(/标准差(?:只有|是)?([\d.]+)/.exec(says)?.[1]);
    expect(Math.abs(std / expected - 1)).toBeLessThan(0.04);
  });

  it('warns that ‖J‖ misleads with many keys', () => {
    expect(show({keys: 16, samples: 20}).says).not.toContain('键一多');
    expect(show({keys: 64, samples: 20}).says).toContain('请看中位数和熵');
  });

  it('takes the smallest and the largest runs and refuses larger ones', async () => {
    const runs: Partial<VarianceState>[] = [
      {dims: [1], samples: 1, keys: 2},
      {dims: [4096], samples: 3},
      {dims: [1, 4096], samples: 1},
      {seed: 0xffffffff, samples: 2},
      {d: 1, samples: 1, keys: 2, pair: 5},
      {d: 4096, keys: 64, divisor: 'd'},
    ];
    for (const patch of runs) {
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
    ['d', '0'],
    ['d', '4097'],
    ['divisor', '2'],
    ['at', '1.1'],
    ['pair', '6'],
  ] as const)('refuses %s="%s" in a sentence', (key, text) => {
    expect(() => spec.schema[key].read(text)).toThrow(/。$/);
  });
});
