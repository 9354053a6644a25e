// Sentence, table and steps of <attn-qkv>.

import {html, type TemplateResult} from 'lit';
import {equation, operand, readBack} from '../../shared/equation.js';
import {fixed, integer, percent, plain, scientific} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {COLUMNS, type QkvResult, type QkvState, row, ROWS, SUBSCRIPTS, visible} from './state.js';

/** Three decimals, short enough for a cell on a phone. */
export function brief(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e5 || (size < 5e-4 && size > 0)) return scientific(value, 1);
  return size >= 1000 ? integer(value) : plain(Number(value.toFixed(3)));
}

export const vector = (values: readonly number[]) => `(${values.map(brief).join(', ')})`;

export function says(
  {mask, scaled, asks}: QkvState,
  {weights, output, entropy}: QkvResult,
): string {
  if (mask === 'self')
    return '每一行只看得见自己：权重是单位矩阵，输出就是V本身，什么也没有从别处取来。';
  const last = asks - 1;
  const sharpest = entropy.reduce(
    (best, value, i) => (value < (entropy[best] ?? 1) ? i : best),
    last,
  );
  const alike = entropy.every((value) => fixed(value, 3) === fixed(entropy[last] ?? 0, 3));
  const shares = (weights[last] ?? []).map((weight) => percent(weight)).join('、');
  return (
    `第${asks}行（${scaled ? '已除以√2' : '没有除以√2'}）的权重是${shares}，取回${vector(output[last] ?? [])}。` +
    `${alike ? '三行的熵都是' : `熵最小的是第${sharpest + 1}行，`}${fixed(entropy[sharpest] ?? 0, 3)}：` +
    `0是只取一份，1是平分。`
  );
}

export function table({mask}: QkvState, {scores, weights, output, entropy}: QkvResult): Table {
  const numbered = (name: string, n: number) =>
    Array.from({length: n}, (_, j) => `${name}${SUBSCRIPTS[j]}`);
  return {
    columns: [
      '行',
      ...numbered('分数', ROWS),
      ...numbered('权重', ROWS),
      '熵',
      ...numbered('输出', COLUMNS),
    ],
    rows: scores.map((each, i) => [
      `第${i + 1}行`,
      ...each.map((score, j) => (visible(mask, i, j) ? brief(score) : '遮住')),
      ...(weights[i] ?? []).map((weight) => fixed(weight, 3)),
      fixed(entropy[i] ?? 0, 3),
      ...(output[i] ?? []).map((value) => brief(value)),
    ]),
  };
}

/** w₁×v₁＋w₂×v₂＝o, each v and o a vector. */
function blend(
  parts: readonly {weight: number; value: readonly number[]}[],
  output: readonly number[],
): string {
  const left = (decimals: number) => {
    const weights = parts.map(({weight}) => operand(weight, decimals));
    return {
      text: parts.map(({value}, i) => `${weights[i]!.text}×${vector(value)}`).join('＋'),
      values: output.map((_, c) =>
        parts.reduce(
          (sum, {value}, i) => sum + weights[i]!.value * readBack(brief(value[c] ?? 0)).value,
          0,
        ),
      ),
    };
  };
  return equation(left, output.map(brief), {decimals: 3, right: vector(output)});
}

export function steps(
  {q, k, v, scaled, mask, asks}: QkvState,
  {scores, weights, output}: QkvResult,
): TemplateResult {
  const i = asks - 1;
  const seen = [0, 1, 2].filter((j) => visible(mask, i, j));
  return html`<p>以第${asks}行为例，q${SUBSCRIPTS[i]}＝${vector(row(q, i))}。</p>
    <ol class="steps">
      <li>
        与看得见的每个键做点积${scaled ? '，再除以√2' : ''}：
        <ul>
          ${seen.map(
            (j) =>
              html`<li>k${SUBSCRIPTS[j]}＝${vector(row(k, j))}：${brief(scores[i]?.[j] ?? 0)}</li>`,
          )}
        </ul>
      </li>
      <li>
        这一行做softmax：
        <ul>
          ${seen.map((j) => html`<li>${fixed(weights[i]?.[j] ?? 0, 3)}</li>`)}
        </ul>
      </li>
      <li>
        权重乘上各自的值，加起来：${blend(
          seen.map((j) => ({weight: weights[i]?.[j] ?? 0, value: row(v, j)})),
          output[i] ?? [],
        )}。
      </li>
    </ol>`;
}
