// <attn-timing>: the time of attention over the number of tokens, measured in the reader's tab.

import {html, type TemplateResult} from 'lit';
import {listBox, numberBox} from '../shared/number-box.js';
import type {Need} from '../shared/runtime.js';
import {measure, type Progress} from './attn-timing/measure.js';
import {compute, RANGES, schema, type TimingResult, type TimingState} from './attn-timing/state.js';
import {view} from './attn-timing/view.js';
import {says, steps, table} from './attn-timing/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** Times that a tab measured, for the state that they belong to. */
interface Measured extends Partial<Progress> {
  readonly state: string;
  running: boolean;
}

/**
 * Counted work and measured time of attention.
 *
 * @name 在你的机器上量
 * @summary 长度翻倍，运算四倍，时间呢？在这一页里热身、再量，与n²比。
 * @attr lengths heads width
 * @fires attn-change  detail: {state, result}
 */
export class AttnTiming extends AttnWidget<TimingState, TimingResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<TimingState, TimingResult> = {
    tag: 'attn-timing',
    title: '在你的机器上量一量',
    hint: '按「量一量」：先热身，再量每个长度，看点落不落在n²的线上。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  #measured: Measured | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#measured = null;
  }

  /** Times of another state are forgotten, and a measurement of it ends. */
  protected override completed(result: TimingResult, state: TimingState): TimingResult {
    const measured = this.#measured;
    if (measured?.state !== JSON.stringify(state)) {
      this.#measured = null;
      return result;
    }
    const {cold = null, timed, running} = measured;
    return {
      cold,
      running,
      rows: result.rows.map((row) => ({...row, timed: timed?.get(row.length) ?? null})),
    };
  }

  protected override controls(state: TimingState, result: TimingResult): TemplateResult {
    return html`<div class="row" role="group" aria-label="测量">
        <button type="button" class="chip" @click=${result.running ? this.#stop : this.#start}>
          ${result.running ? '停下' : '量一量'}
        </button>
      </div>
      <div class="dials">
        ${listBox(this, {
          key: 'lengths',
          label: '词元数n',
          values: state.lengths,
          read: schema.lengths.read,
          set: (lengths) => this.change({lengths}),
        })}
        ${numberBox(this, {
          key: 'heads',
          label: '头数',
          value: state.heads,
          ...RANGES.heads,
          set: (heads) => this.change({heads}),
        })}
        ${numberBox(this, {
          key: 'width',
          label: '头宽d',
          value: state.width,
          ...RANGES.width,
          set: (width) => this.change({width}),
        })}
      </div>`;
  }

  readonly #start = (): void => {
    if (this.awaits(this.#start)) return;
    const {state} = this;
    const mine: Measured = {state: JSON.stringify(state), running: true};
    this.#measured = mine;
    this.refresh();
    const stopped = () => this.#measured !== mine || !mine.running;
    void measure(this.resources, state, stopped, (progress) => {
      Object.assign(mine, progress);
      this.refresh();
    }).then(() => {
      mine.running = false;
      if (this.#measured === mine) this.refresh();
    });
  };

  /** The lengths that are measured stay. */
  readonly #stop = (): void => {
    if (this.#measured) this.#measured.running = false;
    this.refresh();
  };
}
