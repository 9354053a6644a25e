// <attn-mask>: visibility of keys: causal, padded, packed, with a window; and the effects of
// mistakes.

import {html, nothing, type TemplateResult} from 'lit';
import {listBox, numberBox} from '../shared/number-box.js';
import {compute, isMasking} from './attn-mask/compute.js';
import {
  EMPTY,
  KINDS,
  type MaskResult,
  type MaskState,
  MISTAKES,
  MOST,
  schema,
} from './attn-mask/state.js';
import {view} from './attn-mask/view.js';
import {says, table} from './attn-mask/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/**
 * Attention masks step by step, correct ones and mistaken ones.
 *
 * @attr kind tokens lengths window step mistake empty
 * @fires attn-change  detail: {state, result}
 */
export class AttnMask extends AttnWidget<MaskState, MaskResult> {
  static override readonly spec: Spec<MaskState, MaskResult> = {
    tag: 'attn-mask',
    title: '谁可以看谁',
    hint: '换一种写法，一行一行走：哪些格子该是斜纹，行和还是不是1？',
    schema,
    compute,
    view,
    says,
    table,
  };

  protected override controls(state: MaskState, {cells, emptyRows}: MaskResult): TemplateResult {
    const {kind, step} = state;
    const batch = kind !== 'causal' && kind !== 'window';
    const go = (label: string, to: number) =>
      html`<button
        type="button"
        class="chip"
        ?disabled=${to < 0 || to > cells || to === step}
        @click=${() => this.change({step: to})}
      >
        ${label}
      </button>`;
    const chips = (
      name: string,
      options: readonly {id: string; name: string}[],
      key: 'mistake' | 'empty',
    ) =>
      html`<div class="row" role="group" aria-label=${name}>
        <span>${name}</span>${options.map(
          (option) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${option.id === state[key] ? 'true' : 'false'}
              @click=${() => this.change({[key]: option.id})}
            >
              ${option.name}
            </button>`,
        )}
      </div>`;
    return html`<fieldset class="tabs">
        <legend>掩码</legend>
        ${KINDS.map(
          (option) =>
            html`<label>
              <input
                type="radio"
                name="kind"
                value=${option.kind}
                ?checked=${kind === option.kind}
                @change=${() =>
                  this.#take({
                    kind: option.kind,
                    step: 0,
                    mistake: 'none',
                    ...(option.kind === 'window' && state.window === 0 ? {window: 3} : {}),
                  })}
              /><span>${option.name}</span></label
            >`,
        )}
      </fieldset>
      ${chips(
        '写法',
        MISTAKES.filter(({kinds}) => kinds?.includes(kind) ?? true),
        'mistake',
      )}
      ${emptyRows > 0 && !isMasking(state.mistake) ? chips('空行', EMPTY, 'empty') : nothing}
      <div class="dials">
        <span class="group" role="group" aria-label="逐行看"
          >${go('上一行', step - 1)}${go('下一行', step + 1)}${go('全部', 0)}</span
        >
        ${
          kind === 'causal'
            ? nothing
            : numberBox(this, {
                key: 'window',
                label: batch ? '一行几格（0：按最长）' : '看几个（0：全部）',
                value: state.window,
                min: 0,
                max: MOST,
                integer: true,
                set: (window) => this.change({window, step: 0}),
              })
        }
        ${
          batch
            ? listBox(this, {
                key: 'lengths',
                label: '各句长度',
                values: state.lengths,
                read: schema.lengths.read,
                set: (lengths) => this.change({lengths, step: 0}),
              })
            : nothing
        }
      </div>`;
  }

  #take(patch: Partial<MaskState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
