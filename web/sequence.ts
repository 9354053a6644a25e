// The one file that sees the raw module attn_sequence: what tokens in a row need beside attention
// itself, positions for one.

import createModule from '../build/wasm/attn_sequence.mjs';
import {Arguments, caller, matrixOf, number, numbers, record, type Matrix} from './buffer.js';

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
  /** h_t = tanh(x_t W_x + h_{t−1} W_h), from h_0 = 0. */
  recurrence(x: Matrix, weights: {input: Matrix; state: Matrix}): Recurrence;
  serialCost(length: number, keep: number): SerialCost;
}

/** Starts the module from the bytes of attn_sequence.wasm; the same call in a page, a worker and Node. */
export async function loadSequence(source: {wasmBinary: ArrayBuffer | Uint8Array}): Promise<Sequence> {
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
    recurrence: (x, {input, state}) =>
      call(
        raw.recurrence,
        new Arguments().matrix('x', x).matrix('w_x', input).matrix('w_h', state),
        record({states: matrixOf, reach: numbers}),
      ),
    serialCost: (length, keep) =>
      call(
        raw.serialCost,
        new Arguments().number('length', length).number('keep', keep),
        record({steps: number, updates: number, left: number}),
      ),
  };
}
