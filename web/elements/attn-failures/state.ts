// State of <attn-failures>: its fields, their ranges, and the shape of its results.

import type {FailuresContent} from '../../shared/content.js';
import {readNumber} from '../../shared/input.js';
import {
  choiceField,
  type Field,
  type NumberRange,
  rangeWords,
  sampleNumber,
  type Schema,
} from '../../shared/schema.js';
import type {AttentionKind} from '../../train.js';
import {type Finding, LARGEST_JACOBIAN, type Readings, type Symptom, SYMPTOMS} from './rules.js';
import {type Mistake, VARIANTS} from './variants.js';

export type Part = 'gallery' | 'diagnosis';

export interface FailuresState extends Readings {
  /** 看哪一部分：四种写错，或诊断 */
  part: Part;
  /** 哪一种写错 */
  variant: Mistake;
  /** 自己的模型的熵H，0到1；空着就是没量 */
  entropy: number | null;
  /** 分数的标准差 */
  deviation: number | null;
  /** 雅可比矩阵的范数‖J‖ */
  jacobian: number | null;
  /** 有什么症状 */
  symptom: Symptom | 'none';
}

/** One run, with the figures that the table shows. */
export interface Symptoms {
  attention: AttentionKind;
  start: number;
  /** Means over the last 50 steps; that of the gradient norm over the recorded ones among them. */
  loss: number;
  gradientNorm: number;
  validationLoss: number;
  entropy: number;
  deviation: number;
  /** Readings at the first step, before any training. */
  firstDeviation: number;
  jacobian: number;
  diagonal: number;
  largestRowSum: number;
}

/** One row of scores computed both ways; a weight that is NaN is null. */
export interface Example {
  right: (number | null)[];
  wrong: (number | null)[];
}

export interface FailuresResult {
  content: FailuresContent;
  rows: Symptoms[];
  example: Example;
  /** d_model·σ², the expected deviation of the scores before training with ÷√d. */
  expectedDeviation: number;
  findings: Finding[];
}

export const PARTS: readonly {part: Part; name: string; title: string}[] = [
  {part: 'gallery', name: '四种写错', title: '四种写错，都不报错'},
  {part: 'diagnosis', name: '诊断', title: '三个读数，先查哪里'},
];

export const RANGES = {
  entropy: {min: 0, max: 1},
  deviation: {min: 0, max: 1e12},
  jacobian: {min: 0, max: LARGEST_JACOBIAN},
} satisfies Record<string, NumberRange>;

function readingField(range: NumberRange): Field<number | null> {
  return {
    fallback: null,
    read: (typed) => (typed.trim() === '' ? null : readNumber(typed, range)),
    write: (value) => (value === null ? '' : String(value)),
    about: import.meta.env.SSR
      ? {
          takes: `${rangeWords(range)}，或空着`,
          sample: (random) => (random() < 0.3 ? null : sampleNumber(random, range)),
        }
      : undefined,
  };
}

export const schema: Schema<FailuresState> = {
  part: choiceField<Part>('gallery', ['gallery', 'diagnosis']),
  variant: choiceField<Mistake>(
    'hidden-as-zero',
    VARIANTS.map(({id}) => id),
  ),
  entropy: readingField(RANGES.entropy),
  deviation: readingField(RANGES.deviation),
  jacobian: readingField(RANGES.jacobian),
  symptom: choiceField<Symptom | 'none'>('none', ['none', ...SYMPTOMS.map(({id}) => id)]),
};
