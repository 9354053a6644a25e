// State and results of <attn-scaling>.

import type {DivisorRow, InitSweepRow, Scaling, VarianceRow} from '../../scaling.js';
import {SEEDS} from '../../shared/experiment.js';
import type {Resources} from '../../shared/runtime.js';
import {
  choiceField,
  numberField,
  type NumberRange,
  numbersField,
  type Schema,
} from '../../shared/schema.js';

export type Part = 'dimension' | 'divisor' | 'init';

export interface ScalingState {
  /** 看哪一部分 */
  part: Part;
  /** 各种维数，用在dimension和init */
  dims: readonly number[];
  /** 随机种子 */
  seed: number;
  /** 没训练的模型里每个权重的标准差，用在init */
  sigma: number;
  /** 一行分数，用在divisor */
  scores: readonly number[];
  /** 这行分数的维数，用在divisor */
  d: number;
}

/** Only the part that is shown is computed. */
export type ScalingResult =
  | {part: 'dimension'; rows: VarianceRow[]}
  | {part: 'divisor'; rows: DivisorRow[]}
  | {part: 'init'; rows: InitSweepRow[]; slope: number | null};

export const PARTS: readonly {part: Part; name: string; title: string}[] = [
  {part: 'dimension', name: '维数一大', title: '维数一大，softmax会怎样'},
  {part: 'divisor', name: '除以多少', title: '除以1、√d还是d'},
  {part: 'init', name: '刚初始化', title: '刚初始化的模型，分数有多大'},
];

/** The same rows as in <attn-variance>, so that one seed gives the same digits in both. */
export const SAMPLES = 2000;

export const KEYS = 5;

const MOST_DIMS = 6;

const MOST_SCORES = 8;

export const NAMES = '甲乙丙丁戊己庚辛';

export const RANGES = {
  dims: {min: 2, max: 512, integer: true},
  sigma: {min: 0.001, max: 1},
  scores: {min: -1e6, max: 1e6},
  d: {min: 1, max: 4096, integer: true},
} satisfies Record<string, NumberRange>;

export const schema: Schema<ScalingState> = {
  part: choiceField<Part>('dimension', ['dimension', 'divisor', 'init']),
  dims: numbersField([32, 64, 128, 256], MOST_DIMS, RANGES.dims),
  seed: numberField(20261014, SEEDS),
  sigma: numberField(0.02, RANGES.sigma),
  scores: numbersField([8, 3, -2, 0.5], MOST_SCORES, RANGES.scores),
  d: numberField(64, RANGES.d),
};

export function compute(
  {scaling}: Resources,
  {part, dims, seed, sigma, scores, d}: ScalingState,
): ScalingResult {
  const ordered = [...new Set(dims)].sort((a, b) => a - b);
  if (part === 'dimension')
    return {part, rows: scaling.variance({dims: ordered, seed, samples: SAMPLES, keys: KEYS})};
  if (part === 'divisor') return {part, rows: scaling.divisors(scores, d)};
  const rows = scaling.initSweep({dims: ordered, sigma, seed});
  return {part, rows, slope: slopeOf(scaling, rows)};
}

/** Slope of the measured line on logarithmic axes, from its first point to its last. */
function slopeOf(scaling: Scaling, rows: readonly InitSweepRow[]): number | null {
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last && first.d !== last.d
    ? scaling.logSlope(first.d, first.std, last.d, last.std)
    : null;
}
