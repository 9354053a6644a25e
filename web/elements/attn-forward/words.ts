// Names, sentences and tables of <attn-forward>.

import {html, nothing, type TemplateResult} from 'lit';
import {shown} from '../attn-heads/character.js';
import {fixed, integer, percent} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {
  columnOf,
  type ForwardResult,
  type ForwardState,
  rowOf,
  shownStep,
  type Stage,
  stepOf,
  STEPS,
} from './state.js';

interface Words {
  name: string;
  /** One or two sentences: how the numbers come about, and why. */
  does: (result: ForwardResult) => string;
}

const WORDS: Record<Stage, Words> = {
  ids: {
    name: '字变成编号',
    does: ({vocab}) =>
      `词表有${integer(vocab)}个字，每个字一个编号。编号只是名字，不能拿来加减；词表外的字，一律读成1号。`,
  },
  tokens: {
    name: '查表：字的向量',
    does: ({width, vocab}) =>
      `词向量表有${integer(vocab)}行，按编号取一行，${width}个数。同一个字，取出来的总一样。`,
  },
  positions: {
    name: '查表：位置的向量',
    does: ({width}) => `第几个字，就从另一张表取第几行，也是${width}个数，不看是什么字。`,
  },
  input: {
    name: '相加，上主干',
    does: () => '两个向量相加，成为主干的开头。主干一直通到末尾，中途只往上加。',
  },
  norm1: {
    name: 'LayerNorm',
    does: () =>
      '从主干抄一份下来：每行减去自己的平均，除以自己的标准差，再逐维乘上、加上学来的数。主干不动。',
  },
  qkv: {
    name: '投影成Q、K、V',
    does: ({width, heads}) =>
      `每行乘一个${width}×${3 * width}的矩阵：左边${width}个是查询，中间是键，右边是值，各分给${heads}个头。`,
  },
  weights: {
    name: '注意力权重',
    does: ({width, heads}) =>
      `一个头里，q和自己、和前面各字的k做点积，除以√${width / heads}，再做softmax。全程只有这里，一个字能读到别的字。`,
  },
  heads: {
    name: '按权重取值',
    does: ({width, heads}) =>
      `各字的v按权重相加。${heads}个头各得${width / heads}个数，并排放在一起，又是${width}个。`,
  },
  middle: {
    name: '加回主干',
    does: () => '并排的数乘W_O，加到主干上。原来的内容还在，只是多了一份。',
  },
  norm2: {
    name: '又一次LayerNorm',
    does: () => '再从主干抄一份，做法相同，学来的数另有一组。',
  },
  up: {
    name: 'FFN：放宽',
    does: ({width}) => `乘矩阵，加偏置，${width}个数变成${2 * width}个。每个字各算各的，不看邻居。`,
  },
  active: {
    name: 'FFN：GELU',
    does: () =>
      '逐个数弯一下：大的正数几乎照旧，大的负数压到几乎是0。没有这一弯，前后两个矩阵等于一个。',
  },
  output: {
    name: 'FFN：收窄，加回主干',
    does: ({width}) => `再乘矩阵、加偏置，收回${width}个数，加到主干上。`,
  },
  norm: {
    name: '最后的LayerNorm',
    does: () => '主干的末端再做一次，准备和词表比较。',
  },
  logits: {
    name: '和词表逐行比：logits',
    does: ({vocab}) =>
      `和词向量表的${integer(vocab)}行各做一次点积，得${integer(vocab)}个分数。用的就是开头查过的那张表。`,
  },
  probabilities: {
    name: 'softmax：下一个字的概率',
    does: ({vocab}) =>
      `${integer(vocab)}个logits变成加起来是100 %的概率。生成时从最后一行抽一个字；训练时每一行都拿真正的下一个字来对。`,
  },
};

export const shapeText = (shape: readonly number[]) =>
  `(${shape.map((size) => integer(size)).join(', ')}${shape.length === 1 ? ',' : ''})`;

export function nameOf(state: ForwardState): string {
  const {stage, layer} = stepOf(state);
  return `${layer < 0 ? '' : `块${layer + 1} · `}${WORDS[stage].name}`;
}

export const doesOf = (state: ForwardState, result: ForwardResult) =>
  WORDS[stepOf(state).stage].does(result);

/** A float with all digits that tell it from its neighbours. */
const floatText = (value: number) => String(value).replace('-', '−');

const QKV = ['q', 'k', 'v'];

/** The name of a column: in Q, K and V each has its own count, and a head has its share. */
function columnText({stage}: {stage: Stage}, {width, heads}: ForwardResult, column: number) {
  if (stage === 'logits') return `编号${column}`;
  const one = width / heads;
  const inHead = (c: number) => `头${Math.floor(c / one)}的第${(c % one) + 1}维`;
  if (stage === 'qkv') return `${QKV[Math.floor(column / width)]}，${inHead(column % width)}`;
  return stage === 'heads' ? inHead(column) : `第${column + 1}维`;
}

const quoted = (character: string | undefined) => `「${shown(character ?? '')}」`;

/** The value under the reader's mark. */
export function readingOf(
  state: ForwardState,
  result: ForwardResult,
  row = rowOf(state, result),
  column = columnOf(state, result),
): string {
  const step = stepOf(state);
  const line = result.values[step.stage === 'logits' ? 0 : row];
  const value = line?.[column];
  if (value === undefined) return '';
  const who = quoted(result.characters[row]);
  return step.stage === 'weights'
    ? `${who}看${quoted(result.characters[column])}：${column > row ? '遮住' : floatText(value)}`
    : `${who}${columnText(step, result, column)}：${floatText(value)}`;
}

function finding(state: ForwardState, result: ForwardResult): string {
  const {stage} = stepOf(state);
  const {characters, ids, values, next, actual} = result;
  const row = rowOf(state, result);
  const who = quoted(characters[row]);
  if (stage === 'ids') return `${who}的编号是${ids[row]}。`;
  if (stage === 'weights') {
    const own = values[row] ?? [];
    const best = own.indexOf(Math.max(...own));
    return `头${state.head}里，${who}最看${quoted(characters[best])}，${percent(own[best] ?? 0)}。`;
  }
  if (stage === 'probabilities') {
    const [first, second] = next;
    const then = actual
      ? `；真正的下一个是${quoted(actual.character)}，${percent(actual.probability)}，排第${actual.rank}`
      : '';
    return (
      `读到${who}，下一个字最可能是${quoted(first?.character)}，${percent(first?.probability ?? 0)}，` +
      `其次${quoted(second?.character)}，${percent(second?.probability ?? 0)}${then}。`
    );
  }
  const column = columnOf(state, result);
  const value = values[stage === 'logits' ? 0 : row]?.[column] ?? 0;
  return (
    `${who}${columnText(stepOf(state), result, column)}是${fixed(value, 4)}；` +
    `这一步最大的绝对值是${fixed(result.largest, 3)}。`
  );
}

export function says(state: ForwardState, result: ForwardResult): string {
  const k = shownStep(state.at);
  return (
    `第${k + 1}步，共${STEPS.length}步，${nameOf(state)}，形状${shapeText(result.shape)}。` +
    finding(state, result)
  );
}

/** Numbers in a line of the table of a row. */
const ACROSS = 8;

export function table(state: ForwardState, result: ForwardResult): Table {
  const {stage} = stepOf(state);
  const {typed, characters, ids, values, next} = result;
  const row = rowOf(state, result);
  if (stage === 'ids')
    return {
      columns: ['位置', '字', '编号'],
      rows: ids.map((id, i) => [String(i + 1), shown(characters[i] ?? ''), String(id)]),
    };
  if (stage === 'weights')
    return {
      columns: ['谁在看', ...characters.map((character, j) => `${j + 1}${shown(character)}`)],
      rows: values.map((line, i) => [
        `${i + 1}${shown(characters[i] ?? '')}`,
        ...line.map((weight, j) => (j > i ? '遮住' : fixed(weight, 3))),
      ]),
    };
  if (stage === 'logits' || stage === 'probabilities')
    return {
      columns: ['名次', '字', '编号', 'logit', '概率'],
      rows: next.map(({character, id, logit, probability}, i) => [
        String(i + 1),
        shown(character),
        String(id),
        fixed(logit, 4),
        percent(probability, 2),
      ]),
    };
  const own = values[row] ?? [];
  const lines = Math.ceil(own.length / ACROSS);
  return {
    columns: [
      `第${Math.min(row, typed.length) + 1}个字`,
      ...Array.from({length: ACROSS}, (_, c) => `第${c + 1}列`),
    ],
    rows: Array.from({length: lines}, (_, k) => [
      `${ACROSS * k + 1}–${Math.min(own.length, ACROSS * (k + 1))}维`,
      ...own.slice(ACROSS * k, ACROSS * (k + 1)).map((value) => fixed(value, 4)),
    ]),
  };
}

/** The characters that the model does not know, by what the reader typed. */
export function unknownNote({typed, characters}: ForwardResult): TemplateResult | typeof nothing {
  const unknown = [...new Set(typed.filter((_, i) => characters[i] === '<unk>'))];
  return unknown.length === 0
    ? nothing
    : html`<p class="reading">
        词表里没有${unknown.map((character) => `「${character}」`).join('、')}，读成□，编号都是1。
      </p>`;
}
