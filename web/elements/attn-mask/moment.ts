// The picture of <attn-mask> at a moment: a row has four beats, and rows follow one another.

import {beat, mix, type Stop} from '../../shared/beats.js';
import type {Cell, MaskResult, MaskState, Mistake, Row} from './state.js';

/** The four beats of a row: scores, masking, powers of e, weights. */
export type Beat = 'score' | 'hide' | 'power' | 'weight';

const ORDER: readonly Beat[] = ['score', 'hide', 'power', 'weight'];
const LATE: readonly Beat[] = ['score', 'power', 'weight', 'hide'];

export const orderOf = (mistake: Mistake): readonly Beat[] => (mistake === 'after' ? LATE : ORDER);

export const BEATS = ORDER.length;

/**
 * A part of the walk for each row, in all blocks at once, since they have equally many; and one
 * more, at whose end the chosen row is shown.
 */
const partsOf = ({blocks: [first = []]}: MaskResult) => first.length + 1;

/** A link and a slider round `at`; closer to a stop than this, in beats, is on it. */
const ON_STOP = 0.05;

/** How far a row (from 0) has come: 0 … 4, a beat each. */
export function placeOf({at}: MaskState, result: MaskResult, row: number): number {
  const place = Math.min(BEATS, Math.max(0, BEATS * (at * partsOf(result) - row)));
  const near = Math.round(place);
  return Math.abs(place - near) < ON_STOP ? near : place;
}

/** Four digits, so that links stay short. */
export const rounded = (at: number) => Number(at.toFixed(4));

/** A stop a beat; the last beat of a row has the row's name, as much of it as has room. */
export function stopsOf(result: MaskResult): Stop[] {
  const [first = []] = result.blocks;
  const letters = first.length > 5 ? 2 : 4;
  const parts = partsOf(result);
  const stops = first.flatMap(({label}, i) =>
    ORDER.map((_, k) => ({
      at: rounded((i + (k + 1) / BEATS) / parts),
      name: k === BEATS - 1 ? [...label].slice(0, letters).join('') : '',
    })),
  );
  return [...stops, {at: 1, name: '完'}];
}

/** The row that a step highlights; undefined at step 0. */
export function chosenRow({step}: MaskState, {blocks}: MaskResult): Row | undefined {
  return blocks.flat()[step - 1];
}

export interface Shown {
  /** Index of the block and of the row in it. */
  block: number;
  index: number;
  row: Row;
  rows: readonly Row[];
  place: number;
}

/**
 * The row that is explained: while rows are walked the one that has come last; afterwards the
 * chosen one, or, if none is chosen, the last that hides something.
 */
export function shownRow(state: MaskState, result: MaskResult): Shown {
  const {blocks} = result;
  const chosen = chosenRow(state, result);
  const block = Math.max(
    0,
    blocks.findIndex((rows) => chosen !== undefined && rows.includes(chosen)),
  );
  const rows = blocks[block] ?? [];
  const hiding = rows.findLastIndex(
    ({filler, cells}) => !filler && cells.some(({masked}) => masked),
  );
  const index =
    state.at < 1
      ? Math.max(
          0,
          rows.findLastIndex((_, i) => placeOf(state, result, i) > 0),
        )
      : chosen
        ? rows.indexOf(chosen)
        : hiding < 0
          ? rows.length - 1
          : hiding;
  return {block, index, row: rows[index] as Row, rows, place: placeOf(state, result, index)};
}

/** How far a beat of a row has come, 0 … 1. */
export function come(order: readonly Beat[], name: Beat, place: number): number {
  const k = order.indexOf(name);
  return beat(place, k, k + 1);
}

/** The token that a row has to predict, as a column of its block; −1 if there is none. */
export function answerOf({filler, sequence}: Row, index: number, rows: readonly Row[]): number {
  return !filler && rows[index + 1]?.sequence === sequence ? index + 1 : -1;
}

/** A part of a row's 100 %, from `from` to `to`. */
export interface Part {
  /** Index of the key; −1 for what no key has. */
  key: number;
  /**
   * kept: what it had without a mask; gained: what the mask freed for it; leak: on a key that the
   * correct mask hides; lost: taken away by masking too late; empty: not shared out.
   */
  kind: 'kept' | 'gained' | 'leak' | 'lost' | 'empty';
  from: number;
  to: number;
  /** Opacity, 0 … 1. */
  ink: number;
  /** For what the mask freed: how far it still is from its key, 1 … 0. */
  wait?: number;
}

/** A row under one way of masking. */
export interface Masked {
  order: readonly Beat[];
  defined: boolean;
  cells: readonly Pick<Cell, 'free' | 'weight' | 'masked' | 'leak'>[];
}

/**
 * The row's 100 % at a moment. Nothing comes from nowhere and nothing goes unseen: the freed part
 * is cut in the proportion of the weights, and its pieces travel to their keys.
 */
export function partsAt({order, defined, cells}: Masked, place: number): Part[] {
  if (!defined) return [];
  const power = come(order, 'power', place);
  const hide = come(order, 'hide', place);
  const share = come(order, 'weight', place);
  const late = order === LATE;
  const stage = late ? cells.map(({free}) => free) : stageOf(cells);
  const weights = late ? stage : cells.map(({weight}) => weight);
  const grows = weights.every((weight, j) => weight >= (stage[j] ?? 0) - 1e-12);
  const kept = stage.map((one, j) => (grows ? one : mix(one, weights[j] ?? 0, share)));
  const gained = weights.map((weight, j) => (grows ? weight - (stage[j] ?? 0) : 0));
  const keptSum = kept.reduce((sum, one) => sum + one, 0);
  const parts: Part[] = [];
  // Before the weights: all kept parts, then all gained ones. After them: key by key.
  let [first, second, final] = [0, keptSum, 0];
  cells.forEach(({masked, leak}, j) => {
    const [own, more] = [kept[j] ?? 0, gained[j] ?? 0];
    const at = mix(first, final, share);
    const lost = late && masked;
    const kind = leak || lost ? 'leak' : 'kept';
    if (own > 0)
      parts.push({key: j, kind, from: at, to: at + own, ink: power * (lost ? 1 - hide : 1)});
    if (lost && hide > 0) parts.push({key: j, kind: 'lost', from: at, to: at + own, ink: hide});
    const there = mix(second, final + own, share);
    if (more > 1e-12 && share > 0)
      parts.push({
        key: j,
        kind: leak ? 'leak' : 'gained',
        from: there,
        to: there + more,
        ink: power,
        wait: 1 - share,
      });
    first += own;
    second += more;
    final += own + more;
  });
  // The part that is not shared out yet, or never.
  const free = share > 0 ? second : keptSum;
  if (free < 1 - 1e-9) parts.push({key: -1, kind: 'empty', from: free, to: 1, ink: power});
  return parts;
}

/**
 * Powers as parts of the sum of all powers without a mask: weights divided by one number, which a
 * visible key tells.
 */
function stageOf(cells: Masked['cells']): number[] {
  const known = cells.find(({masked, weight}) => !masked && weight > 0);
  const factor = known ? known.free / known.weight : 1;
  return cells.map(({weight}) => weight * factor);
}

/** The share of a key at a moment, with and without its gain. */
export function barsAt(parts: readonly Part[], n: number): {kept: number; whole: number}[] {
  const bars = Array.from({length: n}, () => ({kept: 0, whole: 0}));
  for (const {key, kind, from, to, ink, wait = 0} of parts) {
    const bar = bars[key];
    if (!bar) continue;
    const size = kind === 'lost' ? (from - to) * ink : (to - from) * (1 - wait);
    bar.whole += size;
    if (kind !== 'gained') bar.kept += size;
  }
  return bars;
}
