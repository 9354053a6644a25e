// State of <attn-variance>: its fields, what they take, and the shape of its results.

import type {VarianceRuns} from '../../scaling.js';
import {SEEDS} from '../../shared/experiment.js';
import {plain} from '../../shared/format.js';
import {
  choiceField,
  numberField,
  numbersField,
  type NumberRange,
  type Schema,
} from '../../shared/schema.js';

/** The divisor of the products: nothing, √d or d. */
export type Divisor = 'one' | 'root' | 'd';

export interface VarianceState {
  /** 用来对照的维数，图上画成虚线 */
  dims: readonly number[];
  /** 随机种子 */
  seed: number;
  /** 每种维数抽多少行分数 */
  samples: number;
  /** 一行有几个键 */
  keys: number;
  /** 图上画的维数 */
  d: number;
  /** 点积除以什么：one不除，root除以√d，d除以d */
  divisor: Divisor;
  /** 抽样走到哪里：0是一项都没加，1是全部抽完 */
  at: number;
  /** 描粗一行里的第几对，从1数起 */
  pair: number;
}

export type VarianceResult = VarianceRuns;

export const MOST_DIMS = 3;
const MOST_D = 4096;
/** So many walks are drawn; each can be chosen. */
const MOST_WALKS = 5;

export const RANGES = {
  dims: {min: 1, max: MOST_D, integer: true},
  samples: {min: 1, max: 20000, integer: true},
  keys: {min: 2, max: 64, integer: true},
  d: {min: 1, max: MOST_D, integer: true},
} satisfies Record<string, NumberRange>;

export const schema: Schema<VarianceState> = {
  dims: numbersField([4, 64, 256], MOST_DIMS, RANGES.dims),
  seed: numberField(20261014, SEEDS),
  samples: numberField(2000, RANGES.samples),
  keys: numberField(5, RANGES.keys),
  d: numberField(256, RANGES.d),
  divisor: choiceField<Divisor>('one', ['one', 'root', 'd']),
  at: numberField(1, {min: 0, max: 1}),
  pair: numberField(1, {min: 1, max: MOST_WALKS, integer: true}),
};

/** The parts of the playhead: the walk, the first products, the others. */
export const WALKED = 0.4;
export const LANDED = 0.46;
export const FELL = 0.76;

export const DRAWING = [
  {at: 0, name: '第1项'},
  {at: LANDED, name: '一对'},
  {at: FELL, name: '一千'},
  {at: 1, name: '全部'},
];

/** Dimensions on the rail, four an octave. */
const OCTAVES = Math.log2(MOST_D);
export const DIM_STEP = 1 / (4 * OCTAVES);
export const dimAt = (at: number) => Math.round(2 ** (Math.round(at / DIM_STEP) / 4));
export const placeOfDim = (d: number) => Math.log2(d) / OCTAVES;
export const DIM_STOPS = [1, 4, 16, 64, 256, 1024, 4096].map((d) => ({
  at: placeOfDim(d),
  // On a phone there is no room for both of the last two.
  name: d === 1024 ? '' : plain(d),
}));
