// <attn-position>: the ways to add positions: codes added to embeddings, or rotations of q and k;
// and their effect on a score, an output and a shuffled sentence.

import {html, nothing, type TemplateResult} from 'lit';
import {numberBox} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import {integer} from '../shared/format.js';
import {tabs} from '../shared/tabs.js';
import {compute} from './attn-position/compute.js';
import type {PositionTouch} from './attn-position/course.js';
import {
  KINDS,
  LIMITS,
  ORDERS,
  type PositionResult,
  type PositionState,
  schema,
  SHOWN,
  SWAPPED,
} from './attn-position/state.js';
import {view} from './attn-position/view.js';
import {says, table} from './attn-position/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

const LAST = SHOWN - 1;
/** The walk of the key stops where training ends. */
const WALK = [0, 31, 63, LAST].map((place) => ({at: place / LAST, name: String(place)}));

/**
 * Positions: none, sinusoidal, learnt or rotary; scores at a fixed distance, or the sentence in
 * another order.
 *
 * @name 位置编码
 * @summary 同样的距离，换了位置，分数变不变；四种办法都能试。
 * @attr kind dim offset at rotated value order causal layers
 * @fires attn-change  detail: {state, result}
 */
export class AttnPosition extends AttnWidget<PositionState, PositionResult> {
  static override readonly needs = ['sequence'] as const;
  static override readonly spec: Spec<PositionState, PositionResult> = {
    tag: 'attn-position',
    title: ({order}) => (order.length > 0 ? '换个次序，输出变不变' : '同样的距离，不同的位置'),
    hint: '拖动圆点，换一种放位置的办法：哪些数跟着变，哪些不变？',
    schema,
    compute,
    view,
    says,
    table,
  };

  readonly #walk = new Playhead(this, {
    seconds: 10,
    stops: () => WALK,
    step: 1 / LAST,
    at: () => Math.min(1, this.state.at / LAST),
    show: (at) => this.preview({at: Math.round(LAST * at)}),
    settle: () => this.change({}),
  });

  readonly #touch: PositionTouch = {
    place: (at) => this.#show({at}),
    distance: (offset) => this.#show({offset}),
    order: (order) => this.#show({order}),
    done: () => this.change({}),
  };

  #show(patch: Partial<PositionState>): void {
    this.drafts.clear();
    this.preview(patch);
  }

  protected override body(state: PositionState, result: PositionResult): TemplateResult {
    const shuffling = state.order.length > 0;
    return html`<div class="controls live">${this.#ways(state)}</div>
      <div class="view">${view(state, result, this.#touch)}</div>
      ${
        shuffling
          ? nothing
          : html`<div class="beside live">
                <span>一起往后走</span>${this.#walk.bar('一起往后走', `k在${integer(state.at)}`)}
              </div>
              <details class="exact live">
                <summary>输入位置，换维数，只转一部分</summary>
                <div class="controls">${this.#boxes(state, result)}</div>
              </details>`
      }`;
  }

  #chip(name: string, pressed: boolean, patch: Partial<PositionState>): TemplateResult {
    return html`<button
      type="button"
      class="chip"
      aria-pressed=${pressed ? 'true' : 'false'}
      @click=${() => this.change(patch)}
    >
      ${name}
    </button>`;
  }

  #check(name: string, on: boolean, key: 'value' | 'causal'): TemplateResult {
    return html`<label class="check"
      ><input
        type="checkbox"
        ?checked=${on}
        @change=${(event: Event) =>
          this.change({[key]: (event.target as HTMLInputElement).checked})}
      />${name}</label
    >`;
  }

  #ways({kind, value, order, causal, layers}: PositionState): TemplateResult {
    const shuffling = order.length > 0;
    return html`${tabs({
        label: '位置编码',
        name: 'kind',
        choices: KINDS.map((each) => [each.kind, each.name] as const),
        chosen: kind,
        choose: (chosen) => this.change({kind: chosen}),
      })}
      <div class="row" role="group" aria-label="看什么">
        <span>看</span>${this.#chip('同样的距离', !shuffling, {order: []})}${this.#chip(
          '换次序',
          shuffling,
          {order: SWAPPED},
        )}${!shuffling && kind === 'rotary' ? this.#check('也转V', value, 'value') : nothing}
      </div>
      ${
        shuffling
          ? html`<div class="row" role="group" aria-label="新的次序">
              ${ORDERS.map((each) =>
                this.#chip(each.name, each.order.join() === order.join(), {order: each.order}),
              )}${this.#check('因果掩码', causal, 'causal')}${[1, 2].map((count) =>
                this.#chip(count === 1 ? '一层' : '两层', layers === count, {layers: count}),
              )}
            </div>`
          : nothing
      }`;
  }

  #boxes({kind, dim, offset, at}: PositionState, {rotated}: PositionResult): TemplateResult {
    const part = dim % 8 === 0 ? dim / 4 : 2;
    return html`<div class="row">
        ${numberBox(this, {
          key: 'at',
          label: 'k的位置',
          value: at,
          ...LIMITS.at,
          set: (next) => this.change({at: next}),
        })}${numberBox(this, {
          key: 'offset',
          label: 'q再往后',
          value: offset,
          ...LIMITS.offset,
          set: (next) => this.change({offset: next}),
        })}
      </div>
      <div class="row" role="group" aria-label="维数">
        <span>维数</span>${[4, 8, 64, 256].map((width) =>
          this.#chip(String(width), dim === width, {dim: width, rotated: 0}),
        )}
      </div>
      ${
        kind === 'rotary'
          ? html`<div class="row" role="group" aria-label="转几维">
              ${[dim, part].map((columns) =>
                this.#chip(columns === dim ? '全转' : `只转${columns}维`, rotated === columns, {
                  rotated: columns === dim ? 0 : columns,
                }),
              )}
            </div>`
          : nothing
      }`;
  }
}
