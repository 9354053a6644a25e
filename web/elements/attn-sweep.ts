// <attn-sweep>: the width from which ÷√d matters, recorded and measured anew in the page.

import {html, nothing, type TemplateResult} from 'lit';
import type {WidthsContent} from '../shared/content.js';
import {integer} from '../shared/format.js';
import {numberBox, slider} from '../shared/number-box.js';
import {goingOn, RUNS} from '../training/sweep.js';
import {desk, expectCorpus} from './attn-sweep/run.js';
import {
  compute,
  criticalOf,
  RANGES,
  rowsOf,
  schema,
  type SweepResult,
  type SweepState,
} from './attn-sweep/state.js';
import {view} from './attn-sweep/view.js';
import {says, steps, table} from './attn-sweep/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** Relative time of a step: the layers' products grow with the square of the width. */
const costOf = (width: number) => width * (width + 400);

/**
 * Twelve runs over the width of a head, with and without ÷√d.
 *
 * @name 从多宽起要除
 * @summary 头越宽，不除√d越吃亏：十二次训练，看两条线从哪里分开，在这一页里可以重做。
 * @attr seed steps apart
 * @fires attn-change  detail: {state, result}
 */
export class AttnSweep extends AttnWidget<SweepState, SweepResult, WidthsContent> {
  static override readonly spec: Spec<SweepState, SweepResult, WidthsContent> = {
    tag: 'attn-sweep',
    title: '从多宽起，不除√d会吃亏',
    hint: '拖「差到多少才算分开」，看从哪个宽度起。再点「开始」，在这一页里把十二次都练一遍：可以暂停，刷新以后接着练。',
    schema,
    content: () => 'widths',
    compute,
    view,
    says,
    table,
    steps,
  };

  override connectedCallback(): void {
    super.connectedCallback();
    desk.addEventListener('change', this.#onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    desk.removeEventListener('change', this.#onChange);
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    this.refresh();
  }

  /** The first drawing is the build's; afterwards the page's sweep is part of the result. */
  protected override completed(result: SweepResult, state: SweepState): SweepResult {
    if (!this.hasUpdated) return result;
    const {sweep, kept} = desk;
    const mine =
      sweep && sweep.plan.seed === state.seed && sweep.plan.steps === state.steps ? sweep : null;
    const live = mine && rowsOf(mine.done);
    const judged = live && mine?.phase === 'done' ? live : result.recorded;
    return {
      ...result,
      live,
      // A copy, since the desk changes its own.
      sweep: mine && {...mine},
      kept,
      critical: judged && criticalOf(judged, state.apart),
    };
  }

  protected override controls(state: SweepState, {sweep, kept}: SweepResult): TemplateResult {
    const going = goingOn(desk.sweep);
    const box = (key: 'seed' | 'steps', label: string) =>
      numberBox(this, {
        key,
        label,
        value: state[key],
        ...RANGES[key],
        disabled: going,
        set: (value) => this.change({[key]: value}),
      });
    return html`<div class="dials">
        ${slider(this, {
          key: 'apart',
          label: '差到多少才算分开',
          value: state.apart,
          ...RANGES.apart,
          by: 0.01,
          step: 0.01,
          set: (apart) => this.change({apart}),
        })}
        ${box('steps', '每次的步数')}<span class="group seed">${box('seed', '种子')}</span>
      </div>
      <div class="row" role="group" aria-label="训练">
        ${this.#button(kept && this.#same(state) ? '接着练' : '开始', !going, this.#start)}
        ${
          sweep?.phase === 'paused'
            ? this.#button('继续', true, () => desk.resume())
            : this.#button('暂停', sweep?.phase === 'running', () => desk.pause())
        }
        ${this.#button('停下', going, () => desk.stop())}
      </div>
      ${this.#note(state)}`;
  }

  #same({seed, steps}: SweepState): boolean {
    const plan = desk.kept?.plan;
    return plan?.seed === seed && plan.steps === steps;
  }

  /** The button keeps its place and the focus, enabled or not. */
  #button(name: string, usable: boolean, act: () => void): TemplateResult {
    return html`<button
      type="button"
      class="chip"
      aria-disabled=${usable ? 'false' : 'true'}
      @click=${() => {
        if (usable) act();
      }}
    >
      ${name}
    </button>`;
  }

  #note(state: SweepState): TemplateResult | typeof nothing {
    const {sweep, kept} = desk;
    if (goingOn(sweep)) {
      const left = this.#secondsLeft(state.steps);
      const time =
        left === null
          ? ''
          : `还要约${left < 90 ? `${integer(left)}秒` : `${integer(left / 60)}分钟`}。`;
      return html`<p class="reading">${time}练完的每一次都已存下，刷新以后接着练。</p>`;
    }
    if (kept && this.#same(state))
      return html`<p class="reading">
        上次练完${kept.done.length}次，共${RUNS.length}次，都在；点「接着练」。
      </p>`;
    return nothing;
  }

  /** By the steps that are made, each as long as its width lets expect. */
  #secondsLeft(steps: number): number | null {
    const {sweep} = desk;
    if (!sweep?.now || sweep.seconds === 0) return null;
    const cost = (from: number, to: number) =>
      RUNS.slice(from, to).reduce((sum, {width}) => sum + costOf(width), 0);
    const begun = (sweep.now.step / steps) * costOf(sweep.now.width);
    const made = cost(0, sweep.done.length) + begun;
    return made === 0 ? null : (sweep.seconds / made) * (cost(0, RUNS.length) - made);
  }

  readonly #start = (): void => {
    const {content, state} = this;
    if (content === undefined) return;
    expectCorpus(content.corpus);
    void desk.start({seed: state.seed, steps: state.steps});
  };

  readonly #onChange = (): void => {
    // A hidden tab draws nothing; its next report draws again.
    if (!document.hidden || !goingOn(desk.sweep)) this.refresh();
  };
}
