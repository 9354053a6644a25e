// The spread of random dot products: <attn-variance>, and the part of <attn-scaling> about d.

import type {ScalingState} from '../../../web/elements/attn-scaling/state.js';
import type {VarianceState} from '../../../web/elements/attn-variance/state.js';
import type {State} from '../random-state.js';
import {entropyOf, jacobianOf, normOf, softmax} from './arithmetic.js';
import {Draws} from './random-numbers.js';
import {dec, int, pct, Reader, type Shown, sig, type Value} from './reading.js';

interface Spread {
  std: number;
  maxWeight: number;
  entropy: number;
  norm: number;
  normMedian: number;
  above10: number;
  above20: number;
  outside: number;
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return Number.isInteger(half)
    ? (sorted[half - 1]! + sorted[half]!) / 2
    : sorted[Math.floor(half)]!;
}

/** Rows of one query's products with its keys; a query and its keys are drawn in turn. */
function products(d: number, seed: number, samples: number, keys: number): number[][] {
  const draws = new Draws(seed, d);
  return Array.from({length: samples}, () => {
    const query = Array.from({length: d}, () => draws.normal());
    return Array.from({length: keys}, () =>
      query.reduce((sum, component) => sum + component * draws.normal(), 0),
    );
  });
}

function spreadOf(rows: readonly number[][], halfWidth: number): Spread {
  const all = rows.flat();
  const middle = mean(all);
  const weights = rows.map(softmax);
  const norms = weights.map((row) => normOf(jacobianOf(row)));
  const gaps = rows.flatMap((row) =>
    row.flatMap((a, i) => row.slice(0, i).map((b) => Math.abs(a - b))),
  );
  return {
    std: Math.sqrt(mean(all.map((x) => (x - middle) ** 2))),
    maxWeight: mean(weights.map((row) => Math.max(...row))),
    entropy: mean(weights.map((row) => entropyOf(row, row.length))),
    norm: mean(norms),
    normMedian: median(norms),
    above10: gaps.filter((gap) => gap > 10).length / gaps.length,
    above20: gaps.filter((gap) => gap > 20).length / gaps.length,
    outside: all.filter((x) => Math.abs(x) > halfWidth).length,
  };
}

interface Sides {
  d: number;
  raw: Spread;
  scaled: Spread;
}

/** The last results: one state is judged many times, each time with other digits shown. */
const lastSides = new Map<string, Sides[]>();

function bothSides(
  dims: readonly number[],
  seed: number,
  samples: number,
  keys: number,
): readonly Sides[] {
  const inputs = [dims, seed, samples, keys].join(' ');
  const last = lastSides.get(inputs);
  if (last) return last;
  const widest = Math.ceil(4 * Math.sqrt(Math.max(...dims)));
  const sides = dims.map((d) => {
    const raw = products(d, seed, samples, keys);
    const scaled = raw.map((row) => row.map((product) => product / Math.sqrt(d)));
    return {d, raw: spreadOf(raw, widest), scaled: spreadOf(scaled, 4)};
  });
  // A state needs two at most: its table's dimensions, and the one of its figure.
  if (lastSides.size === 2) lastSides.clear();
  lastSides.set(inputs, sides);
  return sides;
}

/** The sums of the row that walks, component by component, as far as the playhead has come. */
function walk({d, seed, keys, at}: VarianceState): number[] {
  const draws = new Draws(seed, 4097);
  const steps = Math.max(1, Math.round(d * Math.min(1, at / 0.4)));
  const sums = Array.from({length: keys}, () => 0);
  for (let step = 0; step < steps; step++) {
    const component = draws.normal();
    for (let k = 0; k < keys; k++) sums[k]! += component * draws.normal();
  }
  return sums;
}

/** A mean over rows whose weights are nearly one-hot has few digits. */
const some = (value: number): Value => sig(value, 4, 1e-9 * Math.abs(value) + 1e-15);

export function varianceOpinion(state: VarianceState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {dims, seed, samples, keys, d: shownD, divisor} = state;
  const rows = bothSides(dims, seed, samples, keys);
  // So few rows are drawn in full for any dimension; the table has it once.
  const own = rows.find(({d}) => d === shownD) ?? bothSides([shownD], seed, samples, keys)[0]!;
  reader.table(
    [...rows, ...(rows.includes(own) ? [] : [own])].flatMap(({d, ...sides}, i) =>
      (['raw', 'scaled'] as const).map((side, j) => {
        const {std, maxWeight, entropy, norm, normMedian, above10, above20, outside} = sides[side];
        return [
          int(d),
          reader.cell(2 * i + j, 1),
          ...[std, maxWeight, entropy, norm, normMedian].map(some),
          pct(above10),
          pct(above20),
          int(outside),
        ];
      }),
    ),
  );
  const stars = rows.map(() => '*').join('、');
  reader.says(
    `√d是${stars}，实测点积的标准差是${stars}，除以√d之后是${stars}。`,
    ...rows.map(({d}) => sig(Math.sqrt(d))),
    ...rows.map(({raw}) => dec(raw.std, 1)),
    ...rows.map(({scaled}) => dec(scaled.std, 2)),
  );
  if (divisor === 'root')
    reader.says(
      'd＝*，除以√d：标准差*，一行里最大的权重平均占*。',
      int(shownD),
      dec(own.scaled.std, 2),
      pct(own.scaled.maxWeight),
    );
  else if (divisor === 'd')
    reader.says(
      '图上这一行最大的权重是*，*个平分是*。',
      pct(Math.max(...softmax(walk(state).map((sum) => sum / shownD)))),
      int(keys),
      pct(1 / keys),
    );
  else
    reader.says(
      'd＝*，不缩放：*个点积的标准差是*，√d是*；一行里最大的权重平均占*。',
      int(shownD),
      int(samples * keys),
      dec(own.raw.std, 1),
      sig(Math.sqrt(shownD)),
      pct(own.raw.maxWeight),
    );
  return reader.wrong;
}

/** Few draws: the second computation takes a microsecond each. */
export function sampleVariance(state: State, random: () => number): State {
  const dims = Array.from({length: 1 + Math.floor(3 * random())}, () =>
    random() < 0.2 ? 1 : 1 + Math.floor(200 * random()),
  );
  const keys = random() < 0.2 ? 64 : 2 + Math.floor(10 * random());
  const d = 1 + Math.floor(300 * random());
  return {...state, dims, keys, d, samples: 1 + Math.floor(60 * random())};
}

const SAMPLES = 2000;
const KEYS = 5;

/** First and last, once if they read the same. */
function ends(reader: Reader, before: string, after: string, values: readonly number[]): void {
  const [first, last] = [values[0]!, values.at(-1)!];
  const same = dec(first, 3);
  if (first.toFixed(3) === last.toFixed(3)) reader.says(`${before}*${after}`, same);
  else reader.says(`${before}*→*${after}`, same, dec(last, 3));
}

export function dimensionOpinion({dims, seed}: ScalingState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const ordered = [...new Set(dims)].sort((a, b) => a - b);
  const rows = bothSides(ordered, seed, SAMPLES, KEYS);
  reader.table(
    rows.flatMap(({d, ...sides}, i) =>
      (['raw', 'scaled'] as const).map((side, j) => {
        const {std, maxWeight, entropy, norm, normMedian} = sides[side];
        return [
          int(d),
          reader.cell(2 * i + j, 1),
          ...[entropy, norm, normMedian, std, maxWeight].map(some),
        ];
      }),
    ),
  );
  const [raw, scaled] = (['raw', 'scaled'] as const).map((side) => rows.map((row) => row[side]));
  ends(
    reader,
    '不缩放，熵',
    '，',
    raw!.map(({entropy}) => entropy),
  );
  ends(
    reader,
    '÷√d，熵',
    '，',
    scaled!.map(({entropy}) => entropy),
  );
  reader.says(`d＝${[...new Set([ordered[0], ordered.at(-1)])].join('→')}：`);
  const [first, second] = shown.says.split('÷√d，');
  for (const [says, sides] of [
    [first!, raw!],
    [second!, scaled!],
  ] as const) {
    const part = new Reader({says, rows: []});
    ends(
      part,
      '‖J‖',
      says === first ? '；' : '。',
      sides.map(({norm}) => norm),
    );
    reader.wrong.push(...part.wrong);
  }
  return reader.wrong;
}
