// Without and with ÷√d: the two sides of every comparison, in the same words, colours and marks.

import type {Token} from './plot.js';

export type Side = 'raw' | 'scaled';

export const SIDES: readonly {side: Side; mark: string; name: string; token: Token; shape: 'cross' | 'dot'; dash: 'solid' | 'dashed'}[] = [
  {side: 'raw', mark: '✗', name: '不缩放', token: 'wrong', shape: 'cross', dash: 'dashed'},
  {side: 'scaled', mark: '✓', name: '÷√d', token: 'right', shape: 'dot', dash: 'solid'},
];

/** The next seed to try: anyone who notes two seeds can come back to either. */
export function nextSeed(seed: number): number {
  return seed >= 0xffffffff ? 0 : seed + 1;
}
