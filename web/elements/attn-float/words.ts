// Sentence, table and steps of <attn-float>, and how it prints numbers.

import {html, type TemplateResult} from 'lit';
import {general, integer, scientific} from '../../shared/format.js';
import type {FormatLimits, StoredNumber} from '../../sequence.js';
import type {Table} from '../attn-widget/spec.js';
import {type FloatResult, type FloatState, isNumber, type Kept, widthOf} from './state.js';

/** With at most this many digits a number of float32 can be told from its neighbours. */
const MOST_DIGITS = 9;

function withDigits(value: number, digits: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e7 || size < 1e-4)) return scientific(value, digits - 1);
  if (size >= 1000 && Number.isInteger(value)) return integer(value);
  return general(value, digits);
}

/** Numbers with as many digits as it takes to tell them apart. */
export function apart(values: readonly number[], least = 4): string[] {
  const different = new Set(values).size;
  for (let digits = least; digits < MOST_DIGITS; digits++) {
    const texts = values.map((value) => withDigits(value, digits));
    if (new Set(texts).size === different) return texts;
  }
  return values.map((value) => withDigits(value, MOST_DIGITS));
}

export function printed(number: StoredNumber, value = number.value): string {
  if (number.kind === 'nan') return '不是数';
  if (number.kind === 'infinity') return number.negative ? '−∞' : '∞';
  return withDigits(value, 7);
}

export const layoutText = ({exponentBits, fractionBits}: FormatLimits): string =>
  `1＋${exponentBits}＋${fractionBits}位`;

function outcome({wanted, chosen}: FloatResult): string {
  const {number, limits, format} = chosen;
  const largest = `最大只能写到${withDigits(limits.max, 5)}`;
  if (number.kind === 'infinity') return `${format}${largest}，再大就成了无穷。`;
  if (number.kind === 'nan') return `这一串位不是数。${format}${largest}。`;
  if (number.value === wanted) return `${format}正好有这个数，一点不差。`;
  const error = withDigits(Math.abs(number.value - wanted), 3);
  if (number.kind === 'zero')
    return `${format}里不是0的数，最小是${withDigits(limits.minSubnormal, 3)}；这个数不到它的一半，成了0。`;
  const digits =
    number.kind === 'subnormal'
      ? `它比最小的正规数${withDigits(limits.minNormal, 3)}还小，有效数字不够了。`
      : '';
  const [kept] = apart([number.value, wanted], 7);
  return `存成最近的${kept}，差${error}。${digits}`;
}

export function says(state: FloatState, result: FloatResult): string {
  const {chosen, wanted} = result;
  const {scale, bits} = state;
  const what =
    bits === ''
      ? scale === 1
        ? `要存${withDigits(wanted, 7)}：`
        : `${withDigits(state.value, 7)}先乘${withDigits(scale, 7)}，存${withDigits(wanted, 4)}：`
      : '照这一串位读：';
  const back =
    scale !== 1 && isNumber(chosen.number)
      ? `取出来除以${withDigits(scale, 7)}，得${withDigits(chosen.back, 4)}。`
      : '';
  const {total, added} = chosen.sum;
  const sum =
    added === state.terms
      ? `逐项加${integer(state.terms)}个，得${withDigits(total, 5)}。`
      : `逐项加${integer(state.terms)}个，加到第${integer(added)}个就停在${withDigits(total, 5)}。`;
  return `${what}${outcome(result)}${back}${sum}`;
}

export function table(state: FloatState, {all}: FloatResult): Table {
  const row = ({format, limits, number, back, sum}: Kept) => [
    format,
    `${widthOf(limits)}位：${layoutText(limits)}`,
    withDigits(limits.max, 4),
    withDigits(limits.minNormal, 4),
    withDigits(limits.minSubnormal, 4),
    withDigits(limits.epsilon, 4),
    withDigits(limits.expLimit, 4),
    `0x${number.bits.toString(16).padStart(widthOf(limits) / 4, '0')}`,
    printed(number),
    isNumber(number) ? printed(number, back) : printed(number),
    withDigits(sum.total, 5),
  ];
  return {
    columns: [
      '写法',
      '符号＋指数＋小数',
      '最大',
      '最小的正规数',
      '最小的数',
      '1的下一个差',
      'exp到多少不溢出',
      '存下的位',
      '存成',
      '取出来',
      `${integer(state.terms)}项之和`,
    ],
    rows: all.map(row),
  };
}

const significandText = (number: StoredNumber) =>
  isNumber(number)
    ? `这里是${withDigits(number.significand, 8)}乘2的${general(number.exponent)}次方。`
    : '';

export function steps(_state: FloatState, {chosen}: FloatResult): TemplateResult {
  const {limits, number} = chosen;
  return html`<ol class="steps">
    <li>第1位是符号：0是正，1是负。这里是${number.negative ? '负' : '正'}。</li>
    <li>
      接着${limits.exponentBits}位是指数，读成整数再减${limits.bias}。全是0时按最小的指数算，首位不再是1；
      ${
        chosen.format === 'e4m3'
          ? '指数和小数全是1时不是数，没有无穷。'
          : '全是1时，小数全0是无穷，不然不是数。'
      }
    </li>
    <li>
      余下${limits.fractionBits}位是小数：前面补一个不用存的1，就是有效数字。
      ${significandText(number)}
    </li>
    <li>存一个数，取最近的那一个；正好在两个的正中间，取末位是0的那一个。</li>
  </ol>`;
}
