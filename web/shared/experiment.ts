// The shared parts of experiments: both sides of every comparison, without and with ÷√d, in the
// same words, colours and marks, and the seed.

import {html, type TemplateResult} from 'lit';
import {numberBox, type BoxHost} from './number-box.js';
import type {Token} from './plot.js';
import type {NumberRange} from './schema.js';

export type Side = 'raw' | 'scaled';

export const SIDES: readonly {
  side: Side;
  mark: string;
  name: string;
  token: Token;
  shape: 'cross' | 'dot';
  dash: 'solid' | 'dashed';
}[] = [
  {side: 'raw', mark: '✗', name: '不缩放', token: 'wrong', shape: 'cross', dash: 'dashed'},
  {side: 'scaled', mark: '✓', name: '÷√d', token: 'right', shape: 'dot', dash: 'solid'},
];

export const SEEDS = {min: 0, max: 0xffffffff, integer: true} satisfies NumberRange;

/**
 * A box for the seed, and a button that adds 1 to it, so that a reader can return to a noted seed.
 */
export function seedBox(host: BoxHost, seed: number, set: (seed: number) => void): TemplateResult {
  return html`<span class="group seed"
    >${numberBox(host, {key: 'seed', label: '种子', value: seed, ...SEEDS, set})}
    <button type="button" class="chip" @click=${() => set(seed === SEEDS.max ? 0 : seed + 1)}>
      换种子
    </button></span
  >`;
}
