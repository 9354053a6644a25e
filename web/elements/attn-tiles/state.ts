// State, results and moments of <attn-tiles>.

import {rowsOf} from '../../core.js';
import {beat, mix, type Stop} from '../../shared/beats.js';
import type {Resources} from '../../shared/runtime.js';
import {choiceField, numberField, type Schema} from '../../shared/schema.js';
import type {SparseRule} from '../../sequence.js';

export const PATTERNS = ['causal', 'window', 'stride', 'global'] as const;
export type Pattern = (typeof PATTERNS)[number];

export interface TilesState {
  /** 词元数n */
  n: number;
  /** 一块有几个查询、几个键 */
  block: number;
  /** 看得见谁：全部更早的、最近几个、再隔几个看一个、再看开头 */
  pattern: Pattern;
  /** 走到哪里：0是还没开始，1是全部算完 */
  at: number;
}

export interface TileStep {
  queryBegin: number;
  queryEnd: number;
  keyBegin: number;
  keyEnd: number;
  /** Visible pairs; at 0 the tile is skipped. */
  pairs: number;
  /** e^(s − m) of each pair, 0 where hidden. */
  terms: number[][];
  /** Largest score of each query before and after the tile. */
  before: number[];
  max: number[];
  sum: number[];
  /** Output of each query, from the keys so far. */
  output: number[][];
}

export interface TilesResult {
  /** In the order in which they are computed. */
  walked: TileStep[];
  skipped: TileStep[];
  /** Per query and key. */
  visible: boolean[][];
  pairs: number;
  /** Numbers kept at once, and those of the whole table of scores. */
  held: number;
  table: number;
  /** The largest difference from attention that writes the table down. */
  difference: number;
  /** The largest |output|, for the scale of the picture. */
  most: number;
}

export const LENGTHS = {min: 4, max: 24, integer: true};
export const BLOCKS = {min: 1, max: 8, integer: true};
/** Width of the head. */
export const WIDTH = 4;
/** Numbers of the rules, small enough to be seen in a table of 24. */
export const WINDOW = 4;
export const STRIDE = 4;
export const GLOBAL = 2;
const SEED = 7;

function ruleOf({n, pattern}: TilesState): SparseRule {
  return {
    causal: {window: n, stride: 0, global: 0},
    window: {window: WINDOW, stride: 0, global: 0},
    stride: {window: WINDOW, stride: STRIDE, global: 0},
    global: {window: WINDOW, stride: 0, global: GLOBAL},
  }[pattern];
}

export const schema: Schema<TilesState> = {
  n: numberField(12, LENGTHS),
  block: numberField(4, BLOCKS),
  pattern: choiceField('causal', PATTERNS),
  at: numberField(0.8333, {min: 0, max: 1}),
};

export function compute({sequence}: Resources, state: TilesState): TilesResult {
  const {trace, mask, difference} = sequence.tileWalk({
    n: state.n,
    d: WIDTH,
    block: state.block,
    rule: ruleOf(state),
    seed: SEED,
  });
  const steps = trace.tiles.map((tile) => ({
    ...tile,
    terms: rowsOf(tile.terms),
    output: rowsOf(tile.output),
  }));
  const visible = rowsOf(mask).map((row) => row.map((entry) => entry === 0));
  return {
    walked: steps.filter(({pairs}) => pairs > 0),
    skipped: steps.filter(({pairs}) => pairs === 0),
    visible,
    pairs: steps.reduce((sum, {pairs}) => sum + pairs, 0),
    held: trace.held,
    table: state.n * state.n,
    difference,
    most: Math.max(...steps.flatMap(({output}) => output.flat().map(Math.abs))),
  };
}

export interface Moment {
  /** Index of the tile that is computed; −1 before the first. */
  index: number;
  /** How far its scores have come, and how far the sums have taken them in, 0 … 1. */
  come: number;
  taken: number;
  done: boolean;
}

/** Closer to a stop than this, in tiles, is on it. */
const ON_STOP = 0.02;

/** A tile has two beats: its scores are computed, then m, ℓ and the output take them in. */
export function momentOf({at}: TilesState, {walked}: TilesResult): Moment {
  const place = at * walked.length;
  const near = Math.round(place);
  const stopped = Math.abs(place - near) < ON_STOP;
  const index = Math.min(walked.length - 1, stopped ? near - 1 : Math.floor(place));
  if (index < 0) return {index, come: 0, taken: 0, done: false};
  const share = stopped ? 1 : place - index;
  const done = stopped && index === walked.length - 1;
  return {index, come: beat(share, 0, 0.5), taken: beat(share, 0.5, 1), done};
}

/** Index of the tile before on the same queries, or −1. */
const beforeOf = (walked: readonly TileStep[], index: number) =>
  walked[index - 1]?.queryBegin === walked[index]?.queryBegin ? index - 1 : -1;

export type OutputRow = {
  /** Not begun, in hand, or written back. */
  stage: 'later' | 'now' | 'written';
  values: number[];
};

/** The rows of the output as they stand. */
export function outputRows(state: TilesState, result: TilesResult): OutputRow[] {
  const {walked} = result;
  const {index, taken, done} = momentOf(state, result);
  const now = walked[index];
  return Array.from({length: state.n}, (_, i): OutputRow => {
    const last = walked.findLast(({queryBegin, queryEnd}) => queryBegin <= i && i < queryEnd);
    const at = i - (last?.queryBegin ?? 0);
    if (!now || !last || i >= now.queryEnd) return {stage: 'later', values: []};
    if (done || i < now.queryBegin) return {stage: 'written', values: last.output[at] ?? []};
    const old = walked[beforeOf(walked, index)]?.output[at];
    const values = (now.output[at] ?? []).map((value, c) => mix(old?.[c] ?? 0, value, taken));
    return {stage: 'now', values};
  });
}

export function stopsOf({walked}: TilesResult): Stop[] {
  // A phone has room for four names.
  const every = Math.ceil(walked.length / 4);
  const named = (i: number) => (i + 1) % every === 0 && i + every / 2 < walked.length - 1;
  return [
    {at: 0, name: ''},
    ...walked.map((_, i) => ({
      at: placeOf(i, walked.length),
      name: i === walked.length - 1 ? '算完' : named(i) ? `第${i + 1}块` : '',
    })),
  ];
}

/** The playhead's place after a tile. */
export function placeOf(index: number, count: number): number {
  return Number(((index + 1) / count).toFixed(4));
}
