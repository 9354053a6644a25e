// Sentence, product of one cell, table and steps of <attn-backward>.

import {html, type TemplateResult} from 'lit';
import {equation, operand, sumOfProducts} from '../../shared/equation.js';
import {fixed, plain, scientific} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {momentOf, productOf, STEPS} from './moment.js';
import {type BackwardResult, type BackwardState, COLUMNS} from './state.js';

/** Two decimals where there is room for them in a cell. */
export function short(value: number): string {
  const size = Math.abs(value);
  return fixed(value, size >= 99.5 ? 0 : size >= 9.95 ? 1 : 2);
}

const at = (values: readonly (readonly number[])[], row: number, column: number) =>
  values[row]?.[column] ?? 0;

/** A power of ten without its factor 1: 10⁻⁵. */
const power = (value: number) => scientific(value, 0).replace(/^1×/, '');

/** The product of the lit cell with its numbers; empty where no cell is lit. */
export function cellProduct(state: BackwardState, result: BackwardResult): string {
  const {step, lit} = momentOf(state);
  if (!lit) return '';
  const {row, column} = lit;
  const name = `${step.name}第${row + 1}行第${column + 1}列：`;
  const parts = productOf(step.name, result);
  if (!parts) {
    const mean = state.mistake === 'mean' ? 0 : (result.means[row] ?? 0);
    const left = (digits: number) => {
      const [p, dP, m] = [at(result.weights, row, column), at(result.dP, row, column), mean].map(
        (value) => operand(value, digits),
      ) as [ReturnType<typeof operand>, ReturnType<typeof operand>, ReturnType<typeof operand>];
      return {text: `${p.text}×(${dP.text}−${m.text})`, values: [p.value * (dP.value - m.value)]};
    };
    return name + equation(left, [fixed(at(result.dS, row, column), 3)]);
  }
  const pairs = parts.left.values[row]!.map(
    (value, i) => [value, at(parts.top.values, i, column)] as const,
  );
  const printed = fixed(at(parts.values, row, column), 3);
  if (step.name === 'dV' || step.name === 'dP' || state.mistake === 'scale')
    return name + sumOfProducts(pairs, printed);
  const left = (digits: number) => {
    const factors = pairs.map((pair) => pair.map((value) => operand(value, digits)));
    const sum = factors.reduce((all, [a, b]) => all + (a?.value ?? 0) * (b?.value ?? 0), 0);
    const text = factors.map((pair) => pair.map((each) => each.text).join('×')).join('＋');
    return {text: `(${text})÷${Math.sqrt(COLUMNS)}`, values: [sum / Math.sqrt(COLUMNS)]};
  };
  return name + equation(left, [printed]);
}

const isRight = (error: number, {check}: BackwardResult) => error < check.tolerance;

/** The check by differences: whether all three agree, and the three distances. */
export function checked(result: BackwardResult): {right: boolean; text: string} {
  const {q, k, v, step, tolerance} = result.check;
  const each = (
    [
      ['dQ', q],
      ['dK', k],
      ['dV', v],
    ] as const
  ).map(([name, error]) => {
    const size = error >= 0.01 ? fixed(error, 2) : error === 0 ? '0' : scientific(error, 0);
    return `${name} ${isRight(error, result) ? '✓' : '✗'} ${size}`;
  });
  return {
    right: [q, k, v].every((error) => isRight(error, result)),
    text:
      `每个数上下各动${power(step)}，直接量损失变了多少，再与公式比。` +
      `最多差：${each.join('，')}；不到${power(tolerance)}算相符。`,
  };
}

function meaning(state: BackwardState, result: BackwardResult): string {
  const {index, lit} = momentOf(state);
  if (!lit) return '从后面传来的只有dO：输出的每个数大一点，损失会大多少。其余五张表都由它算出来。';
  const {row, column} = lit;
  const [i, j] = [row + 1, column + 1];
  switch (index) {
    case 0:
      return `v的第${i}行被三行输出按权重取用，所以它的梯度是三行dO按这些权重加起来。`;
    case 1:
      return (
        `第${i}行看第${j}个的权重大一点，输出就多一点v${j}，` +
        `所以dP是dO的第${i}行与v${j}的点积。`
      );
    case 2: {
      if (state.mistake === 'mean')
        return (
          `没有减均值：第${i}行的dS合计${fixed(result.rowSums[row] ?? 0, 3)}，不是0，` +
          '可是分数一起加一个数，损失本不会变。'
        );
      const [value, mean] = [at(result.dP, row, column), result.means[row] ?? 0];
      const [side, sign] =
        value > mean ? ['高于', '为正'] : value < mean ? ['低于', '为负'] : ['等于', '是0'];
      return (
        `第${i}行的dP按权重平均是${fixed(mean, 3)}，第${j}个${side}它，dS就${sign}；` +
        '三块面积有正有负，合计总是0。'
      );
    }
    case 3:
      return (
        `q的第${i}行只影响第${i}行的三个分数，每个分数对它的影响是一个键，` +
        `所以dQ是三个键按dS加起来${divided(state)}。`
      );
    default:
      return (
        `k的第${i}行影响第${i}列的三个分数，` +
        `所以dK是三个查询按dS的这一列加起来${divided(state)}。`
      );
  }
}

const divided = ({mistake}: BackwardState) => (mistake === 'scale' ? '' : '，再除以√d');

export function says(state: BackwardState, result: BackwardResult): string {
  const verdict = checked(result).right
    ? '三个梯度都与有限差分相符。'
    : '与有限差分不符：漏掉的一项，一核对就看出来。';
  return meaning(state, result) + verdict;
}

export function table(_state: BackwardState, result: BackwardResult): Table {
  const {check} = result;
  const line = (name: string, values: number[][]) =>
    values.map((row, i) => [
      name,
      `第${i + 1}行`,
      ...Array.from({length: COLUMNS}, (_, c) => (row[c] === undefined ? '' : fixed(row[c], 3))),
    ]);
  const error = (name: string, value: number) => [
    `${name}与差分`,
    '最多差',
    value === 0 ? '0' : scientific(value, 1),
    ...Array<string>(COLUMNS - 1).fill(''),
  ];
  return {
    columns: ['表', '行', ...Array.from({length: COLUMNS}, (_, c) => `第${c + 1}列`)],
    rows: [
      ...line('Q', result.q),
      ...line('K', result.k),
      ...line('V', result.v),
      ...line('dO', result.grad),
      ...line('P', result.weights),
      ...STEPS.flatMap(({name}) => line(name, result[name])),
      error('dQ', check.q),
      error('dK', check.k),
      error('dV', check.v),
    ],
  };
}

export function steps(state: BackwardState, {means, check}: BackwardResult): TemplateResult {
  return html`<ol class="steps">
    <li>dV＝Pᵀ·dO：输出是权重乘值，值的梯度就是权重的转置乘dO。</li>
    <li>dP＝dO·Vᵀ：同一个乘积对另一个因子求导。</li>
    <li>
      dS＝P∘(dP−均值)：每一行减去这一行dP按权重的平均，三行的平均是${means
        .map((mean) => fixed(mean, 3))
        .join('、')}${state.mistake === 'mean' ? '；这里故意没有减' : ''}。
    </li>
    <li>dQ＝dS·K÷√d，dK＝dSᵀ·Q÷√d${state.mistake === 'scale' ? '；这里故意没有除' : ''}。</li>
    <li>
      核对：损失取dO与输出逐个相乘再加起来的和。每个数x换成x＋h和x−h各算一次，相减除以2h，h＝${plain(
        check.step,
      )}。
    </li>
  </ol>`;
}
