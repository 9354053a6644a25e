// The module of the experiments behind ÷√d; only web/scaling.ts uses it.
import type {AttentionKind, CreateModule, Matrix, Raw} from './raw.mjs';

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

/** The calls of the module. */
export interface Scaling {
  variance(options: VarianceOptions): VarianceRow[];
  /** (stops, keys): sums of the first terms of q·k, for one query and its keys. */
  productWalks(options: {stops: number[]; seed: number; keys: number}): Matrix;
  /**
   * The first products of `variance` for one dimension, as bins of its scaled histogram: −1 below
   * it, the number of bins above it.
   */
  productBins(options: {d: number; seed: number; count: number; keys: number}): number[];
  /** One row of scores under ÷1, ÷√d and ÷d. */
  divisors(scores: readonly number[], d: number): DivisorRow[];
  /** Untrained one-head model (T = 32, batch 8, vocabulary 300, LayerNorm, causal), d_model = d. */
  initSweep(options: {dims: number[]; sigma: number; seed: number}): InitSweepRow[];
  /**
   * Factors of the values for one query: those of the keys that it may see, by their q·k, then that
   * of a hidden key; null where one is not a number.
   */
  rowWeights(products: readonly number[], kind: AttentionKind, d: number): (number | null)[];
  /** The exponent p of y ∝ x^p through two points. */
  logSlope(x0: number, y0: number, x1: number, y1: number): number;
}

declare const createModule: CreateModule<Raw<Scaling>>;
export default createModule;
