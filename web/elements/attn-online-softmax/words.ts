// Sentence, table and steps of <attn-online-softmax>.

import {html, type TemplateResult} from 'lit';
import {equation, operand} from '../../shared/equation.js';
import {fixed, general, scientific} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {momentOf, type OnlineResult, type OnlineState, type OnlineStep} from './state.js';

/** A share or a factor, with the digits of small ones. */
export const small = (value: number) =>
  value > 0 && value < 5e-4 ? scientific(value, 1) : fixed(value, 3);

/** old sum × factor ＋ new part ＝ sum */
function sumLine({correction, blockSum, sum}: OnlineStep, before: OnlineStep): string {
  const left = (digits: number) => {
    const [old, factor, added] = [before.sum, correction, blockSum].map((value) =>
      operand(value, digits),
    ) as [ReturnType<typeof operand>, ReturnType<typeof operand>, ReturnType<typeof operand>];
    return {
      text: `${old.text}×${factor.text}＋${added.text}`,
      values: [old.value * factor.value + added.value],
    };
  };
  return equation(left, [fixed(sum, 3)], {decimals: 3});
}

export function says(state: OnlineState, result: OnlineResult): string {
  const {index, done} = momentOf(state, result);
  const {blocks, difference} = result;
  const now = blocks[index];
  if (!now) return '还没有读。一块一块地来，手里只留两个数：到现在为止最大的m，和e^(s−m)的和ℓ。';
  if (done) {
    const error = difference === 0 ? '一位不差' : `最多差${scientific(difference, 0)}`;
    return (
      `读完${blocks.length}块，m＝${general(now.max)}，ℓ＝${fixed(now.sum, 3)}。` +
      `权重是e^(s−m)÷ℓ，与一次读完整行的softmax相比，${error}。`
    );
  }
  const before = blocks[index - 1];
  if (!before)
    return `第1块：最大的是${general(now.max)}，和ℓ＝${fixed(now.sum, 3)}。别的块还没看过。`;
  const line = sumLine(now, before);
  return now.max > before.max
    ? `第${index + 1}块里有更大的${general(now.max)}，m从${general(before.max)}变成它；旧的和先乘修正因子，再加新块：${line}。`
    : `第${index + 1}块没有更大的，m还是${general(now.max)}，修正因子是1：${line}。`;
}

export function table({scores}: OnlineState, {blocks, weights, whole}: OnlineResult): Table {
  return {
    columns: ['第几个', '分数', '块', '块后的m', '修正因子', '块后的ℓ', '权重', '一次算完'],
    rows: scores.map((score, i) => {
      const at = blocks.findIndex(({end}) => i < end);
      const block = blocks[at];
      const first = block?.begin === i;
      return [
        String(i + 1),
        general(score),
        String(at + 1),
        first ? general(block.max) : '',
        first ? (at === 0 ? '没有旧的和' : small(block.correction)) : '',
        first ? fixed(block.sum, 3) : '',
        small(weights[i] ?? 0),
        small(whole[i] ?? 0),
      ];
    }),
  };
}

export function steps(_state: OnlineState, {blocks}: OnlineResult): TemplateResult {
  return html`<ol class="steps">
    ${blocks.map((block, i) => {
      const before = blocks[i - 1];
      return html`<li>
        ${
          before
            ? `m＝${general(block.max)}，修正因子e^(${general(before.max)}−m)，ℓ：${sumLine(block, before)}`
            : `m＝${general(block.max)}，ℓ＝${fixed(block.sum, 3)}`
        }
      </li>`;
    })}
    <li>权重：每个e^(s−m)除以最后的ℓ。</li>
  </ol>`;
}
