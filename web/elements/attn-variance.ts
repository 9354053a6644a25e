// <attn-variance>: random queries and keys, and the spread of their products.

import {html, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {CoreError} from '../core.js';
import type {Spread, VarianceRow} from '../scaling.js';
import {ticksBelow} from '../shared/axis.js';
import {fixed, general, integer, percent, plain} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {
  along,
  figure,
  histogram,
  panel,
  path,
  text,
  upright,
  type Point,
  type Token,
} from '../shared/plot.js';
import type {Need, Resources} from '../shared/runtime.js';
import {numberField, numbersField, type NumberRange, type Schema} from '../shared/schema.js';
import {seedBox, SEEDS, SIDES, type Side} from '../shared/experiment.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface VarianceState {
  /** 查询和键的维数 */
  dims: readonly number[];
  /** 随机种子 */
  seed: number;
  /** 每种维数抽多少行分数 */
  samples: number;
  /** 一行有几个键 */
  keys: number;
}

export interface VarianceResult {
  rows: VarianceRow[];
  /** Number of products for each dimension. */
  products: number;
}

const MOST_DIMS = 3;
/** Gap between panels, per cent. */
const GAP = 5;
/** The largest number of operations: about half a second in the core. */
const MOST_DRAWS = 5e7;
/** From this length on, a uniform row has a small ‖J‖ too, so its mean is not informative. */
const MANY_KEYS = 17;

const RANGES = {
  dims: {min: 1, max: 4096, integer: true},
  samples: {min: 1, max: 20000, integer: true},
  keys: {min: 2, max: 64, integer: true},
} satisfies Record<string, NumberRange>;

const schema: Schema<VarianceState> = {
  dims: numbersField([4, 64, 256], MOST_DIMS, RANGES.dims),
  seed: numberField(20261014, SEEDS),
  samples: numberField(2000, RANGES.samples),
  keys: numberField(5, RANGES.keys),
};

function compute({scaling}: Resources, {dims, seed, samples, keys}: VarianceState): VarianceResult {
  const draws = samples * (keys + 1) * dims.reduce((sum, d) => sum + d, 0);
  if (draws > MOST_DRAWS)
    throw new CoreError(
      'too_many_draws',
      `dims, samples, keys: at most ${MOST_DRAWS} numbers to draw, got ${draws}`,
    );
  return {rows: scaling.variance({dims: [...dims], seed, samples, keys}), products: samples * keys};
}

const PLOT = 72;
/** Distance from a row's heading to the top of its panels, and to the heading of the next row. */
const HEAD = 42;
const BLOCK = HEAD + PLOT + 80;

const STD_DIGITS: Record<Side, number> = {raw: 1, scaled: 2};

function stdText(row: VarianceRow, side: Side): string {
  return fixed(row[side].std, STD_DIGITS[side]);
}

/** A bracket over the histogram, from one standard deviation below 0 to one above. */
function bracket(std: number, domain: readonly [number, number], y: number): SVGTemplateResult {
  const ends = [-std, std].map((at) => along(Math.min(Math.max(at, domain[0]), domain[1]), domain));
  return svg`${path(
    ends.map((x): Point => [x, y]),
    'ink',
  )}${ends.map((x) => upright(x, y - 4, y + 4, 'ink'))}`;
}

/** Each histogram fills the height of its panel, since only the widths are compared. */
function panels(
  rows: readonly VarianceRow[],
  side: Side,
  token: Token,
  y: number,
): SVGTemplateResult {
  const width = (100 - GAP * (MOST_DIMS - 1)) / MOST_DIMS;
  return svg`${rows.map((row, i) => {
    const {lo, hi, counts} = row[side].histogram;
    return panel(
      {x: i * (width + GAP), y, width, height: PLOT + 60},
      svg`
      ${text(0, 14, `d＝${integer(row.d)}`, {weight: 600})}
      ${text(0, 31, `标准差${stdText(row, side)}`, {size: 12})}
      ${bracket(row[side].std, [lo, hi], 43)}
      ${panel(
        {x: 0, y: 51, width: 100, height: PLOT},
        histogram({counts, maxCount: Math.max(1, ...counts), height: PLOT, fill: token}),
      )}
      ${ticksBelow([lo, 0, hi], [lo, hi], 51 + PLOT, plain)}`,
    );
  })}`;
}

const QUANTITIES: readonly {name: string; of: (row: VarianceRow, side: Side) => string}[] = [
  {name: '标准差', of: stdText},
  {name: '最大权重', of: (row, side) => percent(row[side].maxWeight)},
  {name: '熵', of: (row, side) => fixed(row[side].entropy, 3)},
  {name: '‖J‖平均', of: (row, side) => general(row[side].jacobianNorm, 2)},
  {name: '‖J‖中位数', of: (row, side) => general(row[side].jacobianNormMedian, 2)},
];

function comparison(rows: readonly VarianceRow[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="对照表，可左右滚动">
    <table class="compare">
      <caption>
        权重、熵和‖J‖是各行的平均
      </caption>
      <thead>
        <tr>
          <th scope="col" rowspan="2">d</th>
          ${QUANTITIES.map(({name}) => html`<th scope="colgroup" colspan="2">${name}</th>`)}
        </tr>
        <tr>
          ${QUANTITIES.map(() =>
            SIDES.map(
              ({mark, name, side}) => html`<th scope="col" class=${side}>${mark} ${name}</th>`,
            ),
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <th scope="row">${integer(row.d)}</th>
              ${QUANTITIES.map(({of}) => SIDES.map(({side}) => html`<td>${of(row, side)}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const HEADINGS: Record<Side, string> = {
  raw: '的点积，各图共用一条横轴',
  scaled: '之后，共用另一条横轴',
};

function view(_state: VarianceState, {rows}: VarianceResult): TemplateResult {
  return html`${figure(
      {height: 2 * BLOCK - 8, label: '随机点积的直方图，上排不缩放，下排除以√d；数值见下表'},
      SIDES.map(
        ({side, mark, name, token}, i) => svg`
      ${text(0, BLOCK * i + 16, `${mark} ${name}${HEADINGS[side]}`, {
        fill: token,
        size: 14,
        weight: 600,
      })}
      ${panels(rows, side, token, BLOCK * i + HEAD - 12)}`,
      ),
    )}
    <p class="reading">
      图上方的横线从−1个标准差到＋1个标准差。高矮各按自己的最高处画满，比的是宽窄。
    </p>
    ${comparison(rows)}`;
}

function list(rows: readonly VarianceRow[], of: (row: VarianceRow) => string): string {
  return rows.map(of).join('、');
}

function rootText({d}: VarianceRow): string {
  return general(Math.sqrt(d));
}

function says({keys}: VarianceState, {rows}: VarianceResult): string {
  const widest = rows.reduce((a, b) => (b.d > a.d ? b : a));
  const many =
    keys >= MANY_KEYS ? '键一多，平摊的一行‖J‖也小，平均不再随d单调，请看中位数和熵。' : '';
  return (
    `√d是${list(rows, rootText)}，实测点积的标准差是${list(rows, (row) => stdText(row, 'raw'))}，` +
    `除以√d之后是${list(rows, (row) => stdText(row, 'scaled'))}。` +
    `d＝${integer(widest.d)}时，最大权重平均${percent(widest.raw.maxWeight)}，` +
    `除以√d之后${percent(widest.scaled.maxWeight)}。${many}`
  );
}

function table(_state: VarianceState, {rows}: VarianceResult): Table {
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
    rows: rows.flatMap((row) =>
      SIDES.map(({side, mark, name}) => [integer(row.d), `${mark} ${name}`, ...cells(row[side])]),
    ),
  };
}

function steps(
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

/**
 * Histograms and softmax statistics of dot products of random vectors, with and without ÷√d.
 *
 * @attr dims seed samples keys
 * @fires attn-change  detail: {state, result}
 */
export class AttnVariance extends AttnWidget<VarianceState, VarianceResult> {
  static override readonly needs: readonly Need[] = ['scaling'];

  static override readonly spec: Spec<VarianceState, VarianceResult> = {
    tag: 'attn-variance',
    title: '方差实验',
    hint: '换种子，改维数：上排变宽了多少，下排呢？',
    slow: true,
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: VarianceState): TemplateResult {
    const {dims, seed, samples, keys} = state;
    return html`<div class="dials">
      <span class="group" role="group" aria-label="维数d"
        ><span>维数d</span>${dims.map((d, i) =>
          numberBox(this, {
            key: `dim-${i}`,
            label: `第${i + 1}个维数`,
            bare: true,
            value: d,
            ...RANGES.dims,
            limit: MOST_DIMS,
            set: (value) => this.change({dims: dims.map((old, j) => (j === i ? value : old))}),
            setSeveral: (values) => this.change({dims: values}),
          }),
        )}</span
      >
      ${seedBox(this, seed, (value) => this.change({seed: value}))}
      ${numberBox(this, {
        key: 'samples',
        label: '行数',
        value: samples,
        by: 500,
        ...RANGES.samples,
        set: (value) => this.change({samples: value}),
      })}
      ${numberBox(this, {
        key: 'keys',
        label: '每行键数',
        value: keys,
        ...RANGES.keys,
        set: (value) => this.change({keys: value}),
      })}
    </div>`;
  }
}
