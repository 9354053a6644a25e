// The one file that sees the raw module attn_sequence: what tokens in a row need beside attention
// itself, positions for one.

import createModule from '../build/wasm/attn_sequence.mjs';
import {Arguments, caller, matrixOf, number, numbers, record, type Matrix} from './buffer.js';

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

/** Starts the module from the bytes of attn_sequence.wasm; the same call in a page, a worker and Node. */
export async function loadSequence(source: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Sequence> {
  const raw = await createModule({wasmBinary: source.wasmBinary});
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
