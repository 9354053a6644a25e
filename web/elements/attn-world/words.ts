// Sentences, table and steps of <attn-world>.

import {html, type TemplateResult} from 'lit';
import {sumOfProducts} from '../../shared/equation.js';
import {fixed, general, percent} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {
  PROJECTIONS,
  type Stage,
  type WorldResult,
  type WorldRow,
  type WorldState,
} from './state.js';

export const short = (value: number) => general(value, 3);

const vector = (values: readonly number[]) => `(${values.map(short).join(', ')})`;

type Measure = 'cosine' | 'score' | 'weight';

/** Tokens from the highest score to the lowest; the first two and all of them in words. */
function ranked(
  rows: readonly WorldRow[],
  by: Measure,
  write: (value: number) => string,
): {order: WorldRow[]; words: string[]} {
  const order = [...rows].sort((a, b) => b[by] - a[by]);
  return {order, words: order.map((row) => `「${row.token}」${write(row[by])}`)};
}

export function says({stage}: WorldState, {rows, me, output}: WorldResult): string {
  const name = `「${me.token}」`;
  switch (stage) {
    case 'embeddings': {
      const {words} = ranked(
        rows.filter((row) => row !== me),
        'cosine',
        (value) => fixed(value, 3),
      );
      return `直接比词向量，${name}最像它自己（${fixed(me.cosine, 3)}）；别的词元依次是${words.join('、')}。`;
    }
    case 'projections':
      return (
        `${name}的同一个向量，乘三个矩阵得到三个新向量：查询q＝${vector(me.q)}，键k＝${vector(me.k)}，` +
        `值v＝${vector(me.v)}。`
      );
    case 'scores': {
      const {order, words} = ranked(rows, 'score', (value) => fixed(value, 2));
      return `${name}的查询与每个键的点积，从高到低：${words.join('、')}。与自己的键排第${order.indexOf(me) + 1}。`;
    }
    case 'weights':
      return (
        `分数除以√${me.q.length}，再做softmax，${name}这样分配：` +
        `${ranked(rows, 'weight', percent).words.join('、')}。这里没有加掩码，整句都看得见。`
      );
    case 'outputs':
      return (
        `每个词元的值乘自己的权重，加起来，${name}取回${vector(output)}：` +
        `主要来自${ranked(rows, 'weight', percent).words.slice(0, 2).join('和')}。`
      );
  }
}

export function table(
  {stage}: WorldState,
  {features, rows, me, matrices, output}: WorldResult,
): Table {
  const places = (letter: string) => me.x.map((_, i) => `${letter}第${i + 1}维`);
  const shown = (values: readonly number[]) => values.map(short);
  switch (stage) {
    case 'embeddings':
      return {
        columns: ['词元', ...features, '余弦'],
        rows: rows.map(({token, x, cosine}) => [token, ...shown(x), fixed(cosine, 3)]),
      };
    case 'projections':
      return {
        columns: ['行', ...places('')],
        rows: PROJECTIONS.flatMap(({letter, name}) => [
          ...matrices[letter].map((row, i) => [
            `W_${letter.toUpperCase()}，${features[i] ?? ''}（x＝${short(me.x[i] ?? 0)}）`,
            ...shown(row),
          ]),
          [`${name}${letter}`, ...shown(me[letter])],
        ]),
      };
    case 'scores':
      return {
        columns: ['词元', ...places('k'), '点积q·k'],
        rows: [
          [`「${me.token}」的q`, ...shown(me.q), ''],
          ...rows.map(({token, k, score}) => [token, ...shown(k), fixed(score, 2)]),
        ],
      };
    case 'weights':
      return {
        columns: ['词元', '分数', '÷√d', '权重'],
        rows: rows.map(({token, score, scaled, weight}) => [
          token,
          fixed(score, 2),
          fixed(scaled, 2),
          percent(weight),
        ]),
      };
    case 'outputs':
      return {
        columns: ['词元', '权重', ...places('v')],
        rows: [
          ...rows.map(({token, weight, v}) => [token, percent(weight), ...shown(v)]),
          ['加权和', '', ...shown(output)],
        ],
      };
  }
}

const factor = (value: number) => (value < 0 ? `(${short(value)})` : short(value));

const product = (a: readonly number[], b: readonly number[]) =>
  a.map((value, i) => `${factor(value)}×${factor(b[i] ?? 0)}`).join('＋');
/** The same sentence with its result. */
const worked = (a: readonly number[], b: readonly number[], result: string) =>
  sumOfProducts(
    a.map((value, i) => [value, b[i] ?? 0] as const),
    result,
  );

function stepsOf(stage: Stage, {rows, me, matrices, output}: WorldResult): string[] {
  const column = (matrix: readonly number[][]) => matrix.map(([first = 0]) => first);
  switch (stage) {
    case 'embeddings':
      return rows.map(
        ({token, x, cosine}) =>
          `${token}：点积${product(me.x, x)}，除以两个长度，得${fixed(cosine, 3)}。`,
      );
    case 'projections':
      return PROJECTIONS.map(
        ({letter, name}) =>
          `${name}的第1维：x与矩阵的第1列，` +
          `${worked(me.x, column(matrices[letter]), short(me[letter][0] ?? 0))}。`,
      );
    case 'scores':
      return rows.map(({token, k, score}) => `${token}：${worked(me.q, k, fixed(score, 2))}。`);
    case 'weights':
      return rows.map(
        ({token, scaled, weight}) =>
          `${token}：e的${fixed(scaled, 2)}次方，除以这一行的总和，得${percent(weight)}。`,
      );
    case 'outputs':
      return output.map(
        (value, d) =>
          `第${d + 1}维：${worked(
            rows.map(({weight}) => weight),
            rows.map(({v}) => v[d] ?? 0),
            short(value),
          )}。`,
      );
  }
}

export function steps({stage}: WorldState, result: WorldResult): TemplateResult {
  return html`<ol class="steps">
    ${stepsOf(stage, result).map((step) => html`<li>${step}</li>`)}
  </ol>`;
}
