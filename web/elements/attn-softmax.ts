// <attn-softmax>: one row of scores, three ways to turn it into weights.

import {html, nothing, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import type {Method} from '../core.js';
import {general, percent} from '../shared/format.js';
import {numberBox, slider} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import {tabs} from '../shared/tabs.js';
import {compute} from './attn-softmax/compute.js';
import type {Ghost, SoftmaxTouch} from './attn-softmax/picture.js';
import {placeOf, presets, sameScores, TEMPERATURES, temperatureAt} from './attn-softmax/samples.js';
import {MOST_TOKENS, schema, type SoftmaxResult, type SoftmaxState} from './attn-softmax/state.js';
import {view} from './attn-softmax/view.js';
import {says, steps, table} from './attn-softmax/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

const BASE_TWO = 1 / Math.LN2;
/** An added token lies this far below the lowest score, so that it is plainly irrelevant. */
const ADDED_BELOW = 7;

const METHODS: readonly (readonly [Method, string])[] = [
  ['share', '① 按占比'],
  ['shift', '② 先减最小值'],
  ['softmax', '③ softmax'],
];

const isChecked = (event: Event) => (event.target as HTMLInputElement).checked;

/**
 * Scores to weights by share, by share after subtracting the minimum, or by softmax.
 *
 * @name 分数到权重
 * @summary 拖动分数，比较三种分法：按占比、先减最小值、softmax。
 * @attr scores labels method temperature offset precision stable pair
 * @fires attn-change  detail: {state, result}
 */
export class AttnSoftmax extends AttnWidget<SoftmaxState, SoftmaxResult> {
  static override readonly spec: Spec<SoftmaxState, SoftmaxResult> = {
    tag: 'attn-softmax',
    title: '分数到权重',
    hint: '左右拖动一个分数，看别的份额怎样跟着变。点两个词的名字，量它们差多少。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  /** Drawn until the next touch. */
  #ghost: Ghost | null = null;

  /** A reader's guess of the last token's share, 0 to 1: drawn as a ghost until the next touch. */
  set guess(share: number | null) {
    this.#ghost =
      share === null ? null : {shares: [1 - share, share], label: `你猜${percent(share, 0)}`};
    this.requestUpdate();
  }

  readonly #heat = new Playhead(this, {
    seconds: 6,
    stops: () => TEMPERATURES,
    at: () => placeOf(this.state.temperature),
    show: (at) => this.preview({temperature: temperatureAt(at)}),
    settle: () => this.change({}),
  });

  protected override body(state: SoftmaxState, result: SoftmaxResult): TemplateResult {
    const τ = general(state.temperature);
    return html`<div class="controls live">
        ${this.#methods(state)}${this.#presets(state, result)}
      </div>
      <div class="view">${view(state, result, this.#touch(state))}</div>
      ${
        state.method === 'softmax'
          ? html`<div class="beside live">
              <span>温度τ＝${τ}</span>${this.#heat.bar('温度', `τ ${τ}`)}
            </div>`
          : nothing
      }
      <details class="exact live">
        <summary>输入数字、改名字、换条件</summary>
        <div class="controls">${this.#boxes(state, result)}${this.#dials(state)}</div>
      </details>`;
  }

  #touch({scores, pair}: SoftmaxState): SoftmaxTouch {
    return {
      ghost: this.#ghost,
      move: (i, score) => {
        this.#ghost = null;
        this.drafts.clear();
        this.preview({scores: scores.map((old, j) => (j === i ? score : old))});
      },
      done: () => this.change({}),
      choose: (i) => this.change({pair: chosenPair(pair, i + 1)}),
    };
  }

  #methods(state: SoftmaxState): TemplateResult {
    return tabs({
      label: '分法',
      name: 'method',
      choices: METHODS,
      chosen: state.method,
      choose: (method) => this.change({method}),
    });
  }

  #presets(state: SoftmaxState, result: SoftmaxResult): TemplateResult {
    return html`<div class="row" role="group" aria-label="样例">
      <span>样例</span>${presets(this.resources).map(
        (preset) =>
          html`<button
            type="button"
            class="chip"
            aria-pressed=${sameScores(preset.state.scores, state.scores) ? 'true' : 'false'}
            @click=${() => this.#take(preset.state)}
          >
            ${preset.name}
          </button>`,
      )}
      <button
        type="button"
        class="chip"
        ?disabled=${state.scores.length >= MOST_TOKENS}
        @click=${() => this.#add(state, result)}
      >
        加一个低分词
      </button>
    </div>`;
  }

  #boxes(state: SoftmaxState, {labels}: SoftmaxResult): TemplateResult {
    return html`<div class="boxes">
      ${state.scores.map((score, i) => this.#box(state, labels, score, i))}
    </div>`;
  }

  #box(state: SoftmaxState, labels: readonly string[], score: number, i: number): TemplateResult {
    const {scores} = state;
    const without = <T>(list: readonly T[]) => list.filter((_, j) => j !== i);
    const name = labels[i] ?? '';
    const pasted = (values: readonly number[]) =>
      this.#take({
        scores: [...scores.slice(0, i), ...values, ...scores.slice(i + values.length)].slice(
          0,
          MOST_TOKENS,
        ),
      });
    const rename = (event: Event) => {
      const given = (event.target as HTMLInputElement).value.replaceAll(/[,，]/g, '').trim();
      this.#take({labels: labels.map((old, j) => (j === i ? given : old))});
    };
    return html`<div class="box">
      <input
        class="name"
        aria-label="第${i + 1}个词的名字"
        maxlength="12"
        .value=${live(name)}
        @change=${rename}
      />${numberBox(this, {
        key: `score-${i}`,
        label: `${name}的分数`,
        bare: true,
        value: score,
        limit: MOST_TOKENS,
        set: (value) => this.change({scores: scores.map((old, j) => (j === i ? value : old))}),
        setSeveral: pasted,
      })}<button
        type="button"
        class="remove"
        aria-label="去掉${name}"
        title="去掉${name}"
        ?disabled=${scores.length === 1}
        @click=${() => this.#take({scores: without(scores), labels: without(labels)})}
      >
        ×
      </button>
    </div>`;
  }

  #dials(state: SoftmaxState): TemplateResult {
    const softmax = state.method === 'softmax';
    return html`<div class="dials">
      ${slider(this, {
        key: 'offset',
        label: '整行加',
        value: state.offset,
        min: -20,
        max: 20,
        step: 1,
        set: (offset) => this.change({offset}),
      })}
      ${
        softmax
          ? html`${numberBox(this, {
                key: 'temperature',
                label: '温度τ',
                value: state.temperature,
                min: 0.01,
                max: 1000,
                by: 0.1,
                set: (temperature) => this.change({temperature}),
              })}
              <button
                type="button"
                class="chip"
                aria-pressed=${state.temperature === BASE_TWO ? 'true' : 'false'}
                @click=${() =>
                  this.#take({temperature: state.temperature === BASE_TWO ? 1 : BASE_TWO})}
              >
                以2为底
              </button>
              <label class="check"
                ><input
                  type="checkbox"
                  ?checked=${state.stable}
                  @change=${(event: Event) => this.change({stable: isChecked(event)})}
                />先减最大值</label
              >
              <label class="check"
                ><input
                  type="checkbox"
                  ?checked=${state.precision === 'float32'}
                  @change=${(event: Event) =>
                    this.change({precision: isChecked(event) ? 'float32' : 'float64'})}
                />按float32舍入</label
              >`
          : nothing
      }
    </div>`;
  }

  #take(patch: Partial<SoftmaxState>): void {
    this.#ghost = null;
    this.drafts.clear();
    this.change(patch);
  }

  #add(state: SoftmaxState, {trace, labels}: SoftmaxResult): void {
    const shares = trace.weights.map(({value}) => value);
    this.#take({
      scores: [...state.scores, Math.min(...state.scores) - ADDED_BELOW],
      labels: [...labels, '无关词'],
    });
    this.#ghost = trace.valid ? {shares} : null;
    this.requestUpdate();
  }
}

/** A third name replaces the older of two; a chosen name is deselected. */
function chosenPair(pair: readonly number[], place: number): number[] {
  return pair.includes(place) ? pair.filter((one) => one !== place) : [...pair, place].slice(-2);
}
