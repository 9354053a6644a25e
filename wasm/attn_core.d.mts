// The module that every page with widgets loads; only web/core.ts uses it.
import type {CreateModule, Matrix, Raw} from './raw.mjs';

/** (T_q, T_k) with 0 = visible and −Infinity = hidden, or the name of a mask without numbers. */
export type Mask = 'none' | 'causal' | 'self' | Matrix;

export type Method = 'share' | 'shift' | 'softmax';
export type Precision = 'float64' | 'float32';

/** `overflow`: too large for the format; `undefined`: a division by 0, ∞ − ∞ or ∞ ÷ ∞. */
export type Status = 'ok' | 'overflow' | 'undefined';

/** The result of one step. `value` is 0 unless the status is 'ok', and is never NaN or infinite. */
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
  /**
   * The number subtracted from each score: the minimum (shift), the maximum (stable softmax), else
   * 0.
   */
  shift: Entry;
  /** scores − shift, divided by the temperature for softmax. */
  shifted: Entry[];
  /**
   * The terms whose shares are the weights: the shifted scores themselves, or their exponentials.
   */
  parts: Entry[];
  /** The sum of the parts. */
  sum: Entry;
  weights: Entry[];
  /** All weights are numbers. */
  defined: boolean;
  /** The weights are all numbers, ≥ 0, and sum to 1 (up to rounding): an average can use them. */
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

/** The ways to hide scores; only `infinity` is right. */
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

/** The weights of a row that sees no key: all 0, all on itself, or equal on all keys. */
export type EmptyRow = 'zero' | 'self' | 'mean';

export interface PastRules {
  /** Sequence number of each position; −1 is a filler, which no query sees. */
  sequence: readonly number[];
  /** A query sees this many positions up to and including its own. */
  window: number;
  /** A query sees only positions of its own sequence. */
  insideSequence: boolean;
  /** Fillers are queries too. */
  paddingAsks: boolean;
  /** Visible and hidden pairs are exchanged. */
  inverted: boolean;
}

export interface MaskedRow {
  /** The number of keys that the query may see. */
  visible: number;
  /** All numbers of the row are finite; otherwise its scores and weights are 0. */
  defined: boolean;
  /** The sum of the weights. */
  sum: number;
  /** The part of the sum that lies on hidden keys. */
  hiddenShare: number;
}

export interface MaskedTrace {
  /** (T, T) as they enter softmax; −Infinity for hidden pairs */
  scores: Matrix;
  /** (T, T) */
  weights: Matrix;
  /** One entry per query. */
  rows: MaskedRow[];
}

/** The calls of the module. */
export interface CoreCalls {
  exp(x: number): number;
  log(x: number): number;
  weigh(scores: readonly number[], options: WeighOptions): WeighTrace;
  /** Softmax at temperature 1, stable, in float64. */
  weighDefaults(): WeighOptions;
  /** Entropy of probabilities that sum to 1. */
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
  /** (T, T) 0 = visible, −Infinity = hidden; a row may have no visible key. */
  pastMask(rules: PastRules): Matrix;
  /** Weights from (T, T) scores and such a mask, by the right way of hiding or a wrong one. */
  maskedWeights(
    scores: Matrix,
    mask: Matrix,
    options: {masking: Masking; emptyRow: EmptyRow},
  ): MaskedTrace;
  /** x · w, every element summed over k in order. */
  product(x: Matrix, w: Matrix): Matrix;
  /** Cosine of two vectors of one length. */
  cosine(a: readonly number[], b: readonly number[]): number;
}

declare const createModule: CreateModule<Raw<CoreCalls>>;
export default createModule;
