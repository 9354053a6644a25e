// <attn-online-softmax>: softmax of a row that is read block by block.

import {html, type TemplateResult} from 'lit';
import {listBox, slider} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import type {Need} from '../shared/runtime.js';
import {samplesRow} from '../shared/samples.js';
import {
  BLOCKS,
  compute,
  momentOf,
  type OnlineResult,
  type OnlineState,
  PRESETS,
  schema,
  stopsOf,
} from './attn-online-softmax/state.js';
import {view} from './attn-online-softmax/view.js';
import {says, steps, table} from './attn-online-softmax/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/**
 * Online softmax: a running maximum, a running sum and a correction factor.
 *
 * @name 一块一块地做softmax
 * @summary 分数分块读，手里只留最大值与和；换了最大值，旧的和乘一个修正因子。
 * @attr scores block at
 * @fires attn-change  detail: {state, result}
 */
export class AttnOnlineSoftmax extends AttnWidget<OnlineState, OnlineResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<OnlineState, OnlineResult> = {
    tag: 'attn-online-softmax',
    title: '一块一块地做softmax',
    hint: '按▶一块一块地读；拖分数，改块的大小，看修正因子什么时候不是1。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  readonly #walk = new Playhead(this, {
    seconds: 12,
    stops: () => stopsOf(this.result as OnlineResult),
    at: () => this.state.at,
    show: (at) => this.preview({at: Number(at.toFixed(4))}),
    settle: () => this.change({}),
  });

  protected override body(state: OnlineState, result: OnlineResult): TemplateResult {
    const {index} = momentOf(state, result);
    const touch = {
      move: (i: number, value: number) => {
        this.drafts.clear();
        this.preview({scores: state.scores.map((old, j) => (j === i ? value : old))});
      },
      done: () => this.change({}),
    };
    return html`<div class="controls live">${this.controls(state)}</div>
      <div class="view">${view(state, result, touch)}</div>
      <div class="live">
        ${this.#walk.bar('读到第几块', index < 0 ? '还没读' : `第${index + 1}块`)}
      </div>`;
  }

  protected override controls(state: OnlineState): TemplateResult {
    const {scores, block} = state;
    return html`${samplesRow({
        label: '样例',
        samples: PRESETS,
        state,
        take: (patch) => this.#take(patch),
      })}
      <div class="dials">
        ${slider(this, {
          key: 'block',
          label: '每块',
          value: block,
          ...BLOCKS,
          step: 1,
          set: (next) => this.change({block: next}),
        })}
        ${listBox(this, {
          key: 'scores',
          label: '分数',
          values: scores,
          read: schema.scores.read,
          set: (next) => this.change({scores: next}),
        })}
      </div>`;
  }

  #take(patch: Partial<OnlineState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
