// The module for tokens in a row, positions for one; web/sequence.ts alone sees it.
import type {CreateModule, Matrix, Raw} from './raw.mjs';

/** Layers of multi-head attention under a causal mask, alike in their weights, (d, d) each. */
export interface Decoder {
  wQ: Matrix;
  wK: Matrix;
  wV: Matrix;
  wO: Matrix;
  heads: number;
  layers: number;
}

/** One pass of a generation, from which one token follows. */
export interface DecodeStep {
  /** Tokens that are there when the pass begins. */
  known: number;
  /** Tokens whose K and V this pass computes, in every layer. */
  computed: number;
  /** Of these, those whose K and V an earlier pass had computed. */
  repeated: number;
  /** Index of the token whose query asks what comes next: the last one there. */
  asking: number;
  /** (1, d) what it is told; the same with the cache and without it, bit for bit. */
  output: Matrix;
}

/** The scores of one query with t tokens of which only latents are kept. */
export interface LatentScores {
  /** (t, d) made from the latents and turned by their positions */
  keys: Matrix;
  /** The turned query times each key. */
  expanded: number[];
  /** (t, r) what latent j has to meet: up-projection and the turn by the distance, moved to the query */
  folded: Matrix;
  /** Each latent with its own folded query. */
  each: number[];
  /** Every latent with the folded query of distance 0. */
  once: number[];
  /** Largest differences from `expanded`. */
  eachError: number;
  onceError: number;
}

/** Softmax that need not share out everything. */
export interface SinkTrace {
  /** e^s ÷ (e^sink + Σ e^s) */
  weights: number[];
  /** What goes to nobody. */
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
  /** ‖∂h_t/∂h_1‖ ÷ √d_h: how much of a change of the first state arrives at each step. */
  reach: number[];
}

/** What reading one token after the other costs a layer. */
export interface SerialCost {
  /** Steps that wait for one another. */
  steps: number;
  /** Updates of what the first token left, until the last token is read. */
  updates: number;
  /** What is left of it, where each update keeps the same share. */
  left: number;
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
  /** Rows with the table's rows of their positions added; refuses a position beyond the table; (T, d). */
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

  /**
   * Replays a generation of `generated` tokens after the first `prompt`, one pass each, with K and V
   * kept from pass to pass or not; (n, d) tokens, n ≥ prompt + generated − 1.
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
  /** Softmax with a logit in the denominator that belongs to no token; the gate is 0 … 1. */
  softmaxWithSink(scores: readonly number[], options: {sink: number; gate: number}): SinkTrace;
  /** h_t = tanh(x_t W_x + h_{t−1} W_h), from h_0 = 0. */
  recurrence(x: Matrix, weights: {input: Matrix; state: Matrix}): Recurrence;
  serialCost(length: number, keep: number): SerialCost;
}

declare const createModule: CreateModule<Raw<Sequence>>;
export default createModule;
