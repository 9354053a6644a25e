// The runs behind one picture of attn-variance. A run is made once, since most changes of the
// picture leave the draws as they are.

import type {Scaling as Calls, DivisorRow, VarianceRow} from '../build/wasm/attn_scaling.mjs';
import {CoreError} from './module.js';
import {rowsOf} from './matrix.js';

export interface RunOptions {
  /** The dimensions to compare with. */
  dims: readonly number[];
  seed: number;
  samples: number;
  keys: number;
  /** The dimension of the picture. */
  d: number;
  /** The share of its components that the walks have added, 0 … 1. */
  walked: number;
}

export interface VarianceRuns {
  /** The dimensions to compare with. */
  rows: VarianceRow[];
  /** Number of products for each of them. */
  products: number;
  /** The dimension of the picture. */
  shown: VarianceRow;
  /** Number of its products; fewer for a large dimension. */
  shownProducts: number;
  /** Its first products as bins of the scaled histogram. */
  first: number[];
  /** Components that the walks have added, and the numbers of them at which `walks` looks. */
  walked: number;
  stops: number[];
  /** For each of the first keys of one row, its sum at every stop ÷ √d of the picture. */
  walks: number[][];
  /** The same row: its sums so far, and what softmax makes of them ÷ 1, ÷ √d and ÷ d. */
  scores: number[];
  weights: DivisorRow[];
}

/** So many walks are drawn. */
const MOST_WALKS = 5;
/** The largest number of draws for the dimensions to compare: about half a second in the core. */
const MOST_DRAWS = 5e7;
/** For the dimension that the reader drags: about a thirtieth of a second. */
const MOST_DRAWS_SHOWN = 3.2e6;
/** A large dimension still gets this many rows. */
const FEWEST_ROWS = 200;
/** Products that are seen to fall, one by one. */
const FALLING = 1000;
/** Places at which a walk is drawn. */
const STOPS = 96;
const MOST_KEPT = 80;

/** The runs of a module. */
export function runsOf(calls: Calls): (options: RunOptions) => VarianceRuns {
  const kept = new Map<string, unknown>();
  const once = <Result>(key: unknown, run: () => Result): Result => {
    const name = JSON.stringify(key);
    const result = (kept.get(name) as Result | undefined) ?? run();
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(name, result);
    return result;
  };
  const experiment = (dims: readonly number[], {seed, keys}: RunOptions, samples: number) => {
    const options = {dims: [...dims], seed, samples, keys};
    return once(options, () => calls.variance(options));
  };
  /** The dimension of the picture: the row of the table where that has it. */
  const shownRow = (options: RunOptions, rows: readonly VarianceRow[]) => {
    const {d, keys, samples} = options;
    const row = rows.find((one) => one.d === d);
    if (row) return {row, count: samples};
    const affordable = Math.max(FEWEST_ROWS, Math.floor(MOST_DRAWS_SHOWN / (d * (keys + 1))));
    const count = Math.min(samples, affordable);
    return {row: experiment([d], options, count)[0] as VarianceRow, count};
  };
  return (options) => {
    const {dims, seed, samples, keys, d} = options;
    const draws = samples * (keys + 1) * dims.reduce((sum, one) => sum + one, 0);
    if (draws > MOST_DRAWS)
      throw new CoreError(
        'too_many_draws',
        `dims, samples, keys: at most ${MOST_DRAWS} numbers to draw, got ${draws}`,
      );
    const rows = experiment(dims, options, samples);
    const {row: shown, count} = shownRow(options, rows);
    const falling = {d, seed, count: Math.min(FALLING, count * keys), keys};
    const walked = Math.max(1, Math.round(d * options.walked));
    const stops = stopsOf(d, walked);
    const sums = rowsOf(calls.productWalks({stops, seed, keys}));
    const scores = sums.at(-1) ?? [];
    const root = Math.sqrt(d);
    return {
      rows,
      products: samples * keys,
      shown,
      shownProducts: count * keys,
      first: once(falling, () => calls.productBins(falling)),
      walked,
      stops,
      // Places in a picture: thousandths of a standard deviation are finer than a pixel.
      walks: scores
        .slice(0, MOST_WALKS)
        .map((_, k) => sums.map((row) => Number(((row[k] ?? 0) / root).toFixed(3)))),
      scores,
      weights: calls.divisors(scores, d),
    };
  };
}

/** Numbers of components at which the walks are drawn, up to `walked`. */
function stopsOf(d: number, walked: number): number[] {
  const grid = Array.from({length: STOPS}, (_, i) => Math.round(((i + 1) * d) / STOPS));
  return [...new Set([1, ...grid.filter((n) => n >= 1 && n < walked), walked])];
}
