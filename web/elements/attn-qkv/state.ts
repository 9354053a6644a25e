// State and results of <attn-qkv>.

import {type Matrix, rowsOf} from '../../core.js';
import {InputError} from '../../shared/input.js';
import type {Resources} from '../../shared/runtime.js';
import {
  choiceField,
  type Field,
  flagField,
  numberField,
  numbersField,
  rangeWords,
  sampleNumber,
  type Schema,
} from '../../shared/schema.js';
import type {Sample} from '../../shared/samples.js';

type Mask = 'none' | 'self' | 'causal';

export type Name = 'q' | 'k' | 'v';

export interface QkvState {
  /** 查询，3行2列，一行一行写 */
  q: readonly number[];
  /** 键，3行2列 */
  k: readonly number[];
  /** 值，3行2列 */
  v: readonly number[];
  /** 除以√d_k */
  scaled: boolean;
  /** 谁可以看谁 */
  mask: Mask;
  /** 图里是第几行在问，从1数起 */
  asks: number;
}

export interface QkvResult {
  /** (3, 3) before the mask */
  scores: number[][];
  /** (3, 3) */
  weights: number[][];
  /** (3, 2) */
  output: number[][];
  /** Entropy of each row, ÷ ln(visible keys) */
  entropy: number[];
  /**
   * (3, 3) q·k ÷ k·k: the projection of a query on a key as a multiple of the key; null for a key
   * of length 0.
   */
  feet: (number | null)[][];
}

export const ROWS = 3;

export const COLUMNS = 2;

export const CELLS = ROWS * COLUMNS;

export const LIMIT = {min: -1e6, max: 1e6};

export const NAMES: readonly Name[] = ['q', 'k', 'v'];

export const SUBSCRIPTS = '₁₂₃';

const EXAMPLE = {q: [1, 0, 0, 1, 1, 0], k: [1, 0, 0, 1, 1, 1], v: [2, 0, 0, 2, 1, 1]};

/** Every query is far longer than the keys, and each points at another one. */
const SHARP = {q: [0, 8, -6, -6, 8, 0], k: [1, 0, 0, 1, -1, -1], v: [2, 0, 0, 2, 1, 1]};

export const MASKS: readonly {mask: Mask; name: string}[] = [
  {mask: 'none', name: '三个都可见'},
  {mask: 'causal', name: '只看自己和前面'},
  {mask: 'self', name: '只看自己'},
];

export const PRESETS: readonly Sample<QkvState>[] = [
  {name: '正文那个例子', patch: {...EXAMPLE, mask: 'none'}},
  {name: '只让自己可见', patch: {mask: 'self'}},
  {name: '制造一个尖锐分布', patch: {...SHARP, mask: 'none'}},
];

function tableField(fallback: readonly number[]): Field<readonly number[]> {
  const field = numbersField(fallback, CELLS, LIMIT);
  return {
    ...field,
    read: (written) => {
      const values = field.read(written);
      if (values.length !== CELLS)
        throw new InputError(
          'wrong-size',
          `要${CELLS}个数，3行2列，一行一行写；这里有${values.length}个。`,
        );
      return values;
    },
    about: import.meta.env.SSR
      ? {
          takes: `${CELLS}个${rangeWords(LIMIT)}，用逗号隔开`,
          sample: (random) => Array.from({length: CELLS}, () => sampleNumber(random, LIMIT)),
        }
      : undefined,
  };
}

export const schema: Schema<QkvState> = {
  q: tableField(EXAMPLE.q),
  k: tableField(EXAMPLE.k),
  v: tableField(EXAMPLE.v),
  scaled: flagField(true),
  mask: choiceField<Mask>('none', ['none', 'self', 'causal']),
  asks: numberField(3, {min: 1, max: ROWS, integer: true}),
};

function table3by2(values: readonly number[]): Matrix {
  return {data: Float64Array.from(values), rows: ROWS, cols: COLUMNS};
}

export function compute({core}: Resources, {q, k, v, scaled, mask}: QkvState): QkvResult {
  const {scores, weights, output, entropy} = core.attention(
    table3by2(q),
    table3by2(k),
    table3by2(v),
    {scaled, mask},
  );
  const columns = {data: Float64Array.from(turned(k)), rows: COLUMNS, cols: ROWS};
  const [dots, lengths] = [q, k].map((rows) => rowsOf(core.product(table3by2(rows), columns)));
  const feet = (dots ?? []).map((row) =>
    row.map((dot, j) => {
      const foot = dot / (lengths?.[j]?.[j] ?? 0);
      return Number.isFinite(foot) ? foot : null;
    }),
  );
  return {scores: rowsOf(scores), weights: rowsOf(weights), output: rowsOf(output), entropy, feet};
}

/** Rows and columns exchanged. */
const turned = (values: readonly number[]) =>
  Array.from({length: COLUMNS}, (_, c) => values.filter((_, i) => i % COLUMNS === c)).flat();

export function visible(mask: Mask, i: number, j: number): boolean {
  return mask === 'none' || j === i || (mask === 'causal' && j < i);
}

export const row = (values: readonly number[], i: number) =>
  values.slice(COLUMNS * i, COLUMNS * (i + 1));
