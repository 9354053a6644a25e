// State of <attn-forward>: its fields, the steps of the pass, and the shape of its results.

import type {Stop} from '../../shared/beats.js';
import {numberField, sampleText, type Schema} from '../../shared/schema.js';

/** The most characters whose lanes have room. */
export const MOST = 24;

export interface ForwardState {
  /** 模型读的一行字 */
  text: string;
  /** 走到哪里，0是开头，1是猜出下一个字 */
  at: number;
  /** 看第几个字，从1数；0是最后一个 */
  row: number;
  /** 看向量的第几维，从1数 */
  dim: number;
  /** 画哪个头的权重，从0数 */
  head: number;
}

/** The stages of a layer, in order. */
const LAYER = [
  'norm1',
  'qkv',
  'weights',
  'heads',
  'middle',
  'norm2',
  'up',
  'active',
  'output',
] as const;

export type Stage =
  | 'ids'
  | 'tokens'
  | 'positions'
  | 'input'
  | (typeof LAYER)[number]
  | 'norm'
  | 'logits'
  | 'probabilities';

export interface Step {
  stage: Stage;
  /** The layer from 0; −1 outside the layers. */
  layer: number;
}

/** The layers of the model that the page ships. */
export const LAYERS = 2;

const outside = (stage: Stage): Step => ({stage, layer: -1});

export const STEPS: readonly Step[] = [
  ...(['ids', 'tokens', 'positions', 'input'] as const).map(outside),
  ...Array.from({length: LAYERS}, (_, layer) => LAYER.map((stage) => ({stage, layer}))).flat(),
  ...(['norm', 'logits', 'probabilities'] as const).map(outside),
];

const LAST = STEPS.length - 1;

/** Four digits, so that links stay short. */
export const rounded = (at: number) => Number(at.toFixed(4));

/** The playhead's place at which a step is complete. */
export const placeOf = (step: number) => rounded(step / LAST);

/** A link and a slider round `at`; closer to a stop than this, in steps, is on it. */
const ON_STOP = 0.02;

/** Steps that the playhead has come: 3.4 is on the way from step 3 to step 4. */
export function comeOf(at: number): number {
  const come = at * LAST;
  const near = Math.round(come);
  return Math.abs(come - near) < ON_STOP ? near : come;
}

/** The step that is shown: on the way to a step it is that step. */
export const shownStep = (at: number) => Math.ceil(comeOf(at));

const NAMED: Partial<Record<Stage, string>> = {
  ids: '字',
  input: '向量',
  output: '块',
  probabilities: '猜',
};

export const STOPS: readonly Stop[] = STEPS.map(({stage, layer}, i) => ({
  at: placeOf(i),
  name: `${NAMED[stage] ?? ''}${stage === 'output' ? layer + 1 : ''}`,
}));

/** A character that may come next. */
export interface Candidate {
  /** As the vocabulary has it: '<unk>' for all that are outside. */
  character: string;
  id: number;
  logit: number;
  probability: number;
}

export interface ForwardResult {
  /** One character a position as the reader typed it. */
  typed: string[];
  /** The characters as the model read them; '<unk>' for unknown ones. */
  characters: string[];
  ids: number[];
  /** Sizes of the model. */
  heads: number;
  width: number;
  vocab: number;
  /** (2 LAYERS + 1, T): standard deviation of the rows of the residual stream. */
  deviations: number[][];
  /** By layer, (T, T): weights of the head that is drawn. */
  weights: number[][][];
  /** Shape of the values of the shown step. */
  shape: number[];
  /**
   * Rows of the shown step: one for each position; for logits only that of the chosen position.
   * None for ids and probabilities.
   */
  values: number[][];
  /** The largest absolute value. */
  largest: number;
  /** The likeliest characters after the chosen position, the likeliest first. */
  next: Candidate[];
  /** The character that follows the chosen position in the text, and its place among all. */
  actual: (Candidate & {rank: number}) | null;
}

export const stepOf = ({at}: ForwardState): Step => STEPS[shownStep(at)] as Step;

/** Index of the chosen position. */
export const rowOf = ({row}: ForwardState, {ids}: ForwardResult) =>
  row === 0 ? ids.length - 1 : Math.min(row, ids.length) - 1;

/** Index of the chosen column of the shown step. */
export const columnOf = ({dim}: ForwardState, {values: [first = []]}: ForwardResult) =>
  Math.max(0, Math.min(dim, first.length) - 1);

export const EXAMPLES = ['牀前看月光', '白日依山盡', '春眠不覺曉，處處聞啼鳥'];

export const schema: Schema<ForwardState> = {
  text: {
    fallback: '牀前看月光',
    read: (text) => text,
    write: (text) => text,
    about: import.meta.env.SSR ? {takes: `至多${MOST}个字`, sample: sampleText} : undefined,
  },
  at: numberField(1, {min: 0, max: 1}),
  row: numberField(0, {min: 0, max: MOST, integer: true}),
  dim: numberField(1, {min: 1, max: 1200, integer: true}),
  head: numberField(0, {min: 0, max: 3, integer: true}),
};
