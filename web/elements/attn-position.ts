// <attn-position>: the ways to add positions: codes added to embeddings, or rotations of q and k;
// and their effect on a score, an output and a shuffled sentence.

import {html, nothing, type TemplateResult} from 'lit';
import {slider} from '../shared/number-box.js';
import {tabs} from '../shared/tabs.js';
import {compute} from './attn-position/compute.js';
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
    hint: '换一种放位置的办法，再挪一挪：哪些数跟着变，哪些不变？',
    schema,
    compute,
    view,
    says,
    table,
  };

  protected override controls(state: PositionState, {rotated}: PositionResult): TemplateResult {
    const {kind, dim, offset, at, value, order, causal, layers} = state;
    const chip = (name: string, pressed: boolean, patch: Partial<PositionState>) =>
      html`<button
        type="button"
        class="chip"
        aria-pressed=${pressed ? 'true' : 'false'}
        @click=${() => this.change(patch)}
      >
        ${name}
      </button>`;
    const box = (name: string, on: boolean, key: 'value' | 'causal') =>
      html`<label class="check"
        ><input
          type="checkbox"
          ?checked=${on}
          @change=${(event: Event) =>
            this.change({[key]: (event.target as HTMLInputElement).checked})}
        />${name}</label
      >`;
    const shuffling = order.length > 0;
    return html`${tabs({
        label: '位置编码',
        name: 'kind',
        choices: KINDS.map((each) => [each.kind, each.name] as const),
        chosen: kind,
        choose: (chosen) => this.change({kind: chosen}),
      })}
      <div class="row" role="group" aria-label="看什么">
        <span>看</span
        >${chip('同样的距离', !shuffling, {order: []})}${chip('换次序', shuffling, {order: SWAPPED})}
      </div>
      ${
        shuffling
          ? html`<div class="row" role="group" aria-label="新的次序">
                ${ORDERS.map((each) =>
                  chip(each.name, each.order.join() === order.join(), {order: each.order}),
                )}
              </div>
              <div class="row">
                ${box('因果掩码', causal, 'causal')}${chip('一层', layers === 1, {layers: 1})}${chip(
                  '两层',
                  layers === 2,
                  {layers: 2},
                )}
              </div>`
          : html`<div class="dials">
                ${slider(this, {
                  key: 'at',
                  label: 'k的位置',
                  value: at,
                  ...LIMITS.at,
                  step: 1,
                  toTrack: (place) => Math.min(place, SHOWN - 1),
                  set: (next) => this.change({at: next}),
                })}
                ${slider(this, {
                  key: 'offset',
                  label: 'q再往后',
                  value: offset,
                  ...LIMITS.offset,
                  step: 1,
                  toTrack: (places) => Math.min(places, SHOWN - 1),
                  set: (next) => this.change({offset: next}),
                })}
              </div>
              <div class="row" role="group" aria-label="维数">
                <span>维数</span>${[4, 8, 64, 256].map((width) =>
                  chip(String(width), dim === width, {dim: width, rotated: 0}),
                )}
              </div>
              ${
                kind === 'rotary'
                  ? html`<div class="row">
                      ${[dim, dim % 8 === 0 ? dim / 4 : 2].map((columns) =>
                        chip(columns === dim ? '全转' : `只转${columns}维`, rotated === columns, {
                          rotated: columns === dim ? 0 : columns,
                        }),
                      )}${box('也转V', value, 'value')}
                    </div>`
                  : nothing
              }`
      }`;
  }
}
