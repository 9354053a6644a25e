// Sentences, table and steps of <attn-latent>.

import {html, nothing, type TemplateResult} from 'lit';
import {fixed, general, scientific} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {isRounding, type LatentResult, type LatentState} from './state.js';

export const vector = (values: readonly number[]) =>
  `(${values.map((value) => fixed(value, 2)).join(', ')})`;
const errorText = (error: number) =>
  error === 0 ? '0' : isRounding(error) ? scientific(error, 1) : general(error, 3);

export function says(
  {turn, token}: LatentState,
  {rows, needed, error, ownError, kept, whole}: LatentResult,
): string {
  const many = rows.length;
  const head = `「${token}」看${many}个词元，每个只存${kept}个数，不是K、V的${whole}个。`;
  if (turn !== 'all') {
    return (
      `${head}一个折好的查询够${many}个词元合用，与先展开成键的分数最多差${errorText(error)}：` +
      `只是舍入。${turn === 'apart' ? '位置由另存的2个数去管。' : '可是分数里没有位置。'}`
    );
  }
  if (many === 1)
    return `${head}只看自己，相距0，转了等于没转；换一个靠后的词元，才看得出折不进去。`;
  return (
    `${head}键要转，${many}个距离就要${needed}个不同的折法；只用相距0的那一个，分数最多错${errorText(error)}。` +
    `各用各的又对了（差${errorText(ownError)}），可是省不下什么。`
  );
}

export function table(_state: LatentState, {rows}: LatentResult): Table {
  return {
    columns: ['看谁', '相距', '存下的', '该折成', '先展开', '折一次', '相差'],
    rows: rows.map(({token, distance, latent, turned, folded, expanded, once}) => [
      token,
      String(distance),
      vector([...latent, ...turned]),
      vector(folded),
      fixed(expanded, 3),
      fixed(once, 3),
      errorText(Math.abs(once - expanded)),
    ]),
  };
}

export function steps({turn}: LatentState, {needed}: LatentResult): TemplateResult {
  return html`<ol class="steps">
    <li>
      存下的：词向量的人、物、语法三个分量，这就是潜向量c。W_K里身份那一行是0，所以键能从c原样做出来。
    </li>
    <li>
      先展开：k＝c·升维矩阵，${turn === 'all' ? '再按位置转；查询也按自己的位置转。' : ''}每个词元做一次，再与q做点积。
    </li>
    <li>
      折一次：升维矩阵先乘到q上，得到3个数，直接与c做点积。${
        turn === 'all'
          ? html`键转过，乘之前q得先转i−j，${needed}个距离就有${needed}个结果。`
          : '对谁都是同一个。'
      }
    </li>
    ${turn === 'apart' ? html`<li>另存的2个数从词向量直接投影，按位置转好再存；它前面没有升维矩阵，不需要折。两段分数相加。</li>` : nothing}
  </ol>`;
}
