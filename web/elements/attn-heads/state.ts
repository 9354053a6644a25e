// State of <attn-heads>: its fields, their ranges, and the shape of its results.

import {SEEDS} from '../../shared/experiment.js';
import {choiceField, numberField, sampleText, type Schema} from '../../shared/schema.js';
import type {HeadPortrait} from '../../train.js';
import type {Moment} from '../../training/moments.js';
import type {HeadRow} from './trained-figure.js';

/** The most characters of a text that the trained model reads. */
export const MOST_CHARACTERS = 10_000;

type Source = 'teaching' | 'example' | 'trained';

export interface HeadsState {
  /** 教学句、四维的小例子，或训练好的小模型 */
  source: Source;
  /** 哪一行在问，从1数；0是最后一个例子词元，训练好的模型是最后一个字 */
  row: number;
  /** 热图画哪一个：0是不切开的一个头，1、2是头A、头B；训练好的模型从0数到3 */
  head: number;
  /** 训练好的模型的哪一层，从0数 */
  layer: number;
  /** 给训练好的模型读的话 */
  text: string;
  /** 接着写时的温度；0是贪心 */
  temperature: number;
  /** 接着写时只在最可能的几个里抽；0是不限 */
  topk: number;
  /** 接着写的随机种子 */
  seed: number;
}

/** One way to attend: all columns at once, or a head with its share of them. */
export interface Head {
  name: string;
  /** The d of the divisor √d. */
  width: number;
  /** (T, T) */
  weights: number[][];
  /** (T, width) */
  output: number[][];
}

export interface WorkedResult {
  source: Exclude<Source, 'trained'>;
  tokens: string[];
  /** Names of the columns of V. */
  columns: string[];
  /** Index of the row whose query is shown. */
  row: number;
  /** The undivided head first, then the two heads. */
  ways: Head[];
  /** (T, d_v) the heads' outputs side by side */
  joined: number[][];
}

export interface TrainedResult {
  source: 'trained';
  /**
   * The characters as the model read them, the last ones of a long text; '<unk>' for unknown ones.
   */
  characters: string[];
  /** Characters at the beginning that did not fit. */
  skipped: number;
  block: number;
  /** Characters of the whole text that are not in the vocabulary, once each. */
  unknown: string[];
  /** Characters in the vocabulary that the reader may have meant as another one. */
  doubtful: string[];
  /** Index of the position whose query is shown. */
  row: number;
  /** (T, T) weights of the head that is shown */
  weights: number[][];
  /** The weights of all heads, to thousandths. */
  maps: Moment['maps'];
  heads: HeadRow[];
  uniform: HeadPortrait;
  /** Loss of each character in nats, from the second character on. */
  losses: number[];
  /** The same losses with the shown head switched off. */
  without: number[];
  /** Size of the vocabulary, in characters. */
  vocab: number;
  /** Loss of a uniform guess, ln vocab. */
  blind: number;
  /** The continuation that the model samples. */
  written: {text: string; beyondBlock: boolean};
}

export type HeadsResult = WorkedResult | TrainedResult;

export const HEADS = 2;

export const NAMES = ['一个头', '头A', '头B'];

/** Two tokens in four dimensions; every projection is the identity. */
export const EXAMPLE = {
  tokens: ['明', '月'],
  x: [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
  ],
  columns: ['1', '2', '3', '4'],
  row: 1,
};

export const TEACHING = {columns: ['人', '身份', '物', '语法'], row: 3};

export const SOURCES: readonly {source: Source; name: string}[] = [
  {source: 'teaching', name: '教学句'},
  {source: 'example', name: '四维小例子'},
];

export const schema: Schema<HeadsState> = {
  source: choiceField<Source>('teaching', ['teaching', 'example', 'trained']),
  row: numberField(0, {min: 0, max: 64, integer: true}),
  head: numberField(1, {min: 0, max: 3, integer: true}),
  layer: numberField(0, {min: 0, max: 1, integer: true}),
  // 静夜思, as the Tang poems have it: 24 characters.
  text: {
    fallback: '牀前看月光，疑是地上霜。舉頭望山月，低頭思故鄉。',
    read: (text) => text,
    write: (text) => text,
    about: import.meta.env.SSR ? {takes: '一段话', sample: sampleText} : undefined,
  },
  temperature: numberField(1, {min: 0, max: 2}),
  topk: numberField(0, {min: 0, max: 1200, integer: true}),
  seed: numberField(20261014, SEEDS),
};
