// State, results and moments of <attn-online-softmax>.

import {valuesOf} from '../../core.js';
import {linearBeat, mix, beat, type Stop} from '../../shared/beats.js';
import type {Resources} from '../../shared/runtime.js';
import {numberField, numbersField, type Schema} from '../../shared/schema.js';
import type {Sample} from '../../shared/samples.js';

export interface OnlineState {
  /** 一行分数，已除以√d */
  scores: readonly number[];
  /** 一块有几个分数 */
  block: number;
  /** 走到哪里：0是还没读，1是各块都读完 */
  at: number;
}

export interface OnlineStep {
  /** Scores of the block: begin … end − 1. */
  begin: number;
  end: number;
  blockMax: number;
  /** Largest score so far. */
  max: number;
  /** Factor of the old sum. */
  correction: number;
  blockSum: number;
  /** Sum so far. */
  sum: number;
  /** e^(s − max) of each score up to `end`. */
  terms: number[];
}

export interface OnlineResult {
  blocks: OnlineStep[];
  weights: number[];
  /** Weights of a softmax that reads the whole row at once. */
  whole: number[];
  /** The largest difference between the two. */
  difference: number;
}

const MOST = 12;
export const SCORES = {min: -50, max: 50};
export const BLOCKS = {min: 1, max: MOST, integer: true};

export const PRESETS: readonly Sample<OnlineState>[] = [
  {name: '后一块更大', patch: {scores: [1, 3, 2, 5, 4, 0], block: 2}},
  {name: '后一块更小', patch: {scores: [1, 3, 2], block: 2}},
  {name: '一路变大', patch: {scores: [1, 2, 3, 4, 5, 6], block: 1}},
  {name: '最大的在最前', patch: {scores: [9, 1, 2, 3, 4, 5], block: 3}},
];

export const schema: Schema<OnlineState> = {
  scores: numbersField([1, 3, 2, 5, 4, 0], MOST, SCORES),
  block: numberField(2, BLOCKS),
  at: numberField(1, {min: 0, max: 1}),
};

export function compute({core, sequence}: Resources, {scores, block}: OnlineState): OnlineResult {
  const {blocks, weights} = sequence.onlineSoftmax(scores, block);
  const whole = valuesOf(core.weigh(scores).weights);
  return {
    blocks: blocks.map((each) => ({
      ...each,
      terms: scores.slice(0, each.end).map((score) => core.exp(score - each.max)),
    })),
    weights,
    whole,
    difference: Math.max(...weights.map((weight, i) => Math.abs(weight - (whole[i] ?? 0)))),
  };
}

export interface Moment {
  /** Index of the block that is read; −1 before the first. */
  index: number;
  /** e^(s − m) as drawn, for the scores that have been read. */
  terms: number[];
  /** How far the new block has been added, 0 … 1. */
  added: number;
  done: boolean;
}

/** Closer to a stop than this, in blocks, is on it. */
const ON_STOP = 0.02;

/** A block has two beats: the old terms shrink by the factor, then the new ones are added. */
export function momentOf({at}: OnlineState, {blocks}: OnlineResult): Moment {
  const place = at * blocks.length;
  const near = Math.round(place);
  const stopped = Math.abs(place - near) < ON_STOP;
  const index = Math.min(blocks.length - 1, stopped ? near - 1 : Math.floor(place));
  const now = blocks[index];
  if (!now) return {index: -1, terms: [], added: 0, done: false};
  const share = stopped ? 1 : place - index;
  const before = blocks[index - 1]?.terms ?? [];
  const shrunk = beat(share, 0, 0.5);
  const added = linearBeat(share, 0.5, 1);
  const terms = now.terms.map((term, i) =>
    i < now.begin ? mix(before[i] ?? term, term, shrunk) : term * added,
  );
  return {index, terms, added, done: stopped && index === blocks.length - 1};
}

export function stopsOf({blocks}: OnlineResult): Stop[] {
  const every = Math.ceil(blocks.length / 6);
  return [
    {at: 0, name: ''},
    ...blocks.map((_, i) => ({
      at: Number(((i + 1) / blocks.length).toFixed(4)),
      name: (i + 1) % every === 0 || i === blocks.length - 1 ? `第${i + 1}块` : '',
    })),
  ];
}
