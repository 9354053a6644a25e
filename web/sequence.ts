// The one file that sees the raw module attn_sequence: what tokens in a row need beside attention
// itself, positions for one.

import createModule from '../build/wasm/attn_sequence.mjs';
import {Arguments, caller, list, matrixOf, number, record, type Matrix} from './buffer.js';

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

/** Arguments and results cross the boundary in the order in which they are declared: wasm/buffer.h. */
export interface Sequence {
  /**
   * Rows turned by their positions: of the first `rotated` columns, pair (2i, 2i+1) by
   * position · base^(−2i/rotated) radians; (T, d).
   */
  rotate(x: Matrix, options: {positions: readonly number[]; rotated: number; base: number}): Matrix;

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
  };
}
