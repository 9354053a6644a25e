// State and results of <attn-backward>.

import {matrix, type Matrix, rowsOf} from '../../matrix.js';
import {InputError} from '../../shared/input.js';
import type {Resources} from '../../shared/runtime.js';
import {
  choiceField,
  type Field,
  numberField,
  numbersField,
  orEmpty,
  rangeWords,
  sampleNumber,
  type Schema,
} from '../../shared/schema.js';

/** The matrices that a reader sets. */
export type Input = 'q' | 'k' | 'v' | 'grad';

type LeftOut = 'nothing' | 'mean' | 'scale';

export interface BackwardState {
  /** 抽样的种子；下面四张表空着的，由它抽 */
  seed: number;
  /** 查询Q，3行4列，一行一行写；空着由种子抽 */
  q: readonly number[];
  /** 键K，3行4列 */
  k: readonly number[];
  /** 值V，3行4列 */
  v: readonly number[];
  /** 从后面传来的梯度dO，3行4列 */
  grad: readonly number[];
  /** 故意漏掉哪一项：mean是减去均值，scale是除以√d，nothing是不漏 */
  mistake: LeftOut;
  /** 看结果的第几行，从1数起 */
  row: number;
  /** 看结果的第几列，从1数起；只有3列的结果里，第4列当作第3列 */
  column: number;
  /** 走到哪里：0是还没开始，每0.2走完一步，次序是dV、dP、dS、dQ、dK */
  at: number;
}

export interface BackwardResult {
  q: number[][];
  k: number[][];
  v: number[][];
  grad: number[][];
  /** (3, 3) */
  weights: number[][];
  dV: number[][];
  dP: number[][];
  dS: number[][];
  dQ: number[][];
  dK: number[][];
  /** Mean of each row of dP under the weights. */
  means: number[];
  /** Sum of each row of dS. */
  rowSums: number[];
  check: {q: number; k: number; v: number; step: number; tolerance: number};
}

export const ROWS = 3;
export const COLUMNS = 4;
const CELLS = ROWS * COLUMNS;
export const LIMIT = {min: -4, max: 4};
export const SEEDS = {min: 0, max: 2 ** 31 - 1, integer: true};

export const INPUTS: readonly {input: Input; name: string}[] = [
  {input: 'q', name: 'Q'},
  {input: 'k', name: 'K'},
  {input: 'v', name: 'V'},
  {input: 'grad', name: 'dO'},
];

export const MISTAKES: readonly {id: LeftOut; name: string; code: string}[] = [
  {id: 'nothing', name: '✓ 照公式', code: 'P∘(dP − 均值)'},
  {id: 'mean', name: '✗ 忘了减均值', code: 'P∘dP'},
  {id: 'scale', name: '✗ 忘了÷√d', code: 'dS·K，没有÷2'},
];

function tableField(): Field<readonly number[]> {
  const field = orEmpty(numbersField([], CELLS, LIMIT));
  return {
    ...field,
    read: (written) => {
      const values = field.read(written);
      if (values.length !== 0 && values.length !== CELLS)
        throw new InputError(
          'wrong-size',
          `要${CELLS}个数，3行4列，一行一行写；这里有${values.length}个。`,
        );
      return values;
    },
    about: import.meta.env.SSR
      ? {
          takes: `${CELLS}个${rangeWords(LIMIT)}，用逗号隔开；或空着`,
          sample: (random) =>
            random() < 0.3 ? [] : Array.from({length: CELLS}, () => sampleNumber(random, LIMIT)),
        }
      : undefined,
  };
}

export const schema: Schema<BackwardState> = {
  seed: numberField(16, SEEDS),
  q: tableField(),
  k: tableField(),
  v: tableField(),
  grad: tableField(),
  mistake: choiceField<LeftOut>('nothing', ['nothing', 'mean', 'scale']),
  row: numberField(1, {min: 1, max: ROWS, integer: true}),
  column: numberField(1, {min: 1, max: COLUMNS, integer: true}),
  at: numberField(0.6, {min: 0, max: 1}),
};

const table = (values: readonly number[]): Matrix => ({
  data: Float64Array.from(values),
  rows: ROWS,
  cols: COLUMNS,
});

export function compute({sequence}: Resources, state: BackwardState): BackwardResult {
  const {seed, mistake} = state;
  const {data} = sequence.normalMatrix({rows: 4 * ROWS, cols: COLUMNS, std: 1, seed, stream: 0});
  // Drawn numbers have one decimal, so that a reader can check a product by hand.
  const drawn = Array.from(data, (value) =>
    Math.min(LIMIT.max, Math.max(LIMIT.min, Math.round(10 * value) / 10 || 0)),
  );
  const [q, k, v, grad] = INPUTS.map(({input}, i) =>
    rowsOf(table(state[input].length > 0 ? state[input] : drawn.slice(CELLS * i, CELLS * (i + 1)))),
  ) as [number[][], number[][], number[][], number[][]];
  const {trace, check} = sequence.backward(matrix(q), matrix(k), matrix(v), matrix(grad), mistake);
  const dS = rowsOf(trace.dScores);
  return {
    ...{q, k, v, grad, dS},
    weights: rowsOf(trace.forward.weights),
    dV: rowsOf(trace.dValues),
    dP: rowsOf(trace.dWeights),
    dQ: rowsOf(trace.dQueries),
    dK: rowsOf(trace.dKeys),
    means: trace.rowDots,
    rowSums: dS.map((row) => row.reduce((sum, value) => sum + value, 0)),
    check: {
      q: check.queriesError,
      k: check.keysError,
      v: check.valuesError,
      step: check.step,
      tolerance: check.tolerance,
    },
  };
}

/** The numbers of a matrix in one row, as the state has them. */
export const flat = (rows: readonly (readonly number[])[]): number[] => rows.flat();

/** Rows and columns exchanged. */
export const turned = (rows: readonly (readonly number[])[]): number[][] =>
  (rows[0] ?? []).map((_, c) => rows.map((row) => row[c] ?? 0));
