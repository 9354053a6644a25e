// <attn-softmax>: one row of scores, three ways to turn it into weights.

import {html, nothing, svg, type TemplateResult} from 'lit';
import type {Entry, Method, Precision, Status, WeighTrace} from '../core.js';
import {fixed, general, percent, plain} from '../shared/format.js';
import {numberBox, slider} from '../shared/number-box.js';
import {color, figure, hatch, panel, rule, text, upright} from '../shared/plot.js';
import {
  choiceField,
  flagField,
  numberField,
  numbersField,
  textsField,
  type Schema,
} from '../shared/schema.js';
import type {Resources} from '../shared/runtime.js';
import {givenRow} from '../shared/world.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface SoftmaxState {
  /** 一行分数 */
  scores: readonly number[];
  /** 每个分数的词，缺的用甲、乙、丙补 */
  labels: readonly string[];
  /** 分法 */
  method: Method;
  /** 温度τ，只用于softmax；以2为底就是1÷ln 2 */
  temperature: number;
  /** 整行加上的常数 */
  offset: number;
  /** 每一步按哪种数舍入 */
  precision: Precision;
  /** 先减去最大值再取指数 */
  stable: boolean;
}

export interface SoftmaxResult {
  trace: WeighTrace;
  labels: string[];
  /** Weight of the first token ÷ weight of the second, with all tokens and without the last one. */
  ratio: {withLast: number | null; withoutLast: number | null} | null;
  /** e to a power above this one overflows the format. */
  largestPower: number;
}

const LARGEST: Record<Precision, number> = {
  float64: Number.MAX_VALUE,
  float32: (2 - 2 ** -23) * 2 ** 127,
};
const MOST_TOKENS = 256;
const BASE_TWO = 1 / Math.LN2;
/** An added token lies this far below the lowest: far enough to be plainly irrelevant. */
const ADDED_BELOW = 7;
const FALLBACK_LABELS = '甲乙丙丁戊己庚辛壬癸';

const METHODS: readonly {method: Method; name: string}[] = [
  {method: 'share', name: '① 按占比'},
  {method: 'shift', name: '② 先减最小值'},
  {method: 'softmax', name: '③ softmax'},
];

const schema: Schema<SoftmaxState> = {
  scores: numbersField([8, 7, 9], MOST_TOKENS),
  labels: textsField([], MOST_TOKENS),
  method: choiceField<Method>('softmax', ['share', 'shift', 'softmax']),
  temperature: numberField(1, {min: 0.01, max: 1000}),
  offset: numberField(0, {min: -1e6, max: 1e6}),
  precision: choiceField<Precision>('float64', ['float64', 'float32']),
  stable: flagField(true),
};

function labelOf(labels: readonly string[], i: number): string {
  return labels[i] || FALLBACK_LABELS[i] || `第${i + 1}个`;
}

interface Preset {
  name: string;
  scores: readonly number[];
  labels: readonly string[];
}

function presets({core, world}: Resources): Preset[] {
  const row = givenRow(core, world);
  return [
    {name: '10 / 3 / −4', scores: [10, 3, -4], labels: ['苹果', '梨', '汽车']},
    {name: '8 / 7 / 9', scores: [8, 7, 9], labels: ['甲', '乙', '丙']},
    {name: '「给了」一行', scores: row.scores, labels: row.tokens},
    {name: '1000 / −1000 / 0', scores: [1000, -1000, 0], labels: []},
    {name: '88.8 / 100 / 102', scores: [88.8, 100, 102], labels: []},
  ];
}

const sameScores = (a: readonly number[], b: readonly number[]) => a.join() === b.join();

/** The labels as shown: given, a sample's own, or 甲乙丙. They stay with their scores when tokens come and go. */
function shownLabels(resources: Resources, state: SoftmaxState): string[] {
  const labels =
    state.labels.length > 0
      ? state.labels
      : (presets(resources).find((preset) => sameScores(preset.scores, state.scores))?.labels ??
        []);
  return state.scores.map((_, i) => labelOf(labels, i));
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function compute(resources: Resources, state: SoftmaxState): SoftmaxResult {
  const {core} = resources;
  const trace = core.weigh(state.scores, state);
  const ratioOf = ({weights: [first, second], defined}: WeighTrace) =>
    defined && first && second?.value ? finite(first.value / second.value) : null;
  let ratio: SoftmaxResult['ratio'] = null;
  if (state.scores.length >= 3) {
    const shorter = core.weigh(state.scores.slice(0, -1), state);
    ratio = {
      withLast: ratioOf(trace),
      withoutLast: ratioOf(shorter),
    };
  }
  return {
    trace,
    labels: shownLabels(resources, state),
    ratio,
    largestPower: core.log(LARGEST[state.precision]),
  };
}

const ROW = 44;
const STATUS_WORDS: Record<Status, string> = {ok: '', overflow: '溢出', undefined: '无定义'};

const NO_ENTRY: Entry = {value: 0, status: 'undefined'};

/** A number of the trace, or the word for its status. */
function entryText({value, status}: Entry = NO_ENTRY, digits: number): string {
  return status === 'ok' ? general(value, digits) : STATUS_WORDS[status];
}

function weightText({weights}: WeighTrace, i: number): string {
  const {value, status} = weights[i] ?? NO_ENTRY;
  return status === 'ok' ? percent(value) : STATUS_WORDS[status];
}

const weightOf = ({weights}: WeighTrace, i: number): number => weights[i]?.value ?? 0;

/** Bars share one axis, which reaches below 0 and beyond 1 only where shares do. */
function view(state: SoftmaxState, {trace, labels}: SoftmaxResult): TemplateResult {
  const shown = trace.weights.filter(({status}) => status === 'ok').map(({value}) => value);
  const low = Math.min(0, ...shown);
  const high = Math.max(1, ...shown);
  const at = (weight: number) => (100 * (weight - low)) / (high - low);
  const label = labels.map((name, i) => `${name} ${weightText(trace, i)}`).join('，');
  return figure(
    {height: ROW * labels.length + 4, label: `权重：${label}`},
    svg`
    <defs>${hatch('negative', 'wrong')}</defs>
    ${labels.map((name, i) => {
      const y = ROW * i;
      const {value: weight, status} = trace.weights[i] ?? NO_ENTRY;
      const middle = y + ROW / 2 + 5;
      const good = status === 'ok' && weight >= 0;
      return svg`${i > 0 ? rule(0, 100, y) : nothing}
        ${text(0, y + 20, name, {size: 15})}
        ${text(0, y + 36, `分数${general(state.scores[i] ?? 0, 5)}`, {size: 11, fill: 'score'})}
        ${panel(
          {x: 27, y, width: 40, height: ROW},
          svg`
          ${
            status === 'ok'
              ? svg`<rect x="${at(Math.min(0, weight))}%" y="10" width="${at(Math.max(0, weight)) - at(Math.min(0, weight))}%" height=${ROW - 20} fill=${good ? color('weight') : 'url(#negative)'}/>`
              : svg`<rect x="0%" y="10" width="100%" height=${ROW - 20} fill="url(#negative)" fill-opacity="0.5"/>`
          }
          ${upright(at(0), 6, ROW - 6, 'ink-2')}`,
        )}
        ${text(100, middle, good ? weightText(trace, i) : `✗ ${weightText(trace, i)}`, {anchor: 'end', fill: good ? 'ink' : 'wrong', weight: 600})}`;
    })}`,
  );
}

function times(ratio: number): string {
  if (ratio >= 1e5 || ratio < 0.01) return general(ratio);
  return ratio >= 100 ? fixed(ratio, 0) : fixed(ratio, 2);
}

function saysUndefined(state: SoftmaxState, {trace, labels, largestPower}: SoftmaxResult): string {
  const format = state.precision === 'float32' ? 'float32' : '双精度';
  const outside = trace.scores.findIndex(({status}) => status !== 'ok');
  if (outside >= 0) return `「${labels[outside]}」的分数已经超出${format}的范围：溢出。`;
  if (state.method === 'share') {
    return trace.sum.status === 'overflow'
      ? `分数加起来超出${format}的范围：溢出，按占比分在这里无定义。`
      : '分数加起来是0，任何一个除以0都没有意义：按占比分在这里无定义。';
  }
  if (state.method === 'shift') {
    return trace.sum.status === 'ok'
      ? '所有分数都一样，减去最小值全成了0：0÷0无定义。'
      : `分差超出${format}的范围：溢出，权重无定义。`;
  }
  const big = trace.parts.findIndex(({status}) => status === 'overflow');
  if (big >= 0)
    return `「${labels[big]}」取指数后溢出（${format}最大约e的${fixed(largestPower, 1)}次方），∞÷∞ 无定义。勾上「先减最大值」，同样的分数就有权重了。`;
  if (trace.sum.status === 'overflow')
    return `指数加起来超出${format}的范围：溢出，除以它无定义。勾上「先减最大值」，同样的分数就有权重了。`;
  return '所有指数都小得成了0，0÷0无定义。勾上「先减最大值」，同样的分数就有权重了。';
}

function saysRatio(ratio: SoftmaxResult['ratio'], labels: readonly string[]): string {
  if (ratio?.withLast == null || ratio.withoutLast == null) return '';
  const [a, b, last] = [labels[0], labels[1], labels[labels.length - 1]];
  const before = times(ratio.withoutLast);
  const after = times(ratio.withLast);
  return before === after
    ? `有没有「${last}」，「${a}」和「${b}」之比都是${after} : 1。`
    : `没有「${last}」时「${a}」和「${b}」之比是${before} : 1，有它是${after} : 1：无关的词改动了别人的份额。`;
}

/** Places by score, the highest first. Weights would not do: many can be 0. */
function scoreOrder({scores}: WeighTrace): number[] {
  const scoreOf = (i: number) => scores[i]?.value ?? 0;
  return scores.map((_, i) => i).sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
}

function says(state: SoftmaxState, result: SoftmaxResult): string {
  const {trace, labels, ratio} = result;
  // A finite part of a sum that overflowed is 0, and no share.
  if (!trace.defined || trace.sum.status !== 'ok') return saysUndefined(state, result);
  if (labels.length === 1) return `只有「${labels[0]}」一个词，它拿走全部：100.0 %。`;
  if (state.method === 'share') {
    const worst = trace.weights.reduce(
      (low, {value}, i) => (value < weightOf(trace, low) ? i : low),
      0,
    );
    if (weightOf(trace, worst) < 0) {
      return `「${labels[worst]}」分到${weightText(trace, worst)}。权重要做加权平均的系数，不能小于0：它不是权重。`;
    }
    return '这一组分数没有负数，份额都说得通；给整行加一个常数，或添一个负分，再看。';
  }
  if (state.method === 'shift') {
    const lowest = scoreOrder(trace).at(-1) ?? 0;
    return `最低分的「${labels[lowest]}」总是得0。${saysRatio(ratio, labels)}`;
  }
  const [first = 0, second = 0] = scoreOrder(trace);
  const top = weightOf(trace, first);
  const next = weightOf(trace, second);
  const gap = (trace.scores[first]?.value ?? 0) - (trace.scores[second]?.value ?? 0);
  if (gap === 0)
    return `「${labels[first]}」和「${labels[second]}」同分，权重也相同，都是${percent(top)}。${saysRatio(ratio, labels)}`;
  if (next === 0 || !Number.isFinite(top / next)) {
    const lead = Number.isFinite(gap) ? `高${general(gap)}分` : '高出的分数超过双精度的范围';
    return `「${labels[first]}」比第二名${lead}，拿走几乎全部：${percent(top)}。`;
  }
  const scale =
    state.temperature === 1
      ? ''
      : `，除以温度${general(state.temperature)}后差${general(gap / state.temperature)}`;
  return `「${labels[first]}」比「${labels[second]}」高${general(gap)}分${scale}，权重是它的${times(top / next)}倍。${saysRatio(ratio, labels)}`;
}

const SHIFTED_NAME: Record<Method, string> = {
  share: '分数',
  shift: '减去最小值',
  softmax: '送进指数的数',
};
const PART_NAME: Record<Method, string> = {share: '参与分配', shift: '参与分配', softmax: '取指数'};

function table(state: SoftmaxState, {trace, labels}: SoftmaxResult): Table {
  return {
    columns: ['词', '分数', SHIFTED_NAME[state.method], PART_NAME[state.method], '权重'],
    rows: labels.map((name, i) => [
      name,
      entryText(trace.scores[i], 6),
      entryText(trace.shifted[i], 6),
      entryText(trace.parts[i], 5),
      weightText(trace, i),
    ]),
  };
}

function steps(state: SoftmaxState, {trace, labels}: SoftmaxResult): TemplateResult {
  const softmax = state.method === 'softmax';
  const shift = softmax
    ? state.stable
      ? `减去这一行的最大值${entryText(trace.shift, 6)}：分差不变，指数就不会超过1。`
      : '不减最大值，直接取指数：分数一大就可能溢出。'
    : state.method === 'shift'
      ? `减去这一行的最小值${entryText(trace.shift, 6)}。`
      : '分数原样参与分配。';
  return html`<ol class="steps">
    <li>
      ${state.offset === 0 ? '分数原样。' : `每个分数加上${plain(state.offset)}。`}${shift}${softmax && state.temperature !== 1 ? `再除以温度${general(state.temperature)}。` : nothing}
      <ul>
        ${labels.map((name, i) => html`<li>${name}：${entryText(trace.scores[i], 6)} → ${entryText(trace.shifted[i], 6)}</li>`)}
      </ul>
    </li>
    ${
      softmax
        ? html`<li>
            取指数（${state.precision === 'float32' ? 'float32' : '双精度'}）。
            <ul>
              ${labels.map((name, i) => html`<li>${name}：${entryText(trace.parts[i], 5)}</li>`)}
            </ul>
          </li>`
        : nothing
    }
    <li>加起来：${entryText(trace.sum, 6)}。</li>
    <li>
      各自除以总和。
      <ul>
        ${labels.map((name, i) => html`<li>${name}：${weightText(trace, i)}</li>`)}
      </ul>
    </li>
  </ol>`;
}

/**
 * Scores to weights by share, by share after subtracting the minimum, or by softmax.
 *
 * @attr scores labels method temperature offset precision stable
 * @fires attn-change  detail: {state, result}
 */
export class AttnSoftmax extends AttnWidget<SoftmaxState, SoftmaxResult> {
  static override readonly spec: Spec<SoftmaxState, SoftmaxResult> = {
    tag: 'attn-softmax',
    title: '分数到权重',
    hint: '改一个分数，或换一组，看三种分法各自在哪里出错。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override body(state: SoftmaxState, result: SoftmaxResult): TemplateResult {
    return html`<div class="controls live">${this.#methods(state)}${this.#presets(state)}</div>
      <div
        class="score-grid ${state.scores.length > 12 ? 'long' : ''}"
        tabindex=${state.scores.length > 12 ? '0' : nothing}
      >
        <div class="boxes live">
          ${state.scores.map((score, i) => this.#scoreBox(state, result.labels[i] ?? '', score, i))}
        </div>
        <div class="view">${view(state, result)}</div>
      </div>
      <div class="controls live">${this.#dials(state)}</div>`;
  }

  #methods(state: SoftmaxState): TemplateResult {
    return html`<fieldset class="tabs">
      <legend>分法</legend>
      ${METHODS.map(
        ({method, name}) =>
          html`<label>
            <input
              type="radio"
              name="method"
              value=${method}
              ?checked=${state.method === method}
              @change=${() => this.change({method})}
            /><span>${name}</span></label
          >`,
      )}
    </fieldset>`;
  }

  #presets(state: SoftmaxState): TemplateResult {
    return html`<div class="row" role="group" aria-label="样例">
      <span>样例</span>${presets(this.resources).map(
        (preset) =>
          html`<button
            type="button"
            class="chip"
            aria-pressed=${sameScores(preset.scores, state.scores) ? 'true' : 'false'}
            @click=${() => this.#take({scores: preset.scores, labels: preset.labels, offset: 0})}
          >
            ${preset.name}
          </button>`,
      )}
      <button
        type="button"
        class="chip"
        ?disabled=${state.scores.length >= MOST_TOKENS}
        @click=${() => this.#add(state)}
      >
        加一个低分词
      </button>
    </div>`;
  }

  #scoreBox(state: SoftmaxState, name: string, score: number, i: number): TemplateResult {
    const replaced = (values: number[]) =>
      [...state.scores.slice(0, i), ...values, ...state.scores.slice(i + values.length)].slice(
        0,
        MOST_TOKENS,
      );
    return html`<div class="box">
      ${numberBox(this, {
        key: `score-${i}`,
        label: `${name}的分数`,
        bare: true,
        value: score,
        limit: MOST_TOKENS,
        set: (value) =>
          this.change({scores: state.scores.map((old, j) => (j === i ? value : old))}),
        setSeveral: (values) => this.#take({scores: replaced(values)}),
      })}<button
        type="button"
        class="remove"
        aria-label="去掉${name}"
        title="去掉${name}"
        ?disabled=${state.scores.length === 1}
        @click=${() => this.#take({scores: state.scores.filter((_, j) => j !== i), labels: shownLabels(this.resources, state).filter((_, j) => j !== i)})}
      >
        ×
      </button>
    </div>`;
  }

  #dials(state: SoftmaxState): TemplateResult {
    const softmax = state.method === 'softmax';
    return html`<div class="dials">
      ${slider(this, {key: 'offset', label: '整行加', value: state.offset, min: -20, max: 20, step: 1, set: (offset) => this.change({offset})})}
      ${
        softmax
          ? html`${slider(this, {
                key: 'temperature',
                label: '温度τ',
                value: state.temperature,
                min: 0.01,
                max: 100,
                step: 0.05,
                toTrack: (value) => Math.log10(value),
                fromTrack: (track) => Number((10 ** track).toPrecision(2)),
                set: (temperature) => this.change({temperature}),
              })}
              <button
                type="button"
                class="chip"
                aria-pressed=${state.temperature === BASE_TWO ? 'true' : 'false'}
                @click=${() => this.#take({temperature: state.temperature === BASE_TWO ? 1 : BASE_TWO})}
              >
                以2为底
              </button>
              <label class="check"
                ><input
                  type="checkbox"
                  ?checked=${state.stable}
                  @change=${(event: Event) => this.change({stable: (event.target as HTMLInputElement).checked})}
                />先减最大值</label
              >
              <label class="check"
                ><input
                  type="checkbox"
                  ?checked=${state.precision === 'float32'}
                  @change=${(event: Event) => this.change({precision: (event.target as HTMLInputElement).checked ? 'float32' : 'float64'})}
                />按float32舍入</label
              >`
          : nothing
      }
    </div>`;
  }

  #take(patch: Partial<SoftmaxState>): void {
    this.drafts.clear();
    this.change(patch);
  }

  #add(state: SoftmaxState): void {
    const lowest = Math.min(...state.scores);
    this.#take({
      scores: [...state.scores, lowest - ADDED_BELOW],
      labels: [...shownLabels(this.resources, state), '无关词'],
    });
  }
}
