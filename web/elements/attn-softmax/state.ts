// State of <attn-softmax>: its fields, what they take, and the shape of its results.

import type {Method, Precision, WeighTrace} from '../../core.js';
import {
  choiceField,
  flagField,
  numberField,
  numbersField,
  orEmpty,
  textsField,
  type Schema,
} from '../../shared/schema.js';

export interface SoftmaxState {
  /** 一行分数 */
  scores: readonly number[];
  /** 每个分数的词，缺的用甲、乙、丙补 */
  labels: readonly string[];
  /** 分法 */
  method: Method;
  /** 温度τ，只用于softmax；以2为底就是1÷ln 2 */
  temperature: number;
  /** 整行加上的常数 */
  offset: number;
  /** 每一步按哪种数舍入 */
  precision: Precision;
  /** 先减去最大值再取指数 */
  stable: boolean;
  /** 量哪两个词的差，从1数起；空着就不量 */
  pair: readonly number[];
}

export interface SoftmaxResult {
  trace: WeighTrace;
  labels: string[];
  /** Weight of the first token ÷ weight of the second, with all tokens and without the last one. */
  ratio: {withLast: number | null; withoutLast: number | null} | null;
  /** e to a power above this one overflows the format. */
  largestPower: number;
  /** e to each score ÷ temperature, without subtracting anything; null where one overflows. */
  powers: number[] | null;
  /** Difference of the two scores of `pair`, and what softmax makes of it: a ratio of weights. */
  ruler: {gap: number; ratio: number} | null;
}

export const MOST_TOKENS = 256;
export const schema: Schema<SoftmaxState> = {
  scores: numbersField([8, 7, 9], MOST_TOKENS),
  labels: textsField([], MOST_TOKENS),
  method: choiceField<Method>('softmax', ['share', 'shift', 'softmax']),
  temperature: numberField(1, {min: 0.01, max: 1000}),
  offset: numberField(0, {min: -1e6, max: 1e6}),
  precision: choiceField<Precision>('float64', ['float64', 'float32']),
  stable: flagField(true),
  pair: orEmpty(numbersField([3, 1], 2, {min: 1, max: MOST_TOKENS, integer: true})),
};
