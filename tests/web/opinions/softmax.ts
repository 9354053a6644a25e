// <attn-softmax>: every step in the chosen format, from its definition.

import type {SoftmaxState} from '../../../web/elements/attn-softmax/state.js';
import type {State} from '../random-state.js';
import {dec, type Expected, pct, Reader, type Shown, sig, type Value} from './reading.js';

interface Worked {
  scores: number[];
  shifted: number[];
  parts: number[];
  sum: number;
  /** NaN where there is none. */
  weights: number[];
}

/** Each operation is rounded to the format. */
function work(state: SoftmaxState, input: readonly number[]): Worked {
  const round = state.precision === 'float32' ? Math.fround : (x: number) => x;
  const softmax = state.method === 'softmax';
  const scores = input.map((score) => round(round(score) + round(state.offset)));
  const taken =
    state.method === 'shift'
      ? Math.min(...scores)
      : softmax && state.stable
        ? Math.max(...scores)
        : 0;
  const shifted = scores.map((score) =>
    softmax ? round(round(score - taken) / round(state.temperature)) : round(score - taken),
  );
  const parts = softmax ? shifted.map((x) => round(Math.exp(x))) : shifted;
  const sum = parts.reduce((total, part) => round(total + part), 0);
  const whole = Number.isFinite(sum) && sum !== 0;
  return {
    scores,
    shifted,
    parts,
    sum,
    weights: parts.map((part) => (whole ? round(part / sum) : NaN)),
  };
}

/** 2.72, 221, 1.10×10⁹. */
function factor(ratio: number, slack: number): Expected {
  if (ratio >= 1e5 || ratio < 0.01) return sig(ratio, 4, slack);
  return dec(ratio, ratio >= 100 ? 0 : 2, slack);
}

export function softmaxOpinion(state: SoftmaxState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {scores, shifted, parts, sum, weights} = work(state, state.scores);
  // A step of the format, many times over: exp and a long sum round differently elsewhere.
  const error = state.precision === 'float32' ? 3e-5 : 1e-9;
  const close = (value: number) => error * Math.abs(value);
  const names = shown.rows.map((row) => row[0] ?? '');
  const entry = (value: number, digits: number): Value =>
    Number.isNaN(value)
      ? '无定义'
      : Number.isFinite(value)
        ? sig(value, digits, close(value))
        : '溢出';
  reader.table(
    names.map((name, i) => [
      name,
      entry(scores[i]!, 6),
      entry(shifted[i]!, 6),
      entry(parts[i]!, 5),
      Number.isNaN(weights[i]!) ? '无定义' : pct(weights[i]!, 1, close(weights[i]!)),
    ]),
  );
  if (weights.some(Number.isNaN)) {
    const outside = scores.findIndex((score) => !Number.isFinite(score));
    if (outside >= 0) {
      reader.says(`「${names[outside]}」的分数已经超出`);
      return reader.wrong;
    }
    reader.says('无定义');
    if (state.method === 'softmax') {
      const big = parts.findIndex((part) => part === Infinity);
      if (big >= 0) reader.says(`「${names[big]}」取指数后溢出`);
      else reader.says(sum === 0 ? '所有指数都小得成了0' : '指数加起来超出');
    } else if (sum === 0) reader.says(state.method === 'share' ? '加起来是0' : '都一样');
    else reader.says('溢出');
    return reader.wrong;
  }
  if (names.length === 1) {
    reader.says(`只有「${names[0]}」一个词，它拿走全部：100.0 %。`);
    return reader.wrong;
  }
  if (state.method === 'share') {
    const least = Math.min(...weights);
    if (least < 0)
      reader.says(`「${names[weights.indexOf(least)]}」分到*。`, pct(least, 1, close(least)));
    else reader.says('这一组分数没有负数');
    return reader.wrong;
  }
  const byScore = names.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const [first = 0, second = 0] = byScore;
  const [top = 0, next = 0] = [weights[first], weights[second]];
  const gap = scores[first]! - scores[second]!;
  if (state.method === 'shift') reader.says(`最低分的「${names[byScore.at(-1)!]}」总是得0`);
  else if (gap === 0)
    reader.says(
      `「${names[first]}」和「${names[second]}」同分，权重也相同，都是*。`,
      pct(top, 1, close(top)),
    );
  else if (next === 0 || !Number.isFinite(top / next)) {
    if (Number.isFinite(gap))
      reader.says(`「${names[first]}」比第二名高*分，`, sig(gap, 4, close(gap)));
    else reader.says(`「${names[first]}」比第二名高出的分数超过`);
    reader.says('拿走几乎全部：*。', pct(top, 1, close(top)));
  } else {
    reader.says(`「${names[first]}」比「${names[second]}」高*分`, sig(gap, 4, close(gap)));
    if (state.temperature !== 1)
      reader.says(
        '除以温度*后差*，权重',
        sig(state.temperature),
        sig(gap / state.temperature, 4, close(gap / state.temperature)),
      );
    // A small weight has few digits of its own.
    const least = state.precision === 'float32' ? 2 ** -149 : Number.MIN_VALUE;
    reader.says('权重是它的*倍', factor(top / next, (close(1) + least / next) * (top / next)));
  }
  sayRatio(state, reader, {shown, names, weights, close});
  return reader.wrong;
}

/** Whether the last token changes the ratio of the first two. */
function sayRatio(
  state: SoftmaxState,
  reader: Reader,
  more: {shown: Shown; names: string[]; weights: number[]; close: (value: number) => number},
): void {
  const {shown, names, weights, close} = more;
  const saysIt = /之比(都)?是/.test(shown.says);
  if (!saysIt) return;
  const before = work(state, state.scores.slice(0, -1)).weights;
  const [a, b, last] = [names[0], names[1], names.at(-1)];
  const ratio = ([x = 0, y = 0]: number[]) =>
    // Two weights may be the last digits of the format.
    factor(x / y, close(x / y) + (Math.min(x, y) < 1e-300 ? x / y : 0));
  if (shown.says.includes('有没有'))
    for (const both of [weights, before])
      reader.says(`有没有「${last}」，「${a}」和「${b}」之比都是* : 1。`, ratio(both));
  else
    reader.says(
      `没有「${last}」时「${a}」和「${b}」之比是* : 1，有它是* : 1`,
      ratio(before),
      ratio(weights),
    );
}

const EXTREMES = [0, -1e308, 1e308, 500, 2000, 1e-320, -745, 709.7, 88.7, -103.9];

/** Few scores, of the sizes that lessons use, and the edges of both formats. */
export function sampleSoftmax(state: State, random: () => number): State {
  if (random() < 0.2) return state;
  const scores = Array.from({length: 1 + Math.floor(6 * random())}, () =>
    random() < 0.3
      ? EXTREMES[Math.floor(EXTREMES.length * random())]
      : Math.round(400 * random() - 200) / 10,
  );
  const plain = random() < 0.5 ? {offset: 0, temperature: 1} : {};
  const labels = random() < 0.2 ? state['labels'] : [];
  return {...state, ...plain, scores, labels};
}
