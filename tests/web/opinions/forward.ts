// <attn-forward>: every value of a pass, by plain loops over numbers of 64 bits.

import type {ForwardState} from '../../../web/elements/attn-forward/state.js';
import type {State} from '../random-state.js';
import {softmax} from './arithmetic.js';
import {dec, int, pct, Reader, type Shown, type Value} from './reading.js';
import {type Pass, SmallGpt} from './small-gpt.js';

/** The module computes in floats of 24 bits; sums of a few hundred such numbers lose some. */
const SLACK = 1e-4;
const ACROSS = 8;
const LISTED = 20;

let model: SmallGpt | undefined;
const passes = new Map<string, Pass>();

function passOver(text: string): Pass {
  model ??= new SmallGpt('lessons/case/small-scaled.weights');
  const made =
    passes.get(text) ??
    model.pass([...text].map((one) => (/^[\ud800-\udfff]$/.test(one) ? '\ufffd' : one)));
  passes.set(text, made);
  return made;
}

const NAMES = [
  '字变成编号',
  '查表：字的向量',
  '查表：位置的向量',
  '相加，上主干',
  ...[1, 2].flatMap((block) =>
    [
      'LayerNorm',
      '投影成Q、K、V',
      '注意力权重',
      '按权重取值',
      '加回主干',
      '又一次LayerNorm',
      'FFN：放宽',
      'FFN：GELU',
      'FFN：收窄，加回主干',
    ].map((name) => `块${block} · ${name}`),
  ),
  '最后的LayerNorm',
  '和词表逐行比：logits',
  'softmax：下一个字的概率',
];

/** The matrices of the steps from the second to the last but one; null for weights. */
function matricesOf({tokens, positions, input, layers, norm, logits}: Pass) {
  return [
    tokens,
    positions,
    input,
    ...layers.flatMap((layer) => [
      layer.norm1,
      layer.qkv,
      null,
      layer.heads,
      layer.middle,
      layer.norm2,
      layer.up,
      layer.active,
      layer.output,
    ]),
    norm,
    logits,
  ];
}

const value = (x: number, digits = 4) => dec(x, digits, SLACK);

/** Places by size, the first of equals first. */
const descending = (values: readonly number[]) =>
  values.map((_, i) => i).sort((a, b) => values[b]! - values[a]! || a - b);

export function forwardOpinion({text, at, row, dim, head}: ForwardState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const pass = passOver(text);
  const {ids, layers, logits} = pass;
  const n = ids.length;
  const i = row === 0 ? n - 1 : Math.min(row, n) - 1;
  // 25 steps lie evenly between 0 and 1; the playhead is on a step or on the way to it.
  const way = at * 24;
  const k = Math.abs(way - Math.round(way)) < 0.02 ? Math.round(way) : Math.ceil(way);
  const sign = (id: number) => model!.sign(id);
  const who = sign(ids[i]!);
  const says = (shape: readonly number[], rest: string, ...values: Value[]) => {
    const sizes = shape.map((size) => size.toLocaleString('en-US')).join(', ');
    const text_ = `(${sizes}${shape.length === 1 ? ',' : ''})`;
    if (!shown.says.startsWith(`第${k + 1}步，共25步，${NAMES[k]}，形状${text_}。`))
      reader.wrong.push(`no step ${k + 1} with the shape ${text_} in “${shown.says}”`);
    reader.says(rest, ...values);
  };

  if (k === 0) {
    says([n], `「${who}」的编号是*。`, String(ids[i]));
    reader.table(ids.map((id, j) => [int(j + 1), sign(id), String(id)]));
    return reader.wrong;
  }
  if (k === 24) {
    const shares = softmax(logits[i]!);
    const order = descending(shares);
    const [first, second] = order as [number, number];
    const next = ids[i + 1];
    says(
      [n, shares.length],
      `最可能是「${sign(first)}」，*，其次「${sign(second)}」，*${next === undefined ? '。' : '；'}`,
      pct(shares[first]!, 1, SLACK),
      pct(shares[second]!, 1, SLACK),
    );
    if (next !== undefined)
      reader.says(
        `真正的下一个是「${sign(next)}」，*，排第*。`,
        pct(shares[next]!, 1, SLACK),
        String(order.indexOf(next) + 1),
      );
    return [...reader.wrong, ...listed(reader, logits[i]!)];
  }
  const matrix = matricesOf(pass)[k - 1];
  if (!matrix) {
    const weights = layers[k < 13 ? 0 : 1]!.weights[head]!;
    const best = descending(weights[i]!)[0]!;
    says(
      [4, n, n],
      `头${head}里，「${who}」最看「${sign(ids[best]!)}」，*。`,
      pct(weights[i]![best]!, 1, SLACK),
    );
    reader.table(
      weights.map((line, j) => [
        `${j + 1}${sign(ids[j]!)}`,
        ...line.map((weight, l) => (l > j ? '遮住' : value(weight, 3))),
      ]),
    );
    return reader.wrong;
  }
  const own = matrix[i]!;
  const column = Math.min(dim, own.length) - 1;
  const inHead = (c: number) => `头${Math.floor(c / 32)}的第${(c % 32) + 1}维`;
  const name =
    k === 23
      ? `编号${column}`
      : k === 5 || k === 14
        ? `${'qkv'[Math.floor(column / 128)]}，${inHead(column % 128)}`
        : k === 7 || k === 16
          ? inHead(column)
          : `第${column + 1}维`;
  const most = Math.max(...(k === 23 ? [own] : matrix).flat().map(Math.abs));
  says(
    [n, own.length],
    `「${who}」${name}是*；这一步最大的绝对值是*。`,
    value(own[column]!),
    value(most, 3),
  );
  if (k === 23) return [...reader.wrong, ...listed(reader, own)];
  reader.table(
    Array.from({length: own.length / ACROSS}, (_, l) => [
      `${ACROSS * l + 1}–${ACROSS * (l + 1)}维`,
      ...own.slice(ACROSS * l, ACROSS * (l + 1)).map((x) => value(x)),
    ]),
  );
  return reader.wrong;
}

function listed(reader: Reader, logits: readonly number[]): string[] {
  const shares = softmax(logits);
  const rows = descending(logits).slice(0, LISTED);
  reader.table(
    rows.map((id, i) => [
      int(i + 1),
      model!.sign(id),
      String(id),
      value(logits[id]!),
      pct(shares[id]!, 2, SLACK),
    ]),
  );
  return [];
}

/** Lines of known characters; a random text is mostly unknown ones. */
export function sampleForward(state: State, random: () => number): State {
  const letters = [...'月明山水春風花鳥白雲人不見來去天地日夜，。x床'];
  const text = Array.from(
    {length: 1 + Math.floor(12 * random())},
    () => letters[Math.floor(letters.length * random())]!,
  ).join('');
  return {...state, text, at: random() < 0.7 ? Math.floor(25 * random()) / 24 : state['at']};
}
