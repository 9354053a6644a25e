// Matrices as they cross between JavaScript and the core.

import type {Matrix} from '../build/wasm/raw.mjs';
import {CoreError} from './module.js';

export type {Matrix};

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
