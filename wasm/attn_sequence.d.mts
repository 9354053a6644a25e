// The module for functions of a sequence, such as positions; only web/sequence.ts uses it.
import type {CreateModule, Matrix, Raw} from './raw.mjs';

/** Layers of multi-head attention under a causal mask; all have the same weights, (d, d) each. */
export interface Decoder {
  wQ: Matrix;
  wK: Matrix;
  wV: Matrix;
  wO: Matrix;
  heads: number;
  layers: number;
}

/** One pass of a generation; its output determines the next token. */
export interface DecodeStep {
  /** The number of tokens when the pass begins. */
  known: number;
  /** Tokens whose K and V this pass computes, in every layer. */
  computed: number;
  /** The number of those tokens whose K and V an earlier pass had computed. */
  repeated: number;
  /** Index of the token whose query predicts the next token: the last token. */
  asking: number;
  /** (1, d) output of that query; bit for bit the same with the cache and without it. */
  output: Matrix;
}

/** The scores of one query with t tokens, of which only latent vectors are stored. */
/** Numbers that one layer caches for a token, both ways. */
export interface LatentSizes {
  /** heads · width */
  keys: number;
  /** Keys and values of every head. */
  whole: number;
  /** rank + rope */
  kept: number;
  /** kept ÷ whole */
  share: number;
}

export interface LatentScores {
  /** (t, d) made from the latents and turned by their positions */
  keys: Matrix;
  /** The turned query times each key. */
  expanded: number[];
  /**
   * (t, r) the query folded into latent space for each latent j: up-projection, and rotation by the
   * distance
   */
  folded: Matrix;
  /** Each latent vector times its own folded query. */
  each: number[];
  /** Every latent vector times the folded query of distance 0. */
  once: number[];
  /** Largest differences from `expanded`. */
  eachError: number;
  onceError: number;
}

/** A softmax whose weights may sum to less than 1. */
export interface SinkTrace {
  /** e^s ÷ (e^sink + Σ e^s) */
  weights: number[];
  /** The weight of the sink, which belongs to no token. */
  sinkWeight: number;
  /** Σ weights. */
  total: number;
  /** gate × weights. */
  taken: number[];
  takenTotal: number;
  /** ∂ total / ∂ sink */
  slope: number;
}

/** Query heads that share keys and values. */
export interface GroupedTrace {
  /** (T, T) of each query head. */
  weights: Matrix[];
  /** (T, heads · d_v) the heads' outputs side by side, before W_O. */
  output: Matrix;
}

/** A recurrent state, one row a token. */
export interface Recurrence {
  states: Matrix;
  /** ‖∂h_t/∂h_1‖ ÷ √d_h: the share of a change of the first state that reaches each step. */
  reach: number[];
}

/** The cost of reading tokens one after another in one layer. */
export interface SerialCost {
  /** Steps that must run one after another. */
  steps: number;
  /** Updates of the first token's part of the state until the last token is read. */
  updates: number;
  /** The share of the first token's part that remains, if each update keeps the same share. */
  left: number;
}

/** One pass of attention. */
export interface AttentionTrace {
  /** (T_q, T_k) Q Kᵀ ÷ √d_k */
  scores: Matrix;
  /** (T_q, T_k) rows sum to 1 */
  weights: Matrix;
  /** (T_q, d_v) */
  output: Matrix;
  /** (T_q) entropy of each row ÷ ln(visible keys) */
  entropy: number[];
}

/** Gradients of a loss in the order in which they are computed. */
export interface BackwardTrace {
  forward: AttentionTrace;
  /** (T_k, d_v) Pᵀ dO */
  dValues: Matrix;
  /** (T_q, T_k) dO Vᵀ */
  dWeights: Matrix;
  /** (T_q) mean of each row of dP under the weights */
  rowDots: number[];
  /** (T_q, T_k) P ∘ (dP − mean) */
  dScores: Matrix;
  /** (T_q, d_k) dS K ÷ √d_k */
  dQueries: Matrix;
  /** (T_k, d_k) dSᵀ Q ÷ √d_k */
  dKeys: Matrix;
}

/** The same gradients, measured by central differences. */
export interface GradientCheck {
  dQueries: Matrix;
  dKeys: Matrix;
  dValues: Matrix;
  /** Largest differences from the formulas. */
  queriesError: number;
  keysError: number;
  valuesError: number;
  /** Each number is changed by this, up and down. */
  step: number;
  tolerance: number;
}

export interface Backward {
  trace: BackwardTrace;
  check: GradientCheck;
}

/** The state of an online softmax after one block. */
export interface OnlineBlock {
  /** Scores of the block: begin … end − 1. */
  begin: number;
  end: number;
  blockMax: number;
  /** Largest score so far. */
  max: number;
  /** e^(old max − max), factor of the old sum; 0 at the first block. */
  correction: number;
  /** Σ e^(s − max) over the block. */
  blockSum: number;
  /** old sum × correction + blockSum */
  sum: number;
}

export interface OnlineSoftmaxTrace {
  blocks: OnlineBlock[];
  weights: number[];
}

export interface TrafficOptions {
  /** Tokens. */
  n: number;
  /** Width of a head. */
  d: number;
  /** Over all layers and sequences. */
  heads: number;
  bytesPerValue: number;
  /** Queries that a tile keeps. */
  block: number;
  operationsPerSecond: number;
  bytesPerSecond: number;
}

/** Arithmetic and memory traffic of attention, over all heads. */
export interface Traffic {
  /** 4 n² d */
  operations: number;
  /** Q, K, V read and O written. */
  operandsBytes: number;
  /** Scores written and read, weights written and read. */
  scoresBytes: number;
  standardBytes: number;
  /** Q read and O written once, K and V read once for each block. */
  tiledBytes: number;
  /** One table of n × n values. */
  squareBytes: number;
  arithmeticSeconds: number;
  standardSeconds: number;
  tiledSeconds: number;
}

/** The earlier positions that a query may see: any part allows it, 0 turns a part off. */
export interface SparseRule {
  /** The last positions, its own included; at least 1. */
  window: number;
  /** Distances that are a multiple of it. */
  stride: number;
  /** The first positions of the text. */
  global: number;
}

export interface TileOptions {
  /** Tokens, and the width of a head. */
  n: number;
  d: number;
  /** Queries and keys of a tile. */
  block: number;
  rule: SparseRule;
  seed: number;
}

/** A block of queries after one tile; a query that has seen no key has sum 0. */
export interface Tile {
  /** Queries of the tile: begin … end − 1; keys likewise. */
  queryBegin: number;
  queryEnd: number;
  keyBegin: number;
  keyEnd: number;
  /** Visible pairs; at 0 the tile is skipped. */
  pairs: number;
  /** (queries, keys) e^(s − max), 0 where hidden. */
  terms: Matrix;
  /** Largest score of each query before the tile, and with it. */
  before: number[];
  max: number[];
  /** Σ e^(s − max) so far. */
  sum: number[];
  /** (queries, d) Output from the keys so far. */
  output: Matrix;
}

export interface TiledTrace {
  tiles: Tile[];
  /** (n, d) */
  output: Matrix;
  /** Most numbers kept at once. */
  held: number;
}

export interface TileWalk {
  trace: TiledTrace;
  /** (n, n) 0 or −∞. */
  mask: Matrix;
  /** (n, d) of attention that keeps the whole table. */
  output: Matrix;
  /** The largest difference between the two outputs. */
  difference: number;
}

export type StorageFormat = 'float32' | 'float16' | 'bfloat16' | 'e4m3' | 'e5m2';

/** The layout and the limits of a format. */
export interface FormatLimits {
  exponentBits: number;
  /** Bits after the leading 1, which is not stored. */
  fractionBits: number;
  /** The stored exponent is the power of 2 plus this. */
  bias: number;
  max: number;
  /** The smallest number with all digits. */
  minNormal: number;
  minSubnormal: number;
  /** From 1 to the next number. */
  epsilon: number;
  /** ln max */
  expLimit: number;
}

export interface StoredNumber {
  bits: number;
  kind: 'zero' | 'subnormal' | 'normal' | 'infinity' | 'nan';
  negative: boolean;
  /** 0 for a kind that is no number. */
  value: number;
  /** value = ±significand · 2^exponent */
  exponent: number;
  significand: number;
  /** The next numbers of the format; the value itself at the ends of the range. */
  below: number;
  above: number;
}

/** A sum of equal terms, one after another, each partial sum rounded. */
export interface RoundedSum {
  /** After count ÷ points, 2 · count ÷ points, … terms. */
  partial: number[];
  total: number;
  /** Terms that changed the sum. */
  added: number;
}

/** The calls of the module. */
export interface Sequence {
  /**
   * Rows turned by their positions: of the first `rotated` columns, pair (2i, 2i+1) by
   * position · base^(−2i/rotated) radians; (T, d).
   */
  rotate(x: Matrix, options: {positions: readonly number[]; rotated: number; base: number}): Matrix;
  /** Rows with the sinusoidal codes of their positions added: sine and cosine by turns; (T, d). */
  addSinusoidal(x: Matrix, options: {positions: readonly number[]; base: number}): Matrix;
  /** Positions after which each pair of d columns repeats: 2π · base^(2i/d); (d/2). */
  wavelengths(d: number, base: number): number[];
  /** Adds the table's rows to the rows by position; refuses a position beyond the table; (T, d). */
  addTableRows(x: Matrix, table: Matrix, positions: readonly number[]): Matrix;
  /** Independent normal numbers with mean 0; (rows, cols). */
  normalMatrix(options: {
    rows: number;
    cols: number;
    std: number;
    seed: number;
    stream: number;
  }): Matrix;
  /** q_t · k_t for every row t; (T). */
  rowProducts(q: Matrix, k: Matrix): number[];
  /** q_t · k_t ÷ √d for every row t; (T). */
  rowScores(q: Matrix, k: Matrix, d: number): number[];
  /** Euclidean, of two vectors of one length. */
  distance(a: readonly number[], b: readonly number[]): number;

  /**
   * Replays a generation of `generated` tokens after the first `prompt`, one pass each, with or
   * without a KV cache; (n, d) tokens, n ≥ prompt + generated − 1.
   */
  decode(
    tokens: Matrix,
    decoder: Decoder,
    options: {prompt: number; generated: number; cached: boolean},
  ): DecodeStep[];

  /** The mean of the heads of each group; (T, heads · width) to (T, groups · width). */
  poolHeads(kept: Matrix, options: {heads: number; groups: number}): Matrix;

  /**
   * Query heads in groups that share keys and values: (T, heads · d_k), (T, groups · d_k) and
   * (T, groups · d_v); scaled, under a causal mask.
   */
  groupedQuery(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    options: {heads: number; groups: number},
  ): GroupedTrace;

  /**
   * A query (d) at the last of t positions against keys `latents` (t, r) · `up` (r, d), of which the
   * first `rotated` columns turn with their positions, as the query's do.
   */
  latentScores(
    query: readonly number[],
    latents: Matrix,
    up: Matrix,
    options: {rotated: number; base: number},
  ): LatentScores;
  /** Heads, width and rank are at least 1, rope at least 0. */
  latentSizes(options: {heads: number; width: number; rank: number; rope: number}): LatentSizes;
  /** Softmax with a logit in the denominator that belongs to no token; the gate is 0 … 1. */
  softmaxWithSink(scores: readonly number[], options: {sink: number; gate: number}): SinkTrace;
  /** h_t = tanh(x_t W_x + h_{t−1} W_h), from h_0 = 0. */
  recurrence(x: Matrix, weights: {input: Matrix; state: Matrix}): Recurrence;
  serialCost(length: number, keep: number): SerialCost;

  /**
   * The way back through scaled attention without a mask, for a gradient of the output (T_q, d_v),
   * and its check. A term that is left out makes the gradients wrong.
   */
  backward(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    dOutput: Matrix,
    leftOut: 'nothing' | 'mean' | 'scale',
  ): Backward;
  /** Softmax of a row that is read block by block. */
  onlineSoftmax(scores: readonly number[], block: number): OnlineSoftmaxTrace;
  attentionTraffic(options: TrafficOptions): Traffic;
  /** The visible pairs among n tokens. */
  sparsePairs(n: number, rule: SparseRule): number;
  /** Attention tile by tile over normal Q, K and V of a seed. */
  tileWalk(options: TileOptions): TileWalk;

  formatLimits(format: StorageFormat): FormatLimits;
  /** The nearest number of the format, ties to even. */
  storedNumber(x: number, format: StorageFormat): StoredNumber;
  /** The number that the bits stand for; refuses bits beyond the format's. */
  numberOfBits(bits: number, format: StorageFormat): StoredNumber;
  /** The sum of `count` equal terms, with `points` of its partial sums. */
  roundedSum(term: number, count: number, points: number, format: StorageFormat): RoundedSum;
  /** The number of scores whose exponential is beyond the format. */
  expOverflows(scores: readonly number[], format: StorageFormat): number;
}

declare const createModule: CreateModule<Raw<Sequence>>;
export default createModule;
