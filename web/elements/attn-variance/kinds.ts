// Shared by the parts of the picture of <attn-variance>: divisors, layouts, formats.

import {fixed, general} from '../../shared/format.js';
import type {Token} from '../../shared/plot.js';
import type {Scale} from '../../shared/scale.js';
import type {Divisor, VarianceResult, VarianceState} from './state.js';

export interface DivisorKind {
  divisor: Divisor;
  mark: string;
  name: string;
  token: Token;
  /** Half of the axis: √d of the largest dimension reaches the middle of it. */
  limit: number;
}

export const KINDS: readonly DivisorKind[] = [
  {divisor: 'one', mark: '✗', name: '不缩放', token: 'wrong', limit: 128},
  {divisor: 'root', mark: '✓', name: '÷√d', token: 'right', limit: 4.5},
  {divisor: 'd', mark: '✗', name: '÷d', token: 'score', limit: 4.5},
];

export const kindOf = (divisor: Divisor): DivisorKind =>
  KINDS.find((kind) => kind.divisor === divisor) ?? (KINDS[0] as DivisorKind);

/** How the picture answers a reader; left out where it only stands. */
export interface VarianceTouch {
  /** Half of the axis, while it goes from one divisor's to another's. */
  limit: number;
  /** Chooses one of the walks, counted from 1. */
  choose: (pair: number) => void;
}

/** Heights in pixels. */
export interface Layout {
  kind: 'wide' | 'narrow';
  walk: number;
  histogram: number;
  cell: number;
  ticks: number;
}

/** The input of both layouts. */
export interface Shown {
  state: VarianceState;
  result: VarianceResult;
  kind: DivisorKind;
  /** Per cent of the width for a value on the axis. */
  x: Scale;
  limit: number;
  /** One standard deviation of the products of `d` components, by theory. */
  sigmaOf: (d: number) => number;
  touch: VarianceTouch | undefined;
}

export const divisorOf = (divisor: Divisor, d: number): number =>
  ({one: 1, root: Math.sqrt(d), d})[divisor];

/** Standard deviation of all products after the division, as it was measured. */
export function stdText({divisor, d}: VarianceState, {shown}: VarianceResult): string {
  if (divisor === 'one') return fixed(shown.raw.std, 1);
  return divisor === 'root' ? fixed(shown.scaled.std, 2) : general(shown.raw.std / d, 2);
}

export function scoreText(value: number): string {
  const size = Math.abs(value);
  if (size < 0.0005 && value !== 0) return general(value, 2);
  return fixed(value, size < 0.0995 ? 3 : size < 9.995 ? 2 : 1);
}

/** The row's weights under the divisor. */
export function rowOf({state, result}: Shown) {
  const place = KINDS.findIndex(({divisor}) => divisor === state.divisor);
  return result.weights[place] ?? {weights: [], divisor: 1};
}
