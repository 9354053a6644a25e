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
}

export interface Cell {
  /** q·k ÷ √d_k */
  score: number;
  /** The input of softmax; null is −∞. */
  entering: number | null;
  weight: number;
  /** Hidden by the correct mask. */
  hidden: boolean;
  /** True for a weight above 0 on a hidden key. */
  leak: boolean;
}

export interface Row extends MaskedRow {
  label: string;
  filler: boolean;
  cells: Cell[];
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

export const KINDS: readonly {kind: Kind; name: string}[] = [
  {kind: 'causal', name: '因果'},
  {kind: 'window', name: '滑动窗口'},
  {kind: 'right', name: '右补位'},
  {kind: 'left', name: '左补位'},
  {kind: 'packed', name: '打包'},
];

export const MISTAKES: readonly {id: Mistake; name: string; kinds?: readonly Kind[]}[] = [
  {id: 'none', name: '✓ 加−∞'},
  {id: 'open', name: '✗ 不遮'},
  {id: 'zero', name: '✗ 换成0'},
  {id: 'after', name: '✗ softmax之后再遮'},
  {id: 'bfloat16', name: '✗ 加−10⁹，bfloat16'},
  {id: 'float16', name: '✗ 乘−10⁹，float16'},
  {id: 'inverted', name: '✗ 真假弄反'},
  {id: 'wide', name: '✗ 窗口多一格', kinds: ['window']},
  {id: 'query', name: '✗ 补位的查询也遮', kinds: ['right', 'left']},
  {id: 'cross', name: '✗ 忘了分句', kinds: ['packed']},
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
};
