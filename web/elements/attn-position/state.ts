// State of <attn-position>: its fields, their ranges, and the shape of its results.

import {InputError} from '../../shared/input.js';
import type {Point} from '../../shared/plot.js';
import type {PositionKind} from '../../shared/positions.js';
import {
  choiceField,
  type Field,
  flagField,
  numberField,
  numbersField,
  type Schema,
} from '../../shared/schema.js';

export interface PositionState {
  /** 不加位置，加正弦编码，加可学的表，旋转 */
  kind: PositionKind;
  /** 每头维数，偶数 */
  dim: number;
  /** q在k后面几个位置 */
  offset: number;
  /** k的位置，从0数 */
  at: number;
  /** 旋转几维，偶数；0是全部 */
  rotated: number;
  /** 把V也转了 */
  value: boolean;
  /** 换次序的实验：新句子依次是原来的第几个词元；空着就看距离 */
  order: readonly number[];
  /** 换次序时加因果掩码 */
  causal: boolean;
  /** 换次序时叠几层 */
  layers: number;
}

/** One pair of components of two vectors as points of the plane, before and after they turn. */
export interface Dial {
  pair: number;
  /** Radians a position. */
  speed: number;
  q: readonly [Point, Point];
  k: readonly [Point, Point];
  /** The share of the pair in q·k ÷ √d; null for codes, which are added. */
  part: number | null;
}

export interface Moved {
  token: string;
  /** Places from 1. */
  from: number;
  to: number;
  before: number[];
  after: number[];
  difference: number;
}

export interface PositionResult {
  /** The number of rotated columns. */
  rotated: number;
  /** q·k ÷ √d with the key at 0, 1, 2 …; null where the table has no row. */
  course: (number | null)[];
  /** The score with the key at `at`. */
  score: number | null;
  /** Largest minus smallest score. */
  spread: number;
  /** Codes of `at` and of the next places, first columns only. */
  codes: {place: number; values: number[]}[];
  /** Distance from the code of the key's place to that of the query's. */
  distance: number | null;
  /** The period of a pair, in positions. */
  waves: number[];
  dials: Dial[];
  /** The codes of the first places, first columns only; place by place. */
  map: number[][];
  /** The two parts of a rotary score: from the rotated columns, and from the others. */
  parts: readonly [turned: number, still: number];
  /**
   * First component of the output for each place of the key, and by how much the output varies: V
   * left alone, V turned.
   */
  kept: number[];
  turned: number[];
  leak: readonly [kept: number, turned: number];
  moved: Moved[];
}

export const SHOWN = 96;

const FARTHEST = 1e6;

export const COLUMNS = 8;

/** The most pairs that are drawn. */
export const DIALS = 8;

/** Rows of the map, one for each column of the codes. */
export const MAP_ROWS = 16;

export const ROWS = 4;

export const KINDS: readonly {kind: PositionKind; name: string}[] = [
  {kind: 'none', name: '不加'},
  {kind: 'sinusoidal', name: '正弦'},
  {kind: 'learnt', name: '可学的表'},
  {kind: 'rotary', name: '旋转'},
];

export const SWAPPED = [3, 2, 1, 4, 5];

export const ORDERS: readonly {name: string; order: readonly number[]}[] = [
  {name: '对调小明和苹果', order: SWAPPED},
  {name: '整句倒过来', order: [5, 4, 3, 2, 1]},
];

function even(field: Field<number>): Field<number> {
  return {
    ...field,
    read: (given) => {
      const value = field.read(given);
      if (value % 2 !== 0) throw new InputError('not-even', '维数两两一对，这里要填偶数。');
      return value;
    },
  };
}

function orderField(): Field<readonly number[]> {
  const field = numbersField([], SWAPPED.length, {min: 1, max: SWAPPED.length, integer: true});
  return {
    ...field,
    read: (given) => {
      if (given.trim() === '') return [];
      const order = field.read(given);
      if (new Set(order).size !== SWAPPED.length)
        throw new InputError('not-an-order', '1到5各写一次，例如3,2,1,4,5。');
      return order;
    },
    about: import.meta.env.SSR
      ? {
          takes: '1到5各写一次，用逗号隔开；或空着',
          sample: (random) =>
            SWAPPED.map((_, i) => [i + 1, random()] as const)
              .sort(([, a], [, b]) => a - b)
              .map(([i]) => i),
        }
      : undefined,
  };
}

export const LIMITS = {
  dim: {min: 2, max: 256, integer: true},
  offset: {min: 0, max: 10000, integer: true},
  at: {min: 0, max: FARTHEST, integer: true},
};

export const schema: Schema<PositionState> = {
  kind: choiceField<PositionKind>(
    'rotary',
    KINDS.map(({kind}) => kind),
  ),
  dim: even(numberField(4, LIMITS.dim)),
  offset: numberField(3, LIMITS.offset),
  at: numberField(0, LIMITS.at),
  rotated: even(numberField(0, {min: 0, max: LIMITS.dim.max, integer: true})),
  value: flagField(false),
  order: orderField(),
  causal: flagField(false),
  layers: numberField(1, {min: 1, max: 2, integer: true}),
};
