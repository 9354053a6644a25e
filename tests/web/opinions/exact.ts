// Work and traffic of attention, online softmax, and the operations behind a measured time.

import type {OnlineState} from '../../../web/elements/attn-online-softmax/state.js';
import type {TimingState} from '../../../web/elements/attn-timing/state.js';
import type {TrafficState} from '../../../web/elements/attn-traffic.js';
import {softmax} from './arithmetic.js';
import {dec, int, power, Reader, type Shown, sig, type Value} from './reading.js';

const BYTES = ['B', 'KB', 'MB', 'GB', 'TB'];
const SECONDS = ['ns', 'μs', 'ms', 's'];

/** "1.07 GB": three digits and the largest unit that the value fills; `units` in steps of 1000. */
function measured(reader: Reader, text: string, value: number, units: readonly string[]): void {
  const [number = '', unit = ''] = text.split(' ');
  let step = 0;
  while (step < units.length - 1 && value >= 1000 ** (step + 1)) step++;
  reader.is(unit, units[step] ?? '', text);
  reader.is(number, sig(value / 1000 ** step, 3), text);
}

const time = (reader: Reader, text: string, seconds: number) =>
  measured(reader, text, seconds * 1e9, SECONDS);

/** The texts in the places of the stars. */
function starsOf({says}: Shown, ...patterns: string[]): string[] {
  for (const pattern of patterns) {
    const found = new RegExp(`^${pattern.replaceAll('*', '([^，。：]+)')}$`, 'u').exec(says);
    if (found) return found.slice(1);
  }
  return [];
}

export function trafficOpinion(state: TrafficState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {length, width, heads, bytes, block, tera, bandwidth} = state;
  // Written and read one after another, as the naive way does it.
  const square = length * length * bytes;
  const strip = length * width * bytes;
  const operands = heads * (strip + strip + strip + strip);
  const scores = heads * (square + square + square + square);
  let blocks = Math.floor(length / block);
  if (blocks * block < length) blocks++;
  const tiled = heads * (2 * strip + 2 * strip * blocks);
  // Two products, each with n² sums of d terms: a multiplication and an addition a term.
  const operations = heads * 2 * (2 * length * length * width);
  const work = operations / (tera * 1e12);
  const seconds = (moved: number) => moved / (bandwidth * 1e9);

  const cells = (i: number, j: number) => reader.cell(i, j);
  reader.is(cells(0, 1).replace(/次$/, ''), sig(operations), 'operations');
  time(reader, cells(0, 2), work);
  [operands, scores, operands + scores, tiled, heads * square].forEach((size, i) =>
    measured(reader, cells(i + 1, 1), size, BYTES),
  );
  time(reader, cells(3, 2), seconds(operands + scores));
  time(reader, cells(4, 2), seconds(tiled));

  const moving = seconds(operands + scores);
  const slowMoving = moving > work;
  const said = starsOf(
    shown,
    slowMoving
      ? '标准写法里，搬要*，是算的*倍：慢在搬。分块以后搬只要*，算要*：慢在算，不在搬。'
      : '标准写法里，算要*，是搬的*倍：慢在算。分块以后搬只要*，算要*：慢在算，不在搬。',
    slowMoving
      ? '标准写法里，搬要*，是算的*倍：慢在搬。分块以后搬要*，仍比算的*多。'
      : '标准写法里，算要*，是搬的*倍：慢在算。分块以后搬要*，仍比算的*多。',
  );
  const [first = '', times = '', tiles = '', works = ''] = said;
  time(reader, first, Math.max(moving, work));
  reader.is(times, sig(Math.max(moving, work) / Math.min(moving, work), 3), 'times');
  time(reader, tiles, seconds(tiled));
  time(reader, works, work);
  if (seconds(tiled) > work) reader.saysNot('不在搬');
  else reader.saysNot('仍比');
  return reader.wrong;
}

/** The same value with as many digits as the text has. */
function asPrinted(text: string, value: number): Value {
  const [digits = '', exponent] = text.split('×10');
  const decimals = digits.split('.')[1]?.length ?? 0;
  return exponent === undefined ? dec(value, decimals) : power(value, decimals);
}

const small = (value: number): Value =>
  value > 0 && value < 5e-4 ? power(value, 1) : dec(value, 3);

/** The places of a score's block, and what a reader has after it. */
function seen(scores: readonly number[], block: number, i: number) {
  const begin = i * block;
  const until = scores.slice(0, begin + block);
  const max = Math.max(...until);
  const before = scores.slice(0, begin);
  const oldMax = Math.max(...before);
  const sumTo = (values: readonly number[], most: number) =>
    values.reduce((sum, score) => sum + Math.exp(score - most), 0);
  return {
    max,
    oldMax,
    sum: sumTo(until, max),
    oldSum: sumTo(before, oldMax),
    added: sumTo(until.slice(begin), max),
    correction: Math.exp(oldMax - max),
  };
}

export function onlineOpinion({scores, block, at}: OnlineState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const whole = softmax(scores);
  reader.table(
    scores.map((score, j) => {
      const i = Math.floor(j / block);
      const {max, sum, correction} = seen(scores, block, i);
      const opens = j % block === 0;
      return [
        String(j + 1),
        sig(score),
        String(i + 1),
        opens ? sig(max) : '',
        opens ? (i === 0 ? '没有旧的和' : small(correction)) : '',
        opens ? dec(sum, 3) : '',
        small(whole[j] ?? 0),
        small(whole[j] ?? 0),
      ];
    }),
  );
  const blocks = Math.ceil(scores.length / block);
  const place = at * blocks;
  const onStop = Math.abs(place - Math.round(place)) < 0.02;
  const read = onStop ? Math.round(place) : Math.min(blocks, Math.floor(place) + 1);
  if (read === 0) {
    reader.says('还没有读');
    return reader.wrong;
  }
  const {max, oldMax, sum, oldSum, added, correction} = seen(scores, block, read - 1);
  if (read === blocks && onStop) {
    const [count = '', m = '', total = '', rest = ''] = starsOf(
      shown,
      '读完*块，m＝*，ℓ＝*。权重是e\\^\\(s−m\\)÷ℓ，与一次读完整行的softmax相比，*。',
    );
    reader.is(count, int(blocks));
    reader.is(m, sig(max));
    reader.is(total, dec(sum, 3));
    if (rest !== '一位不差' && !/^最多差\d×10⁻¹[⁴⁵⁶⁷⁸]$/u.test(rest))
      reader.is(rest, 'a difference of rounding');
  } else if (read === 1) {
    reader.says('第1块：最大的是*，和ℓ＝*。', sig(max), dec(sum, 3));
  } else {
    if (max > oldMax) reader.says(`第${read}块里有更大的*，m从*变成它；`, sig(max), sig(oldMax));
    else reader.says(`第${read}块没有更大的，m还是*，修正因子是1：`, sig(max));
    const line = /：([^：]*?)×([^：]*?)＋([^：]*?)[＝≈]([^：]*?)。$/u.exec(shown.says);
    const [, old = '', factor = '', part = '', total = ''] = line ?? [];
    reader.is(old, asPrinted(old, oldSum));
    reader.is(factor, asPrinted(factor, correction));
    reader.is(part, asPrinted(part, added));
    reader.is(total, dec(sum, 3));
  }
  return reader.wrong;
}

/** Operations of the two products, by their definition; nothing is measured in Node. */
export function timingOpinion(state: TimingState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {lengths, heads, width} = state;
  // n² scores and n · d outputs, each a sum of d or n terms of two operations.
  const work = (n: number) => heads * (n * n * width * 2 + n * width * n * 2);
  const first = work(lengths[0]!);
  reader.table(
    lengths.map((n): Value[] => [
      int(n),
      sig(work(n)),
      sig(work(n) / first),
      ...['没有量', '', '', '', ''],
    ]),
  );
  const [start, end] = [lengths[0]!, lengths.at(-1)!];
  if (start === end)
    reader.says('n＝*，要做*次运算。时间要在你这台机器上量', int(start), sig(first));
  else
    reader.says(
      'n从*到*，运算是*倍。时间要在你这台机器上量',
      int(start),
      int(end),
      sig(work(end) / first, 3),
    );
  return reader.wrong;
}
