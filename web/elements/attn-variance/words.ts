// The words of <attn-variance>: its table to compare, sentence, table of data and steps.

import {html, nothing, type TemplateResult} from 'lit';
import type {Spread, VarianceRow} from '../../scaling.js';
import {SIDES, type Side} from '../../shared/experiment.js';
import {fixed, general, integer, percent, plain} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {KINDS, stdText} from './kinds.js';
import type {VarianceResult, VarianceState} from './state.js';

/** From this length on, a uniform row has a small ‖J‖ too, so its mean is not informative. */
const MANY_KEYS = 17;

const STD_DIGITS: Record<Side, number> = {raw: 1, scaled: 2};

function stdOf(row: VarianceRow, side: Side): string {
  return fixed(row[side].std, STD_DIGITS[side]);
}

const QUANTITIES: readonly {name: string; of: (row: VarianceRow, side: Side) => string}[] = [
  {name: '标准差', of: stdOf},
  {name: '最大权重', of: (row, side) => percent(row[side].maxWeight)},
  {name: '熵', of: (row, side) => fixed(row[side].entropy, 3)},
  {name: '‖J‖平均', of: (row, side) => general(row[side].jacobianNorm, 2)},
  {name: '‖J‖中位数', of: (row, side) => general(row[side].jacobianNormMedian, 2)},
];

/** One column a dimension, so that it fits a phone. */
export function comparison(rows: readonly VarianceRow[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="对照表，可左右滚动">
    <table class="compare sides">
      <caption>
        各维数的全部点积；权重、熵和‖J‖是各行的平均
      </caption>
      <thead>
        <tr>
          <th scope="col" colspan="2">d</th>
          ${rows.map(({d}) => html`<th scope="col">${integer(d)}</th>`)}
        </tr>
      </thead>
      ${QUANTITIES.map(
        ({name, of}) =>
          html`<tbody>
            ${SIDES.map(
              ({side, mark, name: sideName}, i) =>
                html`<tr>
                  ${
                    i === 0
                      ? html`<th scope="rowgroup" rowspan=${SIDES.length}>${name}</th>`
                      : nothing
                  }
                  <th scope="row" class=${side}>${mark} ${sideName}</th>
                  ${rows.map((row) => html`<td>${of(row, side)}</td>`)}
                </tr>`,
            )}
          </tbody>`,
      )}
    </table>
  </div>`;
}

function list(rows: readonly VarianceRow[], of: (row: VarianceRow) => string): string {
  return rows.map(of).join('、');
}

function rootText({d}: VarianceRow): string {
  return general(Math.sqrt(d));
}

/** The content of the picture at its dimension. */
function saysShown(state: VarianceState, result: VarianceResult): string {
  const {d, divisor} = state;
  const {shown, weights} = result;
  const std = stdText(state, result);
  const head = `d＝${integer(d)}`;
  if (divisor === 'root')
    return `${head}，除以√d：标准差${std}，一行里最大的权重平均占${percent(shown.scaled.maxWeight)}。`;
  const row = weights[KINDS.findIndex((kind) => kind.divisor === 'd')];
  if (divisor === 'd' && row)
    return (
      `${head}，除以d：标准差只有${std}，又太挤。` +
      `图上这一行最大的权重是${percent(row.maxWeight)}，${state.keys}个平分是${percent(1 / state.keys)}。`
    );
  return (
    `${head}，不缩放：${integer(result.shownProducts)}个点积的标准差是${std}，√d是${rootText(shown)}；` +
    `一行里最大的权重平均占${percent(shown.raw.maxWeight)}。`
  );
}

export function says(state: VarianceState, result: VarianceResult): string {
  const {rows} = result;
  const many =
    state.keys >= MANY_KEYS ? '键一多，平摊的一行‖J‖也小，平均不再随d单调，请看中位数和熵。' : '';
  const compared =
    `对照d＝${list(rows, ({d}) => integer(d))}：√d是${list(rows, rootText)}，` +
    `实测点积的标准差是${list(rows, (row) => stdOf(row, 'raw'))}，` +
    `除以√d之后是${list(rows, (row) => stdOf(row, 'scaled'))}。`;
  return `${saysShown(state, result)}${compared}${many}`;
}

export function table({d}: VarianceState, {rows, shown}: VarianceResult): Table {
  const all = rows.some((row) => row.d === d) ? rows : [...rows, shown];
  const cells = ({
    std,
    maxWeight,
    entropy,
    jacobianNorm,
    jacobianNormMedian,
    gapAbove10,
    gapAbove20,
    histogram: {below, above},
  }: Spread) => [
    ...[std, maxWeight, entropy, jacobianNorm, jacobianNormMedian].map((value) => general(value)),
    percent(gapAbove10),
    percent(gapAbove20),
    integer(below + above),
  ];
  return {
    columns: [
      'd',
      '除法',
      ...QUANTITIES.map(({name}) => name),
      '分差超过10',
      '超过20',
      '落在横轴外',
    ],
    rows: all.flatMap((row) =>
      SIDES.map(({side, mark, name}) => [integer(row.d), `${mark} ${name}`, ...cells(row[side])]),
    ),
  };
}

export function steps(
  {seed, samples, keys}: VarianceState,
  {rows, products}: VarianceResult,
): TemplateResult {
  const row = `每行1个查询、${keys}个键，分量独立，均值0，方差1`;
  return html`<ol class="steps">
    <li>
      种子${plain(seed)}。每种维数抽${integer(samples)}行，${row}；共${integer(products)}个点积。
    </li>
    <li>每行做softmax，取最大权重、熵（除以ln ${keys}）和‖J‖。</li>
    <li>同一批点积除以√d（${list(rows, rootText)}），再做一遍。</li>
  </ol>`;
}
