// <attn-backward>: the gradients of attention, from dO back to Q, K and V, on a 3 × 4 example.

import {html, type TemplateResult} from 'lit';
import {listBox, numberBox} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import type {Need} from '../shared/runtime.js';
import {momentOf, stops} from './attn-backward/moment.js';
import {
  type BackwardResult,
  type BackwardState,
  COLUMNS,
  compute,
  flat,
  type Input,
  INPUTS,
  MISTAKES,
  schema,
  SEEDS,
} from './attn-backward/state.js';
import {view} from './attn-backward/view.js';
import {says, steps, table} from './attn-backward/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/**
 * The way back through attention, checked by finite differences.
 *
 * @name 梯度往回走
 * @summary 从dO一步步算回dV、dP、dS、dQ、dK，每个数都能拖，随时用有限差分核对。
 * @attr seed q k v grad mistake row column at
 * @fires attn-change  detail: {state, result}
 */
export class AttnBackward extends AttnWidget<BackwardState, BackwardResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<BackwardState, BackwardResult> = {
    tag: 'attn-backward',
    title: '梯度往回走',
    hint: '按▶一步步往回走。带虚线的数横着拖；点结果里的一格，看它怎样算。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  readonly #walk = new Playhead(this, {
    seconds: 20,
    stops,
    at: () => this.state.at,
    show: (at) => this.preview({at: Number(at.toFixed(4))}),
    settle: () => this.change({}),
  });

  protected override body(state: BackwardState, result: BackwardResult): TemplateResult {
    const {step, lit} = momentOf(state);
    const touch = {
      move: (input: Input, row: number, column: number, value: number) => {
        this.drafts.clear();
        this.preview(this.#changed(input, COLUMNS * row + column, value));
      },
      done: () => this.change({}),
      choose: (row: number, column: number) =>
        this.change({row: row + 1, column: column + 1, at: this.#stopped()}),
    };
    const spoken = lit ? `${step.name}，第${lit.row + 1}行第${lit.column + 1}列` : '还没开始';
    return html`<div class="controls live">${this.controls(state, result)}</div>
      <div class="view">${view(state, result, touch)}</div>
      <div class="live">${this.#walk.bar('走到哪一步', spoken)}</div>
      ${this.#tables(result)}`;
  }

  protected override controls(state: BackwardState, _result: BackwardResult): TemplateResult {
    return html`<div class="ways" role="group" aria-label="写法">
        ${MISTAKES.map(
          ({id, name, code}) =>
            html`<button
              type="button"
              class=${id === 'nothing' ? 'way' : 'way bad'}
              aria-pressed=${state.mistake === id ? 'true' : 'false'}
              @click=${() => this.change({mistake: id})}
            >
              ${name}<code>${code}</code>
            </button>`,
        )}
      </div>
      <div class="row">
        <button type="button" class="chip" @click=${() => this.#draw(state.seed + 1)}>
          换一组数
        </button>
        <span class="group seed"
          >${numberBox(this, {
            key: 'seed',
            label: '种子',
            value: state.seed,
            ...SEEDS,
            set: (seed) => this.#draw(seed),
          })}</span
        >
      </div>`;
  }

  /** The same numbers as texts, to type or to paste. */
  #tables(result: BackwardResult): TemplateResult {
    return html`<details class="exact live">
      <summary>直接填数</summary>
      <div class="dials">
        ${INPUTS.map(({input, name}) =>
          listBox(this, {
            key: input,
            label: `${name}，3行4列`,
            values: flat(result[input]),
            read: schema[input].read,
            set: (values) => this.change({[input]: values}),
          }),
        )}
      </div>
    </details>`;
  }

  /** One number of a table; the table is then the reader's own. */
  #changed(input: Input, cell: number, value: number): Partial<BackwardState> {
    const values = this.result ? flat(this.result[input]) : [];
    return {[input]: values.map((old, i) => (i === cell ? value : old))};
  }

  #draw(seed: number): void {
    this.drafts.clear();
    this.change({seed: Math.min(SEEDS.max, seed), q: [], k: [], v: [], grad: []});
  }

  /** The end of the step that is shown. */
  #stopped(): number {
    return (momentOf(this.state).index + 1) / (stops().length - 1);
  }
}
