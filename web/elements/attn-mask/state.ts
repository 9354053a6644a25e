// State of <attn-mask>: its fields, their ranges, and the shape of its results.

import type {EmptyRow, MaskedRow, Masking} from '../../core.js';
import {
  choiceField,
  numberField,
  numbersField,
  orEmpty,
  type Schema,
  textsField,
} from '../../shared/schema.js';

type Kind = 'causal' | 'window' | 'right' | 'left' | 'packed';

export type Mistake =
  'none' | 'open' | Exclude<Masking, 'infinity'> | 'inverted' | 'query' | 'cross' | 'wide';

export interface MaskState {
  /** 哪一种掩码 */
  kind: Kind;
  /** 空着就是教学句；教学句里的词有向量，别的词一律记0分 */
  tokens: readonly string[];
  /** 各个序列的长度；空着就是一个序列 */
  lengths: readonly number[];
  /** 滑动窗口看几个；补位和打包时，一行放几格。0：看全部，或按最长的 */
  window: number;
  /** 从1数起的行，0是全部 */
  step: number;
  /** 故意犯哪一种错；none是不犯 */
  mistake: Mistake;
  /** 什么也看不见的行怎么办 */
  empty: EmptyRow;
  /** 自己改过的格子：行号×100＋列号，都从1数起；405是第4行第5格 */
  painted: readonly number[];
  /** 走到哪里：0是还没开始，1是各行都走完 */
  at: number;
}

export interface Cell {
  /** q·k ÷ √d_k */
  score: number;
  /** The input of softmax; null is −∞. */
  entering: number | null;
  weight: number;
  /** Hidden by the correct mask. */
  hidden: boolean;
  /** Hidden by the mask in use: the correct one, a mistaken one, or a painted one. */
  masked: boolean;
  /** True for a weight above 0 on a hidden key. */
  leak: boolean;
  /** e^entering; for bfloat16 e^(entering − maximum of the row). 0 for −∞ and undefined rows. */
  power: number;
  /** The weight without any mask. */
  free: number;
  /** The weight by the correct method, for the same cells. */
  right: number;
}

export interface Row extends MaskedRow {
  label: string;
  filler: boolean;
  /** Number of its sequence; −1 for padding. */
  sequence: number;
  cells: Cell[];
  /** Part of the weights without any mask that lies on masked cells. */
  freed: number;
  /**
   * Weight of one visible key ÷ that of another, without any mask and with this one; the two with
   * the largest weights. Null if there are no two above 0.
   */
  ratio: {over: string; under: string; free: number; now: number} | null;
  /** The output of the row; null if no token of the sentence has vectors. */
  output: number[] | null;
}

export interface MaskResult {
  /** Sequences side by side; a row attends within its own sequence. */
  blocks: Row[][];
  cells: number;
  real: number;
  pairs: number;
  allPairs: number;
  emptyRows: number;
}

export const MOST = 12;

/** Row and column, from 0, as one number of `painted`. */
export const codeOf = (row: number, column: number) => 100 * (row + 1) + column + 1;

export const KINDS: readonly {kind: Kind; name: string}[] = [
  {kind: 'causal', name: '因果'},
  {kind: 'window', name: '滑动窗口'},
  {kind: 'right', name: '右补位'},
  {kind: 'left', name: '左补位'},
  {kind: 'packed', name: '打包'},
];

interface Way {
  id: Mistake;
  name: string;
  /** The formula, with m = 1 where a key is visible and 0 where it is hidden. */
  code: string;
  kinds?: readonly Kind[];
}

/** The correct way and its mistakes; a mistake without `kinds` is possible with every mask. */
export const MISTAKES: readonly Way[] = [
  {id: 'none', name: '✓ 加−∞', code: 'softmax(S + M)'},
  {id: 'open', name: '✗ 不遮', code: 'softmax(S)'},
  {id: 'zero', name: '✗ 换成0', code: 'softmax(m ? S : 0)'},
  {id: 'after', name: '✗ softmax之后再遮', code: 'softmax(S) × m'},
  {id: 'bfloat16', name: '✗ 加−10⁹，bfloat16', code: 'S + (m ? 0 : −10⁹)'},
  {id: 'float16', name: '✗ 乘−10⁹，float16', code: 'S + (1−m) × (−10⁹)'},
  {id: 'inverted', name: '✗ 真假弄反', code: 'm ? −∞ : S'},
  {id: 'wide', name: '✗ 窗口多一格', code: 'i − j ≤ w', kinds: ['window']},
  {id: 'query', name: '✗ 补位的查询也遮', code: '行也填−∞', kinds: ['right', 'left']},
  {id: 'cross', name: '✗ 忘了分句', code: 'j ≤ i', kinds: ['packed']},
];

export const EMPTY: readonly {id: EmptyRow; name: string; does: string}[] = [
  {id: 'zero', name: '权重全记0', does: '权重全记0，输出是0向量'},
  {id: 'self', name: '看见自己', does: '只看见自己，输出就是自己的V'},
  {id: 'mean', name: '变成平均', does: '所有位置平分，输出是V的平均，遮住的也混了进来'},
];

export const schema: Schema<MaskState> = {
  kind: choiceField<Kind>(
    'causal',
    KINDS.map(({kind}) => kind),
  ),
  tokens: textsField([], 4 * MOST),
  lengths: orEmpty(numbersField([], 4, {min: 1, max: MOST, integer: true})),
  window: numberField(0, {min: 0, max: MOST, integer: true}),
  step: numberField(0, {min: 0, max: 4 * MOST, integer: true}),
  mistake: choiceField<Mistake>(
    'none',
    MISTAKES.map(({id}) => id),
  ),
  empty: choiceField<EmptyRow>(
    'zero',
    EMPTY.map(({id}) => id),
  ),
  painted: orEmpty(
    numbersField([], 4 * MOST * MOST, {min: 101, max: codeOf(4 * MOST, MOST), integer: true}),
  ),
  at: numberField(1, {min: 0, max: 1}),
};
