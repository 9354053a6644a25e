// Places in the map of <attn-forward>: steps from left to right, a lane for each character.

import {type Stage, STEPS} from './state.js';

/** The way from the step before, in units. */
const WAY: Record<Stage, number> = {
  ids: 0,
  tokens: 1,
  positions: 0.9,
  input: 1,
  norm1: 1.2,
  qkv: 1,
  weights: 3.1,
  heads: 0.7,
  middle: 1,
  norm2: 1.2,
  up: 1,
  active: 0.9,
  output: 1.1,
  norm: 1.3,
  logits: 0.9,
  probabilities: 1.9,
};

const WAYS = STEPS.reduce<number[]>(
  (sums, {stage}) => [...sums, (sums.at(-1) ?? 0) + WAY[stage]],
  [],
);

/** The step at which the first layer ends and a narrow picture breaks its line. */
const BREAK = STEPS.findIndex(({stage}) => stage === 'output');

/** A part of the way that is drawn from left to right. */
export interface Line {
  /** The first and the last step. */
  from: number;
  to: number;
  /** Place of a step, also between two. */
  x: (come: number) => number;
  /** Upper edge of the lanes. */
  top: number;
  height: number;
  left: number;
}

export interface Sheet {
  only: 'wide' | 'narrow';
  /** Width of the picture. */
  units: number;
  lines: readonly Line[];
  height: number;
  /** Height of a lane. */
  lane: number;
  /** Room for a candidate's bar. */
  bar: number;
}

/** Candidates beside the end of the lanes. */
export const SHOWN = 6;
const LEAST_HEIGHT = SHOWN * 22;
const HEAD = 44;
const FOOT = 16;
const LEFT = 30;

function laneOf(n: number): number {
  if (n <= 6) return 34;
  return n <= 12 ? 24 : 15;
}

function between(places: readonly number[], come: number): number {
  const low = Math.floor(come);
  const [a = 0, b = a] = [places[low], places[low + 1]];
  return a + (b - a) * (come - low);
}

export function sheetOf(only: Sheet['only'], n: number): Sheet {
  const wide = only === 'wide';
  const units = wide ? 680 : 340;
  const bar = wide ? 58 : 34;
  const right = bar + 78;
  const lane = laneOf(n);
  const last = STEPS.length - 1;
  const spans = wide
    ? [[0, last]]
    : ([
        [0, BREAK],
        [BREAK, last],
      ] as const);
  let top = HEAD;
  const lines = spans.map(([from = 0, to = 0], i): Line => {
    const ends = to === last;
    const height = Math.max(n * lane, ends ? LEAST_HEIGHT : 0);
    // The second line goes on from where the first one ended.
    const left = i === 0 ? LEFT : LEFT + 8;
    const scale = (units - left - (ends ? right : 14)) / ((WAYS[to] ?? 0) - (WAYS[from] ?? 0));
    const places = WAYS.map((way) => left + (way - (WAYS[from] ?? 0)) * scale);
    const line = {from, to, top, height, left, x: (come: number) => between(places, come)};
    top += height + FOOT + HEAD;
    return line;
  });
  return {only, units, lines, lane, bar, height: top - HEAD};
}

/** Centre of a lane: of its trunk, and of the branch that runs below it. */
export function trunk({top, height}: Line, lane: number, n: number, i: number): number {
  return top + (height - n * lane) / 2 + lane * (i + 0.36);
}

export const branch = (line: Line, lane: number, n: number, i: number) =>
  trunk(line, lane, n, i) + lane * 0.38;
