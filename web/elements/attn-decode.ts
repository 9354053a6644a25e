// <attn-decode>: the teaching sentence generated token by token, with K and V recomputed at each
// step or kept in a cache.

import {html, type TemplateResult} from 'lit';
import {integer} from '../shared/format.js';
import {Playhead} from '../shared/playhead.js';
import type {Need} from '../shared/runtime.js';
import {tabs} from '../shared/tabs.js';
import {beatsAt, stopsOf} from './attn-decode/race.js';
import {compute, type DecodeResult, type DecodeState, MOST, schema} from './attn-decode/state.js';
import {view} from './attn-decode/view.js';
import {says, steps, table} from './attn-decode/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** The duration of a race. */
const RACE_SECONDS = 10;

/**
 * Replays generation on the teaching sentence: how many keys and values each way computes, and
 * whether the outputs are the same bit for bit.
 *
 * @name 逐个生成
 * @summary 每生成一个词元，是全部重算，还是留着K和V。
 * @attr prompt generate cache at
 * @fires attn-change  detail: {state, result}
 */
export class AttnDecode extends AttnWidget<DecodeState, DecodeResult> {
  static override readonly needs: readonly Need[] = ['sequence'];
  static override readonly spec: Spec<DecodeState, DecodeResult> = {
    tag: 'attn-decode',
    title: '逐个生成，重算还是留着',
    hint: '按播放，让两种做法一格一格地算：谁先跑完？哪些格子不用算，直接取？',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  readonly #race = new Playhead(this, {
    seconds: RACE_SECONDS,
    stops: () => (this.result ? stopsOf(this.result) : []),
    at: () => this.state.at,
    show: (at) => this.preview({at}),
    settle: () => this.change({}),
  });

  protected override body(state: DecodeState, result: DecodeResult): TemplateResult {
    const beat = Math.floor(beatsAt(state, result));
    return html`<div class="controls live">${this.controls(state, result)}</div>
      <div class="view">${view(state, result)}</div>
      <div class="walk live">${this.#race.bar('跑到第几拍', `第${integer(beat)}拍`)}</div>`;
  }

  protected override controls(
    {prompt, generate, cache}: DecodeState,
    {tokens}: DecodeResult,
  ): TemplateResult {
    const room = tokens.length - prompt;
    const chips = (label: string, chosen: number, most: number, set: (count: number) => void) =>
      html`<div class="row" role="group" aria-label=${label}>
        <span>${label}</span>
        ${Array.from({length: MOST}, (_, i) => i + 1).map(
          (count) =>
            html`<button
              type="button"
              class="chip"
              ?disabled=${count > most}
              aria-pressed=${count === chosen ? 'true' : 'false'}
              @click=${() => set(count)}
            >
              ${count}
            </button>`,
        )}
      </div>`;
    return html`${tabs({
      label: '做法',
      name: 'cache',
      choices: [
        ['0', '只跑每步重算'],
        ['1', '两种一起跑'],
      ],
      chosen: cache ? '1' : '0',
      choose: (value) => this.change({cache: value === '1'}),
    })}
    ${chips('提示几个', prompt, MOST, (count) =>
      this.change({prompt: count, generate: Math.min(generate, tokens.length - count)}),
    )}
    ${chips('生成几个', generate, room, (count) => this.change({generate: count}))}`;
  }
}
