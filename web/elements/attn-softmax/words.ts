// The words of attn-softmax: its sentence, its table and its steps.

import {html, nothing, type TemplateResult} from 'lit';
import type {Entry, Method, Status, WeighTrace} from '../../core.js';
import {fixed, general, percent, plain} from '../../shared/format.js';
import type {SoftmaxResult, SoftmaxState} from './state.js';
import type {Table} from '../attn-widget/spec.js';

const STATUS_WORDS: Record<Status, string> = {ok: '', overflow: '溢出', undefined: '无定义'};

const NO_ENTRY: Entry = {value: 0, status: 'undefined'};

/** A number of the trace, or the word for its status. */
export function entryText({value, status}: Entry = NO_ENTRY, digits: number): string {
  return status === 'ok' ? general(value, digits) : STATUS_WORDS[status];
}

/** A sum that overflowed has no shares: a finite part divided by it is 0. */
export function weightText({weights, sum}: WeighTrace, i: number): string {
  const {value, status} = (sum.status === 'ok' ? weights[i] : undefined) ?? NO_ENTRY;
  return status === 'ok' ? percent(value) : STATUS_WORDS[status];
}

const weightOf = ({weights}: WeighTrace, i: number): number => weights[i]?.value ?? 0;

export function times(ratio: number): string {
  if (ratio >= 1e5 || ratio < 0.01) return general(ratio);
  return ratio >= 100 ? fixed(ratio, 0) : fixed(ratio, 2);
}

function saysUndefined(state: SoftmaxState, {trace, labels, largestPower}: SoftmaxResult): string {
  const format = formatName(state);
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
    return (
      `「${labels[big]}」取指数后溢出（${format}最大约e的${fixed(largestPower, 1)}次方），` +
      '∞÷∞ 无定义。勾上「先减最大值」，同样的分数就有权重了。'
    );
  if (trace.sum.status === 'overflow')
    return (
      `指数加起来超出${format}的范围：溢出，除以它无定义。` +
      '勾上「先减最大值」，同样的分数就有权重了。'
    );
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

const formatName = ({precision}: SoftmaxState): string =>
  precision === 'float32' ? 'float32' : '双精度';

/** A score in the format; one outside it is infinite there. */
function scoreOf({scores}: SoftmaxState, trace: WeighTrace, i: number): number {
  const {value, status} = trace.scores[i] ?? NO_ENTRY;
  return status === 'ok' ? value : (scores[i] ?? 0) < 0 ? -Infinity : Infinity;
}

/** The indexes ordered by score, the highest first. Weights would not do: many can be 0. */
function scoreOrder(state: SoftmaxState, trace: WeighTrace): number[] {
  const scores = state.scores.map((_, i) => scoreOf(state, trace, i));
  const ahead = (a: number, b: number) =>
    Number(scores[b]! > scores[a]!) - Number(scores[a]! > scores[b]!);
  return scores.map((_, i) => i).sort((a, b) => ahead(a, b) || a - b);
}

export function says(state: SoftmaxState, result: SoftmaxResult): string {
  const {trace, labels, ratio} = result;
  // A finite part of a sum that overflowed is 0, which is not its share.
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
    const lowest = scoreOrder(state, trace).at(-1) ?? 0;
    return `最低分的「${labels[lowest]}」总是得0。${saysRatio(ratio, labels)}`;
  }
  const [first = 0, second = 0] = scoreOrder(state, trace);
  const top = weightOf(trace, first);
  const next = weightOf(trace, second);
  const gap = scoreOf(state, trace, first) - scoreOf(state, trace, second);
  if (gap === 0)
    return (
      `「${labels[first]}」和「${labels[second]}」同分，权重也相同，都是${percent(top)}。` +
      saysRatio(ratio, labels)
    );
  if (next === 0 || !Number.isFinite(top / next)) {
    const lead = Number.isFinite(gap)
      ? `高${general(gap)}分`
      : `高出的分数超过${formatName(state)}的范围`;
    return `「${labels[first]}」比第二名${lead}，拿走几乎全部：${percent(top)}。`;
  }
  const scale =
    state.temperature === 1
      ? ''
      : `，除以温度${general(state.temperature)}后差${general(gap / state.temperature)}`;
  return (
    `「${labels[first]}」比「${labels[second]}」高${general(gap)}分${scale}，` +
    `权重是它的${times(top / next)}倍。${saysRatio(ratio, labels)}`
  );
}

const SHIFTED_NAME: Record<Method, string> = {
  share: '分数',
  shift: '减去最小值',
  softmax: '送进指数的数',
};
const PART_NAME: Record<Method, string> = {share: '参与分配', shift: '参与分配', softmax: '取指数'};

export function table(state: SoftmaxState, {trace, labels}: SoftmaxResult): Table {
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

export function steps(state: SoftmaxState, {trace, labels}: SoftmaxResult): TemplateResult {
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
      ${state.offset === 0 ? '分数原样。' : `每个分数加上${plain(state.offset)}。`}${shift}${
        softmax && state.temperature !== 1 ? `再除以温度${general(state.temperature)}。` : nothing
      }
      <ul>
        ${labels.map((name, i) => {
          const [score, shifted] = [trace.scores[i], trace.shifted[i]];
          return html`<li>${name}：${entryText(score, 6)} → ${entryText(shifted, 6)}</li>`;
        })}
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
