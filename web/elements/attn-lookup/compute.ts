// State, schema and results of <attn-lookup>: a hard lookup, a soft one, and their slopes.

import type {Core, Matrix} from '../../core.js';
import type {Resources} from '../../shared/runtime.js';
import {numberField, numbersField, type Schema} from '../../shared/schema.js';

export interface LookupState {
  /** 每一条的分数 */
  scores: readonly number[];
  /** 每一条的值，缺的当作0 */
  values: readonly number[];
  /** 推动第几条的分数，从1数 */
  moved: number;
}

export interface Answer {
  score: number;
  hard: number;
  soft: number;
}

export interface LookupResult {
  values: number[];
  weights: number[];
  /** Index of the first highest score. */
  best: number;
  /** Entries that share the highest score. */
  ties: number;
  hard: number;
  soft: number;
  /** ∂ soft output / ∂ score, one an entry; that of the hard output is 0 wherever it exists. */
  gradient: number[];
  /** Index of the entry that moves. */
  moved: number;
  /** The outputs while its score moves past the others. */
  curve: Answer[];
}

const MOST = 8;
export const NAMES = '甲乙丙丁戊己庚辛';
const LIMIT = {min: -1e6, max: 1e6};
/** How far the moved score goes to either side of the highest of the others. */
const REACH = 6;
const POINTS = 49;

export const schema: Schema<LookupState> = {
  scores: numbersField([2, 1.5, -1], MOST, LIMIT),
  values: numbersField([10, 20, 0], MOST, LIMIT),
  moved: numberField(1, {min: 1, max: MOST, integer: true}),
};

function upright(values: readonly number[]): Matrix {
  return {data: Float64Array.from(values), rows: values.length, cols: 1};
}

/** A query of 1 against keys that are the scores: softmax(s)·v. */
function soft(
  core: Core,
  scores: readonly number[],
  values: readonly number[],
): {weights: number[]; output: number} {
  const {weights, output} = core.attention(upright([1]), upright(scores), upright(values), {
    scaled: false,
    mask: 'none',
  });
  return {weights: [...weights.data], output: output.data[0] ?? 0};
}

function bestOf(scores: readonly number[]): number {
  return scores.indexOf(Math.max(...scores));
}

export function compute({core}: Resources, state: LookupState): LookupResult {
  const {scores} = state;
  const values = scores.map((_, i) => state.values[i] ?? 0);
  const {weights, output} = soft(core, scores, values);
  const moved = Math.min(state.moved, scores.length) - 1;
  const own = scores[moved] ?? 0;
  const others = scores.filter((_, i) => i !== moved);
  const middle = others.length > 0 ? Math.max(...others) : own;
  const lo = Math.min(middle - REACH, own - 1);
  const hi = Math.max(middle + REACH, own + 1);
  const curve = Array.from({length: POINTS}, (_, i): Answer => {
    const score = lo + ((hi - lo) * i) / (POINTS - 1);
    const row = scores.map((old, j) => (j === moved ? score : old));
    return {score, hard: values[bestOf(row)] ?? 0, soft: soft(core, row, values).output};
  });
  const best = bestOf(scores);
  return {
    values,
    weights,
    best,
    ties: scores.filter((score) => score === scores[best]).length,
    hard: values[best] ?? 0,
    soft: output,
    gradient: [...core.product(core.jacobian(weights).matrix, upright(values)).data],
    moved,
    curve,
  };
}
