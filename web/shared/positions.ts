// The effect of positions on scores and outputs, for the widget and its lesson: one query and one
// key at a fixed distance at any place, and the teaching sentence in another order.

import {matrix, rowsOf, type Core, type Matrix} from '../core.js';
import type {Sequence} from '../sequence.js';

export type PositionKind = 'none' | 'sinusoidal' | 'learnt' | 'rotary';

/** The ways to add positions to a head. */
export interface Coding {
  kind: PositionKind;
  /** Rotated columns of q and k; rotary only. */
  rotated: number;
}

/** The number of rows of the learnt table. */
export const PLACES = 64;
export const BASE = 10000;
export const SEED = 3;

/** Vectors of one seed: two tokens, the projections of one head, and a table of positions. */
export interface Head {
  /** (1, d) each */
  queryToken: Matrix;
  keyToken: Matrix;
  /** (d, d); (PLACES, d) */
  W_Q: Matrix;
  W_K: Matrix;
  W_V: Matrix;
  table: Matrix;
}

/** Components of x and of q, k, v have variance 1, those of the table ½, as a sine's. */
export function headOf(sequence: Sequence, dim: number, seed = SEED): Head {
  const draw = (rows: number, std: number, stream: number) =>
    sequence.normalMatrix({rows, cols: dim, std, seed, stream});
  const projection = (stream: number) => draw(dim, 1 / Math.sqrt(dim), stream);
  return {
    queryToken: draw(1, 1, 0),
    keyToken: draw(1, 1, 1),
    W_Q: projection(2),
    W_K: projection(3),
    W_V: projection(4),
    table: draw(PLACES, Math.SQRT1_2, 5),
  };
}

/** A matrix that repeats a row. */
function repeated({data, cols}: Matrix, rows: number): Matrix {
  const all = new Float64Array(rows * cols);
  for (let row = 0; row < rows; row++) all.set(data, row * cols);
  return {data: all, rows, cols};
}

/** Token vectors plus the codes of their positions, for the kinds that add codes. */
export function coded(
  sequence: Sequence,
  x: Matrix,
  positions: readonly number[],
  kind: PositionKind,
  table: Matrix,
): Matrix {
  if (kind === 'sinusoidal') return sequence.addSinusoidal(x, {positions, base: BASE});
  return kind === 'learnt' ? sequence.addTableRows(x, table, positions) : x;
}

/** Queries or keys rotated by their positions, for the rotary kind. */
function turned(
  sequence: Sequence,
  x: Matrix,
  positions: readonly number[],
  {kind, rotated}: Coding,
): Matrix {
  return kind === 'rotary' ? sequence.rotate(x, {positions, rotated, base: BASE}) : x;
}

/** q·k ÷ √d of a query `offset` places after its key, one score for each place of the key. */
export function scoresAt(
  core: Core,
  sequence: Sequence,
  head: Head,
  coding: Coding,
  places: readonly number[],
  offset: number,
): number[] {
  const later = places.map((place) => place + offset);
  const project = (x: Matrix, w: Matrix, at: readonly number[]) =>
    turned(
      sequence,
      core.product(coded(sequence, repeated(x, at.length), at, coding.kind, head.table), w),
      at,
      coding,
    );
  const q = project(head.queryToken, head.W_Q, later);
  return sequence.rowScores(q, project(head.keyToken, head.W_K, places), head.queryToken.cols);
}

/**
 * The output of the query from the key's token and its own, rotary, one for each place of the key;
 * values rotated like the keys, or not rotated.
 */
export function fetchedAt(
  core: Core,
  sequence: Sequence,
  head: Head,
  rotated: number,
  places: readonly number[],
  offset: number,
  turnValues: boolean,
): number[][] {
  const both = matrix([[...head.keyToken.data], [...head.queryToken.data]]);
  const [q, k, v] = [
    core.product(head.queryToken, head.W_Q),
    core.product(both, head.W_K),
    core.product(both, head.W_V),
  ];
  return places.map((place) => {
    const at = [place, place + offset];
    const turn = (x: Matrix, positions: readonly number[]) =>
      sequence.rotate(x, {positions, rotated, base: BASE});
    return [
      ...core.attention(turn(q, at.slice(1)), turn(k, at), turnValues ? turn(v, at) : v, {
        scaled: true,
        mask: 'none',
      }).output.data,
    ];
  });
}

/** Both parts of a rotary score: from the rotated columns, and from the others. */
export function partsAt(
  core: Core,
  sequence: Sequence,
  head: Head,
  rotated: number,
  place: number,
  offset: number,
): readonly [turned: number, still: number] {
  const [all = 0] = scoresAt(core, sequence, head, {kind: 'rotary', rotated}, [place], offset);
  const tail = (x: Matrix, w: Matrix): Matrix => {
    const data = core.product(x, w).data.subarray(rotated);
    return {data, rows: 1, cols: data.length};
  };
  const cols = head.queryToken.cols;
  const [still = 0] =
    rotated < cols
      ? sequence.rowScores(tail(head.queryToken, head.W_Q), tail(head.keyToken, head.W_K), cols)
      : [];
  return [all - still, still];
}

/** Largest minus smallest value. */
export function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

/** Largest difference of two vectors, component by component. */
export function difference(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? 0))));
}

/**
 * Attention of vectors to one another (Q = K = V = X), layer upon layer, positions added before the
 * first layer or turned in each; rows in the order of `x`.
 */
export function stack(
  core: Core,
  sequence: Sequence,
  x: readonly (readonly number[])[],
  {kind, rotated}: Coding,
  {causal, layers, table}: {causal: boolean; layers: number; table: Matrix},
): number[][] {
  const positions = x.map((_, i) => i);
  let rows = coded(sequence, matrix(x), positions, kind, table);
  for (let layer = 0; layer < layers; layer++) {
    const q = turned(sequence, rows, positions, {kind, rotated});
    rows = core.attention(q, q, rows, {scaled: true, mask: causal ? 'causal' : 'none'}).output;
  }
  return rowsOf(rows);
}
