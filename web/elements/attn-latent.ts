// <attn-latent>: keys expanded from latents, against a query with the up-projection folded in, with
// and without a rotation in between; and the matrices of a real model to scale.

import {html, type TemplateResult} from 'lit';
import {nearestStop} from '../shared/beats.js';
import {numberBox} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import type {Need} from '../shared/runtime.js';
import {tabs} from '../shared/tabs.js';
import {sizes, type SizeTouch} from './attn-latent/sizes.js';
import {
  compute,
  type LatentResult,
  type LatentState,
  schema,
  SIZES,
  TURNS,
} from './attn-latent/state.js';
import {FIRST_ROW, folding, stopsOf} from './attn-latent/view.js';
import {says, steps, table} from './attn-latent/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** The duration of a fold. */
const FOLD_SECONDS = 6;

const BOXES: readonly {key: keyof typeof SIZES; label: string}[] = [
  {key: 'dmodel', label: 'x的宽度'},
  {key: 'heads', label: '头数'},
  {key: 'width', label: '每头宽度'},
  {key: 'rank', label: '潜向量'},
  {key: 'rope', label: '转的一段'},
];

const view = (state: LatentState, result: LatentResult, touch?: SizeTouch): TemplateResult =>
  html`${folding(state, result)}${sizes(state, result, touch)}`;

/**
 * Folding the up-projection of latent keys into the query: exact without rotation; with rotation,
 * one fold for each distance, and decoupled positions as the remedy.
 *
 * @name MLA的折叠
 * @summary 升维矩阵能不能并进查询；位置转过以后还行不行。
 * @attr turn token at dmodel heads width rank rope
 * @fires attn-change  detail: {state, result}
 */
export class AttnLatent extends AttnWidget<LatentState, LatentResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<LatentState, LatentResult> = {
    tag: 'attn-latent',
    title: '升维矩阵折得进查询吗',
    hint: '播放，看升维矩阵怎样并进查询；再让整个键都转，看它被什么挡住。下面的尺寸可以拖。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  readonly #fold = new Playhead(this, {
    seconds: FOLD_SECONDS,
    stops: () => (this.result ? stopsOf(this.state, this.result) : []),
    at: () => this.state.at,
    show: (at) => this.preview({at}),
    settle: () => this.change({}),
  });

  readonly #touch: SizeTouch = {
    move: (patch) => this.preview(patch),
    done: () => this.change({}),
  };

  protected override body(state: LatentState, result: LatentResult): TemplateResult {
    const stops = stopsOf(state, result);
    const i = nearestStop(stops, state.at);
    const place = stops[i]?.name || `相距${result.rows[i - FIRST_ROW]?.distance}`;
    return html`<div class="controls live">${this.controls(state, result)}</div>
      <div class="live">${this.#fold.bar('折到哪一步', place)}</div>
      <div class="view">${view(state, result, this.#touch)}</div>
      <details class="exact live">
        <summary>尺寸，填数</summary>
        <div class="dials">${BOXES.map(({key, label}) => this.#box(key, label))}</div>
      </details>`;
  }

  #box(key: keyof typeof SIZES, label: string): TemplateResult {
    return numberBox(this, {
      key,
      label,
      value: this.state[key],
      ...SIZES[key],
      set: (value) => this.change({[key]: value}),
    });
  }

  protected override controls({turn, token}: LatentState, {tokens}: LatentResult): TemplateResult {
    return html`${tabs({
        label: '旋转哪一部分',
        name: 'turn',
        choices: TURNS.map((each) => [each.turn, each.name] as const),
        chosen: turn,
        choose: (chosen) => this.change({turn: chosen}),
      })}
      <div class="row" role="group" aria-label="谁在问">
        <span>谁在问</span>${tokens.map(
          (each) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${each === token ? 'true' : 'false'}
              @click=${() => this.change({token: each})}
            >
              ${each}
            </button>`,
        )}
      </div>`;
  }
}
