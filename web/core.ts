// The one file that sees the raw module attn_core: page, worker and Node get their `Core` here.

import type {RawModule} from '../wasm/attn_core.mjs';
import {
  Arguments,
  caller,
  flag,
  instantiate,
  list,
  matrixOf,
  number,
  numbers,
  orNull,
  record,
  type Mask,
  type Matrix,
  type Read,
} from './buffer.js';

export {CoreError, matrix, rowsOf, type Mask, type Matrix} from './buffer.js';

export type Method = 'share' | 'shift' | 'softmax';
export type Precision = 'float64' | 'float32';

/** `overflow`: too large for the format; `undefined`: a division by 0, ∞ − ∞ or ∞ ÷ ∞. */
export type Status = 'ok' | 'overflow' | 'undefined';

/** What one step gave. `value` is 0 unless the status is 'ok': never NaN or an infinity. */
export interface Entry {
  value: number;
  status: Status;
}

export interface WeighOptions {
  method: Method;
  /** Greater than 0; scores are divided by it (softmax only). Base 2 is 1/ln 2. */
  temperature: number;
  /** Added to every score before anything else. */
  offset: number;
  /** float32 rounds after every operation, as a float32 machine would. */
  precision: Precision;
  /** Subtract the row maximum before exp (softmax only). */
  stable: boolean;
}

/** Every step from one row of n scores to n weights. */
export interface WeighTrace {
  /** scores + offset, as the format holds them. */
  scores: Entry[];
  /** What was subtracted: the minimum (shift), the maximum (stable softmax), else 0. */
  shift: Entry;
  /** scores − shift, divided by the temperature for softmax. */
  shifted: Entry[];
  /** What is shared out: the shifted scores themselves, or their exponentials. */
  parts: Entry[];
  /** Of the parts. */
  sum: Entry;
  weights: Entry[];
  /** All weights are numbers. */
  defined: boolean;
  /** And all are ≥ 0 and sum to 1 (rounding aside): they can serve as weights of an average. */
  valid: boolean;
  /** Entropy ÷ ln n of valid weights, 0 … 1; 0 for n = 1; null when not valid. */
  entropy: number | null;
  /** Largest weight; null when not valid. */
  maxWeight: number | null;
  /** Softmax: Frobenius norm of the Jacobian of the weights by `shifted`; null when not valid. */
  jacobianNorm: number | null;
}

export interface Jacobian {
  /** (n, n) p_i (δ_ij − p_j) */
  matrix: Matrix;
  rowSums: number[];
  /** √(Σp² − 2Σp³ + (Σp²)²) */
  norm: number;
}

export interface AttentionTrace {
  /** (T_q, T_k) q·k, divided by √d_k where scaled, before the mask */
  scores: Matrix;
  /** (T_q, T_k); hidden pairs exactly 0 */
  weights: Matrix;
  /** (T_q, d_v) */
  output: Matrix;
  /** Entropy of each row ÷ ln(visible keys) */
  entropy: number[];
}

export interface Spread {
  /** Standard deviation of all products of the run. */
  std: number;
  /** Means over the rows. */
  maxWeight: number;
  entropy: number;
  jacobianNorm: number;
  jacobianNormMedian: number;
  /** Share of all pairs of scores in a row that differ by more than 10, and by more than 20. */
  gapAbove10: number;
  gapAbove20: number;
  /** counts[i] products fell in [lo + i·w, lo + (i+1)·w), w = (hi − lo) / counts.length; what lies outside is in below and above. */
  histogram: {lo: number; hi: number; counts: number[]; below: number; above: number};
}

export interface VarianceOptions {
  /** Dimensions d of q and k, 1 … 4096. */
  dims: number[];
  /** Unsigned 32-bit. */
  seed: number;
  /** Rows of scores for each dimension. */
  samples: number;
  /** Keys in a row, 2 … 64. */
  keys: number;
}

export interface VarianceRow {
  d: number;
  raw: Spread;
  scaled: Spread;
}

export interface DivisorRow {
  divisor: number;
  weights: number[];
  maxWeight: number;
  entropy: number;
  /** Standard deviation of a product of unit-variance vectors after this divisor: √d ÷ divisor. */
  std: number;
}

export interface InitSweepRow {
  d: number;
  /** Measured standard deviation of the logits over visible entries, unscaled. */
  std: number;
  /** σ²·d^1.5 */
  predicted: number;
  /** √d, what unit variance would give. */
  unitVariance: number;
  entropy: number;
  jacobianNorm: number;
}

/** How hidden scores are kept from counting; only `infinity` is right. */
export type Masking =
  /** −∞ is added before softmax. */
  | 'infinity'
  /** The score is replaced by 0. */
  | 'zero'
  /** Softmax over all keys, then hidden weights are set to 0. */
  | 'after'
  /** −10⁹ is added where hidden, all in bfloat16. */
  | 'bfloat16'
  /** (1 − m)·(−10⁹) is added everywhere, all in float16, where −10⁹ is −∞. */
  | 'float16';

/** What becomes of a row with nothing to see: no weight at all, itself, or all keys alike. */
export type EmptyRow = 'zero' | 'self' | 'mean';

export interface PastRules {
  /** Sequence number of each position; −1 is a filler, which nobody sees. */
  sequence: readonly number[];
  /** A query sees the last so many positions, its own among them. */
  window: number;
  /** Only positions of its own sequence. */
  insideSequence: boolean;
  /** Fillers have queries too. */
  paddingAsks: boolean;
  /** Visible and hidden exchanged. */
  inverted: boolean;
}

export interface MaskedRow {
  /** Keys that the query may see. */
  visible: number;
  /** A row of numbers; else its scores and weights are 0. */
  defined: boolean;
  /** Of the weights. */
  sum: number;
  /** The part of the sum that lies on hidden keys. */
  hiddenShare: number;
}

export interface MaskedTrace {
  /** (T, T) as they enter softmax; −Infinity where nothing is left */
  scores: Matrix;
  /** (T, T) */
  weights: Matrix;
  /** One a query. */
  rows: MaskedRow[];
}

/** The numbers of entries; 0 where one is not 'ok'. */
export const valuesOf = (entries: readonly Entry[]): number[] => entries.map(({value}) => value);

/** Arguments and results cross the boundary in the order in which they are declared: wasm/buffer.h. */
export interface Core {
  exp(x: number): number;
  log(x: number): number;
  weigh(scores: readonly number[], options?: Partial<WeighOptions>): WeighTrace;
  /** Of probabilities that sum to 1. */
  jacobian(probabilities: readonly number[]): Jacobian;
  attention(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    options: {scaled: boolean; mask: Mask},
  ): AttentionTrace;
  /** The same projections cut by columns into `heads` equal parts; outputs joined again (T, d_v). */
  multiHead(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    options: {heads: number; scaled: boolean; mask: Mask},
  ): {heads: AttentionTrace[]; output: Matrix};
  /** (T, T) 0 = visible, −Infinity = hidden; rows may have nothing to see. */
  pastMask(rules: PastRules): Matrix;
  /** From (T, T) scores and such a mask to weights, the right way or a wrong one. */
  maskedWeights(
    scores: Matrix,
    mask: Matrix,
    options: {masking: Masking; emptyRow: EmptyRow},
  ): MaskedTrace;
  /** x · w, every element summed over k in order. */
  product(x: Matrix, w: Matrix): Matrix;
  /** Cosine of two vectors of one length. */
  cosine(a: readonly number[], b: readonly number[]): number;
  variance(options: VarianceOptions): VarianceRow[];
  /** One row of scores under ÷1, ÷√d and ÷d. */
  divisors(scores: readonly number[], d: number): DivisorRow[];
  /** Untrained one-head model (T = 32, batch 8, vocabulary 300, LayerNorm, causal), d_model = d. */
  initSweep(options: {dims: number[]; sigma: number; seed: number}): InitSweepRow[];
}

const weighDefaults: WeighOptions = {
  method: 'softmax',
  temperature: 1,
  offset: 0,
  precision: 'float64',
  stable: true,
};

const methods = ['share', 'shift', 'softmax'];
const precisions = ['float64', 'float32'];
const maskings = ['infinity', 'zero', 'after', 'bfloat16', 'float16'];
const emptyRows = ['zero', 'self', 'mean'];
const statuses: Status[] = ['ok', 'overflow', 'undefined'];

const status: Read<Status> = (from) => statuses[number(from)]!;
const entry = record<Entry>({value: number, status});

const weighTrace = record<WeighTrace>({
  scores: list(entry),
  shift: entry,
  shifted: list(entry),
  parts: list(entry),
  sum: entry,
  weights: list(entry),
  defined: flag,
  valid: flag,
  entropy: orNull,
  maxWeight: orNull,
  jacobianNorm: orNull,
});

const jacobian = record<Jacobian>({matrix: matrixOf, rowSums: numbers, norm: number});

const attentionTrace = record<AttentionTrace>({
  scores: matrixOf,
  weights: matrixOf,
  output: matrixOf,
  entropy: numbers,
});

const maskedTrace = record<MaskedTrace>({
  scores: matrixOf,
  weights: matrixOf,
  rows: list(record<MaskedRow>({visible: number, defined: flag, sum: number, hiddenShare: number})),
});

const spread = record<Spread>({
  std: number,
  maxWeight: number,
  entropy: number,
  jacobianNorm: number,
  jacobianNormMedian: number,
  gapAbove10: number,
  gapAbove20: number,
  histogram: record<Spread['histogram']>({
    lo: number,
    hi: number,
    counts: numbers,
    below: number,
    above: number,
  }),
});

const divisorRow = record<DivisorRow>({
  divisor: number,
  weights: numbers,
  maxWeight: number,
  entropy: number,
  std: number,
});

const initSweepRow = record<InitSweepRow>({
  d: number,
  std: number,
  predicted: number,
  unitVariance: number,
  entropy: number,
  jacobianNorm: number,
});

/** Starts the core from the bytes of attn_core.wasm; the same call in a page, a worker and Node. */
export async function loadCore(source: {wasmBinary: ArrayBuffer | Uint8Array}): Promise<Core> {
  const raw = await instantiate<RawModule>(source.wasmBinary);
  const call = caller(raw);

  return {
    exp: raw.expOf,
    log: raw.logOf,
    weigh: (scores, options) => {
      const {method, temperature, offset, precision, stable} = {...weighDefaults, ...options};
      return call(
        raw.weigh,
        new Arguments()
          .numbers('scores', scores)
          .choice('method', method, methods)
          .number('temperature', temperature)
          .number('offset', offset)
          .choice('precision', precision, precisions)
          .flag('stable', stable),
        weighTrace,
      );
    },
    jacobian: (probabilities) =>
      call(raw.jacobian, new Arguments().numbers('probabilities', probabilities), jacobian),
    attention: (q, k, v, {scaled, mask}) =>
      call(
        raw.attention,
        new Arguments()
          .matrix('q', q)
          .matrix('k', k)
          .matrix('v', v)
          .flag('scaled', scaled)
          .mask(mask),
        attentionTrace,
      ),
    multiHead: (q, k, v, {heads, scaled, mask}) =>
      call(
        raw.multiHead,
        new Arguments()
          .matrix('q', q)
          .matrix('k', k)
          .matrix('v', v)
          .number('heads', heads)
          .flag('scaled', scaled)
          .mask(mask),
        record({heads: list(attentionTrace), output: matrixOf}),
      ),
    pastMask: ({sequence, window, insideSequence, paddingAsks, inverted}) =>
      call(
        raw.pastMask,
        new Arguments()
          .numbers('sequence', sequence)
          .number('window', window)
          .flag('insideSequence', insideSequence)
          .flag('paddingAsks', paddingAsks)
          .flag('inverted', inverted),
        matrixOf,
      ),
    maskedWeights: (scores, mask, {masking, emptyRow}) =>
      call(
        raw.maskedWeights,
        new Arguments()
          .matrix('scores', scores)
          .matrix('mask', mask)
          .choice('masking', masking, maskings)
          .choice('emptyRow', emptyRow, emptyRows),
        maskedTrace,
      ),
    product: (x, w) => call(raw.product, new Arguments().matrix('x', x).matrix('w', w), matrixOf),
    cosine: (a, b) => call(raw.cosine, new Arguments().numbers('a', a).numbers('b', b), number),
    variance: ({dims, seed, samples, keys}) =>
      call(
        raw.variance,
        new Arguments()
          .numbers('dims', dims)
          .number('seed', seed)
          .number('samples', samples)
          .number('keys', keys),
        list(record<VarianceRow>({d: number, raw: spread, scaled: spread})),
      ),
    divisors: (scores, d) =>
      call(
        raw.divisors,
        new Arguments().numbers('scores', scores).number('d', d),
        list(divisorRow),
      ),
    initSweep: ({dims, sigma, seed}) =>
      call(
        raw.initSweep,
        new Arguments().numbers('dims', dims).number('sigma', sigma).number('seed', seed),
        list(initSweepRow),
      ),
  };
}
