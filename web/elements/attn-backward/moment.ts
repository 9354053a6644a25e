// The walk of <attn-backward>: five steps, and the cells of a step one after another.

import type {Stop} from '../../shared/beats.js';
import type {HeatToken} from '../../shared/heat.js';
import {
  type BackwardResult,
  type BackwardState,
  COLUMNS,
  type Input,
  ROWS,
  turned,
} from './state.js';

/** A matrix in the picture of a product. */
export interface Operand {
  name: string;
  values: readonly (readonly number[])[];
  token: HeatToken;
  /** Which table of the state it is, and whether it lies on its side. */
  input?: Input;
  turned?: boolean;
}

export interface Step {
  name: 'dV' | 'dP' | 'dS' | 'dQ' | 'dK';
  token: HeatToken;
  columns: number;
  formula: string;
}

export const STEPS: readonly Step[] = [
  {name: 'dV', token: 'value', columns: COLUMNS, formula: 'dV＝Pᵀ·dO'},
  {name: 'dP', token: 'weight', columns: ROWS, formula: 'dP＝dO·Vᵀ'},
  {name: 'dS', token: 'score', columns: ROWS, formula: 'dS＝P∘(dP−均值)'},
  {name: 'dQ', token: 'query', columns: COLUMNS, formula: 'dQ＝dS·K÷√d'},
  {name: 'dK', token: 'key', columns: COLUMNS, formula: 'dK＝dSᵀ·Q÷√d'},
];

/** Closer to a stop than this, in steps, is on it. */
const ON_STOP = 0.02;

export interface Moment {
  /** Index of the step that is shown. */
  index: number;
  step: Step;
  /** Cells of its result that are there. */
  filled: number;
  /** The cell that is explained, from 0; null before the first. */
  lit: {row: number; column: number} | null;
}

export function momentOf({at, row, column}: BackwardState): Moment {
  const place = at * STEPS.length;
  const near = Math.round(place);
  const stopped = Math.abs(place - near) < ON_STOP;
  const index = Math.min(STEPS.length - 1, Math.max(0, stopped ? near - 1 : Math.floor(place)));
  const step = STEPS[index] as Step;
  const cells = ROWS * step.columns;
  if (stopped && near === 0) return {index, step, filled: 0, lit: null};
  if (stopped) {
    const lit = {row: row - 1, column: Math.min(step.columns, column) - 1};
    return {index, step, filled: cells, lit};
  }
  const filled = Math.min(cells, 1 + Math.floor((place - index) * cells));
  const last = filled - 1;
  const lit = {row: Math.floor(last / step.columns), column: last % step.columns};
  return {index, step, filled, lit};
}

export const stops = (): Stop[] => [
  {at: 0, name: '开始'},
  ...STEPS.map(({name}, i) => ({at: (i + 1) / STEPS.length, name})),
];

/** The operands of a product and its result; dS is no product. */
export function productOf(
  name: Step['name'],
  {q, k, v, grad, weights, dS, ...result}: BackwardResult,
): {left: Operand; top: Operand; values: number[][]} | null {
  const operand = (
    title: string,
    values: number[][],
    token: HeatToken,
    input?: Input,
    isTurned = false,
  ): Operand => ({
    name: title,
    values: isTurned ? turned(values) : values,
    token,
    turned: isTurned,
    ...(input && {input}),
  });
  switch (name) {
    case 'dV':
      return {
        left: operand('Pᵀ', weights, 'weight', undefined, true),
        top: operand('dO', grad, 'value', 'grad'),
        values: result.dV,
      };
    case 'dP':
      return {
        left: operand('dO', grad, 'value', 'grad'),
        top: operand('Vᵀ', v, 'value', 'v', true),
        values: result.dP,
      };
    case 'dQ':
      return {
        left: operand('dS', dS, 'score'),
        top: operand('K', k, 'key', 'k'),
        values: result.dQ,
      };
    case 'dK':
      return {
        left: operand('dSᵀ', dS, 'score', undefined, true),
        top: operand('Q', q, 'query', 'q'),
        values: result.dK,
      };
    case 'dS':
      return null;
  }
}
