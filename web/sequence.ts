// The one file that sees the raw module attn_sequence: what tokens in a row need beside attention
// itself, positions for one.

import type {RawModule} from '../wasm/attn_sequence.mjs';
import {
  Arguments,
  caller,
  instantiate,
  list,
  matrixOf,
  number,
  numbers,
  record,
  type Matrix,
} from './buffer.js';

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

const latentScores = record<LatentScores>({
  keys: matrixOf,
  expanded: numbers,
  folded: matrixOf,
  each: numbers,
  once: numbers,
  eachError: number,
  onceError: number,
});

const sinkTrace = record<SinkTrace>({
  weights: numbers,
  sinkWeight: number,
  total: number,
  taken: numbers,
  takenTotal: number,
  slope: number,
});

/** Arguments and results cross the boundary in the order in which they are declared: wasm/buffer.h. */
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
  ): {
    /** (T, T) of each query head. */
    weights: Matrix[];
    /** (T, heads · d_v) the heads' outputs side by side, before W_O. */
    output: Matrix;
  };

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
}

const grouped = record<ReturnType<Sequence['groupedQuery']>>({
  weights: list(matrixOf),
  output: matrixOf,
});

const decodeStep = record<DecodeStep>({
  known: number,
  computed: number,
  repeated: number,
  asking: number,
  output: matrixOf,
});

/** Starts the module from the bytes of attn_sequence.wasm; the same call in a page, a worker and Node. */
export async function loadSequence(source: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Sequence> {
  const raw = await instantiate<RawModule>(source.wasmBinary);
  const call = caller(raw);

  return {
    rotate: (x, {positions, rotated, base}) =>
      call(
        raw.rotate,
        new Arguments()
          .matrix('x', x)
          .numbers('positions', positions)
          .number('rotated', rotated)
          .number('base', base),
        matrixOf,
      ),
    addSinusoidal: (x, {positions, base}) =>
      call(
        raw.addSinusoidal,
        new Arguments().matrix('x', x).numbers('positions', positions).number('base', base),
        matrixOf,
      ),
    wavelengths: (d, base) =>
      call(raw.wavelengths, new Arguments().number('d', d).number('base', base), numbers),
    addTableRows: (x, table, positions) =>
      call(
        raw.addTableRows,
        new Arguments().matrix('x', x).matrix('table', table).numbers('positions', positions),
        matrixOf,
      ),
    normalMatrix: ({rows, cols, std, seed, stream}) =>
      call(
        raw.normalMatrix,
        new Arguments()
          .number('rows', rows)
          .number('cols', cols)
          .number('std', std)
          .number('seed', seed)
          .number('stream', stream),
        matrixOf,
      ),
    rowProducts: (q, k) =>
      call(raw.rowProducts, new Arguments().matrix('q', q).matrix('k', k), numbers),

    decode: (tokens, {wQ, wK, wV, wO, heads, layers}, {prompt, generated, cached}) =>
      call(
        raw.decode,
        new Arguments()
          .matrix('tokens', tokens)
          .matrix('wQ', wQ)
          .matrix('wK', wK)
          .matrix('wV', wV)
          .matrix('wO', wO)
          .number('heads', heads)
          .number('layers', layers)
          .number('prompt', prompt)
          .number('generated', generated)
          .flag('cached', cached),
        list(decodeStep),
      ),

    poolHeads: (kept, {heads, groups}) =>
      call(
        raw.poolHeads,
        new Arguments().matrix('kept', kept).number('heads', heads).number('groups', groups),
        matrixOf,
      ),

    groupedQuery: (q, k, v, {heads, groups}) =>
      call(
        raw.groupedQuery,
        new Arguments()
          .matrix('q', q)
          .matrix('k', k)
          .matrix('v', v)
          .number('heads', heads)
          .number('groups', groups),
        grouped,
      ),

    latentScores: (query, latents, up, {rotated, base}) =>
      call(
        raw.latentScores,
        new Arguments()
          .numbers('query', query)
          .matrix('latents', latents)
          .matrix('up', up)
          .number('rotated', rotated)
          .number('base', base),
        latentScores,
      ),
    softmaxWithSink: (scores, {sink, gate}) =>
      call(
        raw.softmaxWithSink,
        new Arguments().numbers('scores', scores).number('sink', sink).number('gate', gate),
        sinkTrace,
      ),
  };
}
