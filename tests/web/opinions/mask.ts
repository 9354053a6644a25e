// <attn-mask>: who sees whom, from the rules, and the softmax of what is seen.

import type {MaskState} from '../../../web/elements/attn-mask/state.js';
import type {TeachingWorld} from '../../../web/shared/world.js';
import type {State} from '../random-state.js';
import {dot, mix, type Rows, softmax, times} from './arithmetic.js';
import {dec, int, pct, Reader, type Shown, type Value} from './reading.js';

const MOST = 12;

interface Seat {
  label: string;
  /** Number of the sequence; −1 of padding. */
  of: number;
}

/** Sequences in rows: padded to the longest, or packed one after another. */
function seats({kind, tokens, lengths, window}: MaskState, sentence: readonly string[]): Seat[][] {
  const words = tokens.length > 0 ? tokens : sentence;
  const batch = kind === 'right' || kind === 'left' || kind === 'packed';
  const sizes = batch && lengths.length > 0 ? lengths : [Math.min(words.length, MOST)];
  const width = Math.max(batch ? window : 0, ...sizes);
  const rows: Seat[][] = [];
  let word = 0;
  sizes.forEach((size, of) => {
    const seated = Array.from({length: size}, () => ({label: words[word++] ?? String(word), of}));
    const last = rows.at(-1);
    if (kind === 'packed' && last && last.length + size <= width) last.push(...seated);
    else rows.push(seated);
  });
  return rows.map((row) => {
    const padding = Array.from({length: width - row.length}, () => ({label: '补', of: -1}));
    return kind === 'left' ? [...padding, ...row] : [...row, ...padding];
  });
}

/** The query sees itself and what came before, within its window and its sequence; no padding. */
function sees(
  state: MaskState,
  row: readonly Seat[],
  i: number,
  j: number,
  wrong: boolean,
): boolean {
  const mistake = wrong ? state.mistake : 'none';
  const [asking, asked] = [row[i]!, row[j]!];
  const reach = state.kind === 'window' && state.window > 0 ? state.window : row.length;
  const rule =
    j <= i &&
    i - j < reach + (mistake === 'wide' ? 1 : 0) &&
    asked.of >= 0 &&
    !(mistake === 'query' && asking.of < 0) &&
    (state.kind !== 'packed' || mistake === 'cross' || asking.of === asked.of);
  if (mistake === 'open') return true;
  return mistake === 'inverted' ? !rule : rule;
}

interface Row {
  label: string;
  /** The sequence of the position; −1 for padding. */
  of: number;
  /** Pairs that are used, and the weights without any mask. */
  shown: boolean[];
  free: number[];
  /** The weights; null where the row is undefined. */
  weights: number[] | null;
  visible: number;
  leaks: boolean[];
  /** Pairs with a weight that the rule hides. */
  broken: number;
  output: number[] | null;
}

/** A row with its mistake, in the numbers of the format that the mistake names. */
function weigh(state: MaskState, scores: readonly number[], shown: readonly boolean[], i: number) {
  const {mistake, empty} = state;
  const none = shown.every((each) => !each);
  switch (mistake) {
    case 'zero':
      return softmax(scores.map((score, j) => (shown[j] ? score : 0)));
    case 'after':
      return softmax(scores).map((weight, j) => (shown[j] ? weight : 0));
    case 'bfloat16':
      // −10⁹ drowns the score of a hidden pair: all hidden ones have the same.
      return softmax(scores.map((score, j) => (shown[j] ? bfloat16(score) : -1e9)));
    case 'float16':
      // −10⁹ is −∞ in float16. Times 0, for a pair that is seen, it is no number.
      return null;
    default:
      if (none && empty === 'zero') return scores.map(() => 0);
      if (none && empty === 'self') return scores.map((_, j) => (j === i ? 1 : 0));
      if (none) return scores.map(() => 1 / scores.length);
      return softmax(scores.map((score, j) => (shown[j] ? score : -Infinity)));
  }
}

/** The nearest number with eight significant bits; ties go to the even one. */
function bfloat16(x: number): number {
  if (x === 0) return 0;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(x))) - 7);
  const [whole, rest] = [Math.floor(x / unit), x / unit - Math.floor(x / unit)];
  return unit * (rest > 0.5 || (rest === 0.5 && whole % 2 !== 0) ? whole + 1 : whole);
}

function rowsOf(state: MaskState, world: TeachingWorld): Row[][] {
  const painted = new Set(state.painted);
  let before = 0;
  return seats(state, world.tokens).map((row) => {
    const first = before;
    before += row.length;
    const found = row.map(({label, of}) => (of < 0 ? -1 : world.tokens.indexOf(label)));
    const x = row.map(
      ({of}, i) =>
        world.embeddings[found[i]!] ?? Array<number>(world.d_model).fill(of < 0 ? 0.5 : 0),
    );
    const project = (w: Rows) => x.map((each) => times(each, w));
    const [q, k, v] = [project(world.W_Q), project(world.W_K), project(world.W_V)];
    return row.map(({label, of}, i) => {
      const scores = k.map((key) => dot(q[i]!, key) / Math.sqrt(world.d_model));
      // A painted pair is the other way round; 405 is the fifth pair of the fourth row.
      const shown = row.map(
        (_, j) => sees(state, row, i, j, true) !== painted.has(100 * (first + i + 1) + j + 1),
      );
      const right = row.map((_, j) => sees(state, row, i, j, false));
      const weights = weigh(state, scores, shown, i);
      return {
        label,
        of,
        shown,
        free: softmax(scores),
        weights,
        visible: shown.filter(Boolean).length,
        leaks: row.map(
          (_, j) =>
            (weights?.[j] ?? 0) > 0 &&
            !(right[j] && shown[j]) &&
            !(state.empty === 'self' && i === j),
        ),
        broken: row.filter((_, j) => (weights?.[j] ?? 0) > 0 && !right[j]).length,
        output: weights && found.some((at) => at >= 0) ? mix(weights, v) : null,
      };
    });
  });
}

export function maskOpinion(state: MaskState, shown: Shown, world: TeachingWorld): string[] {
  const reader = new Reader(shown);
  const blocks = rowsOf(state, world);
  const rows = blocks.flat();
  const sum = ({weights}: Row) => weights?.reduce((total, weight) => total + weight, 0) ?? NaN;
  const sumOf = (row: Row): Value => (row.weights ? dec(sum(row), 3) : '无定义');
  rows.forEach((row, at) => {
    const cells = shown.rows[at] ?? [];
    reader.is(String(cells[0]?.split(' ').slice(1).join(' ')), row.label);
    row.leaks.forEach((leak, j) => {
      const text = cells[j + 1] ?? '';
      if (leak !== text.startsWith('✗'))
        reader.wrong.push(`a leak at ${at + 1}, ${j + 1}: ${text}`);
      reader.is(text.replace('✗ ', ''), row.weights ? pct(row.weights[j]!) : '无定义');
    });
    reader.is(cells[row.leaks.length + 1] ?? '', String(row.visible));
    reader.is(cells[row.leaks.length + 2] ?? '', sumOf(row));
    const output = cells[row.leaks.length + 3] ?? '';
    if (row.output)
      reader.vector(
        output,
        row.output.map((x) => dec(x, 2)),
      );
    else reader.is(output, '–');
  });
  if (state.at < 1) {
    saysMoment(state, reader, blocks);
    return reader.wrong;
  }
  saysMistake(state, reader, rows);
  const chosen = rows[state.step - 1];
  const seated = seats(state, world.tokens).flat();
  const real = seated.filter(({of}) => of >= 0).length;
  const pairs = rows.reduce((total, {visible}) => total + visible, 0);
  const all = blocks.reduce((total, block) => total + block.length ** 2, 0);
  if (chosen)
    reader.says(
      `「${chosen.label}」一行看得见*个位置，行和*${chosen.output ? '，' : '。'}`,
      int(chosen.visible),
      sumOf(chosen),
    );
  else {
    if (real === rows.length) reader.says('*个位置都是真词元，', int(real));
    else reader.says('有用的格子*÷*＝*，', int(real), int(rows.length), pct(real / rows.length));
    reader.says('可见的对*÷*＝*。', int(pairs), int(all), pct(pairs / all));
  }
  const empty = rows.filter(({visible}) => visible === 0).length;
  const masking = ['zero', 'after', 'bfloat16', 'float16'].includes(state.mistake);
  if (empty > 0 && !masking) reader.says('有*行什么也看不见', int(empty));
  else reader.saysNot('行什么也看不见，这里约定');
  return reader.wrong;
}

const BEATS = ['分数', '遮', '取指数', '分满100 %'];
const LATE = ['分数', '取指数', '分满100 %', '遮'];

/** While rows are walked: four beats a row, all blocks at once, one more row's time at the end. */
function saysMoment({at, step, mistake}: MaskState, reader: Reader, blocks: Row[][]): void {
  const chosen = blocks.flat()[step - 1];
  const block = blocks.find((rows) => chosen && rows.includes(chosen)) ?? blocks[0]!;
  const beats = at * (block.length + 1) * 4;
  // A place this close to the end of a beat is there.
  const gone = Math.abs(beats - Math.round(beats)) < 0.05 ? Math.round(beats) : Math.ceil(beats);
  const index = Math.min(block.length - 1, Math.max(0, Math.ceil(gone / 4) - 1));
  const {label, of, shown, free, weights, leaks, visible} = block[index]!;
  const beat = Math.min(4, gone - 4 * index) - 1;
  if (beat < 0) {
    reader.says(`「${label}」一行还没走到。`);
    return;
  }
  const name = (mistake === 'after' ? LATE : BEATS)[beat]!;
  reader.says(`「${label}」一行第${'一二三四'[beat]}拍：${name}。`);
  if (name === '分数') {
    reader.says('给*个位置都打了分。', int(shown.length));
    return;
  }
  if (!weights) {
    reader.says('没有定义：');
    return;
  }
  const freed = free.reduce((total, share, j) => total + (shown[j] ? 0 : share), 0);
  const sum = dec(
    weights.reduce((total, weight) => total + weight, 0),
    3,
  );
  const hidden = shown.filter((each) => !each).length;
  const frees = hidden > 0 && visible > 0 && !leaks.some(Boolean);
  if (mistake === 'after') {
    if (name === '分满100 %') reader.says('其中*给了不该看的。', pct(freed));
    if (name === '遮') reader.says('：*不见了，行和是*。', pct(freed), sum);
    return;
  }
  if (name === '遮') {
    reader.says('：遮。*个分数', int(hidden));
    const answer = block[index + 1];
    const covered = of >= 0 && answer?.of === of && !shown[index + 1] && !weights[index + 1];
    if (covered) reader.says(`要猜的「${answer.label}」扣过去了。`);
    else reader.saysNot('扣过去了');
  }
  if (name === '取指数' && frees && mistake !== 'zero') reader.says('让出了*。', pct(freed));
  if (name === '分满100 %') {
    if (frees) reader.says('让出的*按原来的比例', pct(freed));
    reader.says('行和是*。', sum);
  }
}

function saysMistake({mistake}: MaskState, reader: Reader, rows: readonly Row[]): void {
  const leaks = rows.flatMap((row) => row.leaks).filter(Boolean).length;
  const worst = Math.max(
    ...rows.map(({weights, leaks: own}) =>
      own.reduce((total, leak, j) => total + (leak ? (weights?.[j] ?? 0) : 0), 0),
    ),
  );
  const sums = rows.map(({weights}) => weights?.reduce((a, b) => a + b, 0) ?? 0);
  const empty = rows.filter(({visible}) => visible === 0).length;
  if (mistake === 'open')
    reader.says('什么也不遮：*格看到了不该看的，最糟的一行漏掉*，', int(leaks), pct(worst));
  if (mistake === 'zero') reader.says('最糟的一行漏掉*，行和却仍是1', pct(worst));
  if (mistake === 'after') reader.says('最少的一行只剩*；', dec(Math.min(...sums), 3));
  const broken = rows.reduce((total, row) => total + row.broken, 0);
  if (mistake === 'inverted') reader.says('该遮的反而看见，共*格。', int(broken));
  if (mistake === 'cross') reader.says('忘了分句：*格看到了别的句子。', int(leaks));
  if (mistake === 'wide') reader.says('：*格多看了。', int(leaks));
  if (mistake === 'bfloat16') reader.says(empty > 0 ? '什么也看不见的行' : '每行都有可见的位置');
}

/** Few words, mostly the sentence's own; few painted pairs, mostly at rest. */
export function sampleMask(state: State, random: () => number): State {
  const pair = () => 100 * (1 + Math.floor(8 * random())) + 1 + Math.floor(8 * random());
  return {
    ...state,
    tokens: random() < 0.7 ? [] : state['tokens'],
    painted: random() < 0.5 ? [] : [pair(), pair()],
    at: random() < 0.6 ? 1 : random(),
  };
}
