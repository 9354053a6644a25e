// The result of <attn-forward>: what the core's forward pass computed, cut to the shown step.

import {InputError} from '../../shared/input.js';
import type {Resources} from '../../shared/runtime.js';
import type {Forward, TrainedModel} from '../../train.js';
import {model} from '../attn-heads/trained-model.js';
import {
  type Candidate,
  type ForwardResult,
  type ForwardState,
  LAYERS,
  MOST,
  stepOf,
  type Step,
} from './state.js';

/** Candidates that the table lists; the pictures show fewer. */
const LISTED = 20;

/** A lone surrogate can't be passed to the model. */
const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** The shortest decimal that is the same float: its further digits would mean nothing. */
export function shortFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

const plain = (values: Float32Array) => Array.from(values, shortFloat);

/** Rows of a matrix whose numbers lie row by row. */
function rowsIn(values: Float32Array, rows: number): number[][] {
  const cols = values.length / rows;
  return Array.from({length: rows}, (_, i) => plain(values.subarray(i * cols, (i + 1) * cols)));
}

/** Keeps the last value: while the playhead moves, most calls repeat. */
function remembered<T>(): (key: string, make: () => T) => T {
  let last: {key: string; value: T} | undefined;
  return (key, make) => {
    if (last?.key !== key) last = {key, value: make()};
    return last.value;
  };
}

const passes = remembered<Forward>();
/** A page has one model. */
const vocabulary = remembered<readonly string[]>();
const cuts = remembered<ForwardResult>();

function valuesOf({trace}: Forward, {stage, layer}: Step, T: number, row: number): number[][] {
  if (stage === 'ids' || stage === 'probabilities') return [];
  if (stage === 'logits') {
    const vocab = trace.logits.length / T;
    return [plain(trace.logits.subarray(row * vocab, (row + 1) * vocab))];
  }
  if (stage === 'tokens' || stage === 'positions' || stage === 'norm')
    return rowsIn(trace[stage], T);
  if (stage === 'output') return rowsIn(trace.layers[layer + 1]?.input ?? trace.output, T);
  const from = trace.layers[Math.max(0, layer)];
  return from && stage !== 'weights' ? rowsIn(from[stage], T) : [];
}

function candidatesOf({trace}: Forward, vocabulary: readonly string[], row: number) {
  const at = row * vocabulary.length;
  const all = vocabulary.map((character, id): Candidate => ({
    character,
    id,
    logit: shortFloat(trace.logits[at + id] ?? 0),
    probability: trace.probabilities[at + id] ?? 0,
  }));
  return all.sort((a, b) => b.logit - a.logit || a.id - b.id);
}

function cut(pass: Forward, opened: TrainedModel, typed: string[], state: ForwardState) {
  const {trace, ids, characters} = pass;
  const {nHeads, dModel, vocabSize} = opened.config;
  const T = ids.length;
  const row = state.row === 0 ? T - 1 : Math.min(state.row, T) - 1;
  const head = Math.min(state.head, nHeads - 1);
  const step = stepOf(state);
  const weights = trace.layers.map(({weights: all}) =>
    rowsIn(all.subarray(head * T * T, (head + 1) * T * T), T),
  );
  const values =
    step.stage === 'weights' ? (weights[step.layer] ?? []) : valuesOf(pass, step, T, row);
  const ordered = candidatesOf(
    pass,
    vocabulary('', () => opened.vocabulary()),
    row,
  );
  const place = ordered.findIndex(({id}) => id === ids[row + 1]);
  const found = ordered[place];
  const largest = values.reduce(
    (most, line) => line.reduce((sofar, value) => Math.max(sofar, Math.abs(value)), most),
    0,
  );
  return {
    typed,
    characters,
    ids,
    heads: nHeads,
    width: dModel,
    vocab: vocabSize,
    deviations: Array.from({length: 2 * LAYERS + 1}, (_, k) =>
      trace.deviations.slice(k * T, (k + 1) * T),
    ),
    weights,
    shape: shapeOf(step, T, opened),
    values,
    largest,
    next: ordered.slice(0, LISTED),
    actual: found ? {...found, rank: place + 1} : null,
  };
}

function shapeOf({stage}: Step, T: number, {config}: TrainedModel): number[] {
  const {dModel, dFf, vocabSize, nHeads} = config;
  if (stage === 'ids') return [T];
  if (stage === 'weights') return [nHeads, T, T];
  if (stage === 'qkv') return [T, 3 * dModel];
  if (stage === 'up' || stage === 'active') return [T, dFf];
  return [T, stage === 'logits' || stage === 'probabilities' ? vocabSize : dModel];
}

export function compute(_resources: Resources, state: ForwardState): ForwardResult {
  if (!model) throw new InputError('no-model', '正在载入模型，图仍是上一次的。');
  const opened = model;
  const text = whole(state.text);
  const typed = [...text];
  if (typed.length === 0) throw new InputError('empty', '这里还空着，图仍按上一行画。');
  if (typed.length > MOST)
    throw new InputError('too-long', `最多${MOST}个字，这里有${typed.length}个。`);
  const pass = passes(text, () => opened.forward(text));
  const key = JSON.stringify([text, stepOf(state), state.row, state.head]);
  return cuts(key, () => cut(pass, opened, typed, state));
}
