// <attn-qkv>: attention of three tokens in two dimensions, small enough to see every number.

import {html, type TemplateResult} from 'lit';
import {numberBox} from '../shared/number-box.js';
import {tabs} from '../shared/tabs.js';
import {samplesRow} from '../shared/samples.js';
import {
  CELLS,
  COLUMNS,
  compute,
  LIMIT,
  MASKS,
  type Name,
  NAMES,
  PRESETS,
  type QkvResult,
  type QkvState,
  schema,
  SUBSCRIPTS,
} from './attn-qkv/state.js';
import {type QkvTouch, spansOf} from './attn-qkv/planes.js';
import {view} from './attn-qkv/view.js';
import {says, steps, table} from './attn-qkv/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/**
 * Scaled dot-product attention with editable Q, K and V.
 *
 * @name 亲手改Q、K、V
 * @summary 拖动查询、键和值，看分数、权重和输出跟着变。
 * @attr q k v scaled mask asks
 * @fires attn-change  detail: {state, result}
 */
export class AttnQkv extends AttnWidget<QkvState, QkvResult> {
  static override readonly spec: Spec<QkvState, QkvResult> = {
    tag: 'attn-qkv',
    title: '亲手改Q、K、V',
    hint: '拖动箭头，看分数、权重、输出怎样一路跟着变；也可以直接改数。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  /** Spans of the planes while a handle is held. */
  #spans: QkvTouch['spans'] = null;

  protected override body(state: QkvState, result: QkvResult): TemplateResult {
    const touch: QkvTouch = {
      spans: this.#spans,
      move: (name, i, value) => {
        this.#spans ??= spansOf(this.state);
        this.drafts.clear();
        this.preview({
          [name]: this.state[name].map((old, cell) => value[cell - COLUMNS * i] ?? old),
        });
      },
      done: () => {
        this.#spans = null;
        this.change({});
      },
    };
    return html`<div class="controls live">${this.controls(state)}</div>
      <div class="controls row live" role="group" aria-label="哪一行在问">
        <span>在问的是</span>${[...SUBSCRIPTS].map(
          (subscript, i) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${state.asks === i + 1 ? 'true' : 'false'}
              @click=${() => this.change({asks: i + 1})}
            >
              q${subscript}
            </button>`,
        )}
      </div>
      <div class="view">${view(state, result, touch)}</div>`;
  }

  protected override controls(state: QkvState): TemplateResult {
    return html`${samplesRow({
        label: '样例',
        samples: PRESETS,
        state,
        take: (patch) => this.#take(patch),
      })}
      ${tabs({
        label: '谁可以看谁',
        name: 'mask',
        choices: MASKS.map(({mask, name}) => [mask, name] as const),
        chosen: state.mask,
        choose: (mask) => this.change({mask}),
      })}
      <div class="dials">
        ${NAMES.map((name) => this.#matrix(state, name))}
        <label class="check"
          ><input
            type="checkbox"
            ?checked=${state.scaled}
            @change=${(event: Event) =>
              this.change({scaled: (event.target as HTMLInputElement).checked})}
          />除以√2（即√d）</label
        >
      </div>`;
  }

  #matrix(state: QkvState, name: Name): TemplateResult {
    const title = name.toUpperCase();
    const token = {q: 'query', k: 'key', v: 'value'}[name];
    return html`<span class="matrix" role="group" aria-label=${title}
      ><b class=${token}>${title}</b>${state[name].map((value, cell) =>
        numberBox(this, {
          key: `${name}-${cell}`,
          label: `${title}第${Math.floor(cell / COLUMNS) + 1}行第${(cell % COLUMNS) + 1}列`,
          bare: true,
          value,
          ...LIMIT,
          by: 0.5,
          limit: CELLS,
          set: (next) =>
            this.change({[name]: state[name].map((old, i) => (i === cell ? next : old))}),
          setSeveral: (values) =>
            this.#take({[name]: state[name].map((old, i) => values[i - cell] ?? old)}),
        }),
      )}</span
    >`;
  }

  #take(patch: Partial<QkvState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
