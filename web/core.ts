// The one file that sees the raw module attn_core: page, worker and Node get their `Core` here.

import createModule from '../build/wasm/attn_core.mjs';

/** Row-major matrix as it crosses the boundary: `data[r * cols + c]`. */
export interface Matrix {
  data: Float64Array;
  rows: number;
  cols: number;
}

export type Method = 'share' | 'shift' | 'softmax';
export type Precision = 'float64' | 'float32';

/**
 * What one entry of a trace is: a number, too large for the format, or undefined (a division by 0,
 * ∞ − ∞, ∞ ÷ ∞). Where it is not 'ok' the number beside it is 0: nothing is ever NaN or infinite.
 */
export type Status = 'ok' | 'overflow' | 'undefined';

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
  scores: number[];
  scoreStatus: Status[];
  /** What was subtracted: the minimum (shift), the maximum (stable softmax), else 0. */
  shift: number;
  shiftStatus: Status;
  /** scores − shift, divided by the temperature for softmax. */
  shifted: number[];
  shiftedStatus: Status[];
  /** What is shared out: the shifted scores themselves, or their exponentials. */
  parts: number[];
  partStatus: Status[];
  sum: number;
  sumStatus: Status;
  weights: number[];
  weightStatus: Status[];
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

export interface Core {
  exp(x: number): number;
  log(x: number): number;
  weigh(scores: readonly number[], options: WeighOptions): WeighTrace;
  /** Of probabilities that sum to 1. */
  jacobian(probabilities: readonly number[]): Jacobian;
  /** mask: 'none', 'causal', 'self', or (T_q, T_k) with 0 = visible and −Infinity = hidden. */
  attention(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    options: {scaled: boolean; mask: 'none' | 'causal' | 'self' | Matrix},
  ): AttentionTrace;
  /** The same projections cut by columns into `heads` equal parts; outputs joined again (T, d_v). */
  multiHead(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    options: {heads: number; scaled: boolean; mask: 'none' | 'causal' | 'self' | Matrix},
  ): {heads: AttentionTrace[]; output: Matrix};
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

/** Thrown when the core refuses an argument ('invalid_argument') or fails ('internal'). */
export class CoreError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'CoreError';
    this.code = code;
  }
}

/** A matrix from its rows, all of one length. */
export function matrix(rows: readonly (readonly number[])[]): Matrix {
  const cols = rows[0]?.length ?? 0;
  rows.forEach((row, index) => {
    if (row.length !== cols) {
      throw new CoreError(
        'invalid_argument',
        `rows[${index}]: expected ${cols} numbers, got ${row.length}`,
      );
    }
  });
  return {data: Float64Array.from(rows.flat()), rows: rows.length, cols};
}

/** The rows of a matrix. */
export function rowsOf({data, rows, cols}: Matrix): number[][] {
  return Array.from({length: rows}, (_, row) =>
    Array.from(data.subarray(row * cols, (row + 1) * cols)),
  );
}

/** The result of a raw call, or the error it stands for; for this file and cache.ts. */
export function unwrap<Result>(result: unknown): Result {
  const {error} = result as {error?: {code: string; message: string}};
  if (error) throw new CoreError(error.code, error.message);
  return result as Result;
}

/** Starts the core from the bytes of attn_core.wasm; the same call in a page, a worker and Node. */
export async function loadCore(source: {wasmBinary: ArrayBuffer | Uint8Array}): Promise<Core> {
  const raw = await createModule({wasmBinary: source.wasmBinary});
  return {
    exp: raw.exp,
    log: raw.log,
    weigh: (scores, options) => unwrap(raw.weigh(scores, options)),
    jacobian: (probabilities) => unwrap(raw.jacobian(probabilities)),
    attention: (q, k, v, options) => unwrap(raw.attention(q, k, v, options)),
    multiHead: (q, k, v, options) => unwrap(raw.multiHead(q, k, v, options)),
    product: (x, w) => unwrap(raw.product(x, w)),
    cosine: (a, b) => unwrap(raw.cosine(a, b)),
    variance: (options) => unwrap(raw.variance(options)),
    divisors: (scores, d) => unwrap(raw.divisors(scores, d)),
    initSweep: (options) => unwrap(raw.initSweep(options)),
  };
}
