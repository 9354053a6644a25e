// The one file that sees the raw module attn_sequence: what tokens in a row need beside attention
// itself, positions for one.

import type {RawModule} from '../wasm/attn_sequence.mjs';
import {Arguments, caller, instantiate, matrixOf, type Matrix} from './buffer.js';

/** Arguments and results cross the boundary in the order in which they are declared: wasm/buffer.h. */
export interface Sequence {
  /**
   * Rows turned by their positions: of the first `rotated` columns, pair (2i, 2i+1) by
   * position · base^(−2i/rotated) radians; (T, d).
   */
  rotate(
    x: Matrix,
    options: {positions: readonly number[]; rotated: number; base: number},
  ): Matrix;
}

/** Starts the module from the bytes of attn_sequence.wasm; the same call in a page, a worker and Node. */
export async function loadSequence(source: {wasmBinary: ArrayBuffer | Uint8Array}): Promise<Sequence> {
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
  };
}
