// <attn-variance>: random queries and keys, and how far their products spread.

import {html, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {CoreError, type Core, type Spread, type VarianceRow} from '../core.js';
import {fixed, general, integer, percent, plain} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {along, color, figure, histogram, panel, text, ticksBelow} from '../shared/plot.js';
import {numberField, numbersField, type NumberRange, type Schema} from '../shared/schema.js';
import {nextSeed, SIDES, type Side} from '../shared/sides.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

export interface VarianceState {
  dims: readonly number[];
  seed: number;
  samples: number;
  keys: number;
}

export interface VarianceResult {
  rows: VarianceRow[];
  /** Products of each dimension. */
  products: number;
}

const MOST_DIMS = 3;
/** About half a second in the core. */
const MOST_DRAWS = 5e7;
/** From here on a flat row has a small ‖J‖ too, and its mean says little. */
const MANY_KEYS = 17;

const RANGES = {
  dims: {min: 1, max: 4096, integer: true},
  seed: {min: 0, max: 0xffffffff, integer: true},
  samples: {min: 1, max: 20000, integer: true},
  keys: {min: 2, max: 64, integer: true},
} satisfies Record<string, NumberRange>;

const schema: Schema<VarianceState> = {
  dims: numbersField([4, 64, 256], '查询和键的维数', MOST_DIMS, RANGES.dims),
  seed: numberField(20261014, '随机种子', RANGES.seed),
  samples: numberField(2000, '每种维数抽多少行分数', RANGES.samples),
  keys: numberField(5, '一行有几个键', RANGES.keys),
};

function compute(core: Core, {dims, seed, samples, keys}: VarianceState): VarianceResult {
  const draws = samples * (keys + 1) * dims.reduce((sum, d) => sum + d, 0);
  if (draws > MOST_DRAWS) throw new CoreError('too_many_draws', `dims, samples, keys: at most ${MOST_DRAWS} numbers to draw, got ${draws}`);
  return {rows: core.variance({dims: [...dims], seed, samples, keys}), products: samples * keys};
}

const PLOT = 72;
const HEAD = 82;
const BLOCK = HEAD + PLOT + 24;

const STD_DIGITS: Record<Side, number> = {raw: 1, scaled: 2};

function stdText(row: VarianceRow, side: Side): string {
  return fixed(row[side].std, STD_DIGITS[side]);
}

/** From one standard deviation below 0 to one above, as a bracket over the histogram. */
function bracket(std: number, domain: readonly [number, number], y: number): SVGTemplateResult {
  const left = along(Math.max(-std, domain[0]), domain);
  const right = along(Math.min(std, domain[1]), domain);
  return svg`<g stroke=${color('ink')} stroke-width="1.5"><line x1="${left}%" x2="${right}%" y1=${y} y2=${y}/>${[left, right].map(
    (x) => svg`<line x1="${x}%" x2="${x}%" y1=${y - 4} y2=${y + 4}/>`)}</g>`;
}

/** Each histogram is as tall as its panel: what is compared is the width. */
function panels(rows: readonly VarianceRow[], side: Side, token: 'wrong' | 'right', y: number): SVGTemplateResult {
  const gap = 5;
  const width = (100 - gap * (MOST_DIMS - 1)) / MOST_DIMS;
  return svg`${rows.map((row, i) => {
    const {lo, hi, counts} = row[side].histogram;
    return panel({x: i * (width + gap), y, width, height: BLOCK - 40}, svg`
      ${text(0, 0, `d＝${integer(row.d)}`, {weight: 600})}
      ${text(0, 17, `标准差${stdText(row, side)}`, {size: 12})}
      ${bracket(row[side].std, [lo, hi], 29)}
      ${panel({x: 0, y: 37, width: 100, height: PLOT}, histogram({counts, maxCount: Math.max(1, ...counts), height: PLOT, fill: token}))}
      ${ticksBelow([lo, 0, hi], [lo, hi], 37 + PLOT, plain)}`);
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
  return html`<div class="scroll" tabindex="0" role="group" aria-label="每种维数的对照表，可左右滚动"><table class="compare">
    <caption>每种维数一行；最大权重、熵、‖J‖是各行的平均，另附‖J‖的中位数</caption>
    <thead><tr><th scope="col" rowspan="2">d</th>${QUANTITIES.map(({name}) => html`<th scope="colgroup" colspan="2">${name}</th>`)}</tr>
      <tr>${QUANTITIES.map(() => SIDES.map(({mark, name, side}) => html`<th scope="col" class=${side}>${mark} ${name}</th>`))}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><th scope="row">${integer(row.d)}</th>${QUANTITIES.map(({of}) =>
      SIDES.map(({side}) => html`<td class=${side}>${of(row, side)}</td>`))}</tr>`)}</tbody></table></div>`;
}

function view(_state: VarianceState, {rows}: VarianceResult): TemplateResult {
  const label = rows.map((row) => `d＝${row.d}：不缩放标准差${stdText(row, 'raw')}，除以√d之后${stdText(row, 'scaled')}`).join('；');
  const axis = (side: Side) => {
    const {lo = 0, hi = 0} = rows[0]?.[side].histogram ?? {};
    return `${plain(lo)}到${plain(hi)}`;
  };
  return html`${figure({height: 2 * BLOCK + 16, label: `点积的直方图。${label}`}, svg`
      ${text(0, 14, '✗ 不缩放：q·k', {fill: 'wrong', size: 14, weight: 600})}
      ${text(0, 32, `各图共用一条横轴（${axis('raw')}）`, {fill: 'ink-2', size: 12})}
      ${panels(rows, 'raw', 'wrong', 56)}
      ${text(0, BLOCK + 30, '✓ 除以√d：q·k÷√d', {fill: 'right', size: 14, weight: 600})}
      ${text(0, BLOCK + 48, `共用另一条横轴（${axis('scaled')}）`, {fill: 'ink-2', size: 12})}
      ${panels(rows, 'scaled', 'right', BLOCK + 72)}`)}
    <p class="note">图上方的横线从−1个标准差画到＋1个标准差。高矮各按自己的最高处画满，比的是宽窄。</p>
    ${comparison(rows)}`;
}

function list(parts: readonly string[]): string {
  return parts.join('、');
}

function says({keys}: VarianceState, {rows}: VarianceResult): string {
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return '';
  const many = keys >= MANY_KEYS ? `一行有${keys}个键，平摊的一行‖J‖也小，平均的‖J‖不再随d单调下降，请看中位数和熵。` : '';
  const roots = list(rows.map((row) => general(Math.sqrt(row.d), 3)));
  const spread = `d＝${list(rows.map((row) => integer(row.d)))}时，√d是${roots}，实测点积的标准差是${list(rows.map((row) => stdText(row, 'raw')))}；除以√d之后是${list(rows.map((row) => stdText(row, 'scaled')))}。`;
  const widest = rows.reduce((a, b) => (b.d > a.d ? b : a));
  return `${spread}d＝${integer(widest.d)}这一行，最大权重平均${percent(widest.raw.maxWeight)}，除以√d之后${percent(widest.scaled.maxWeight)}。${many}`;
}

function table(_state: VarianceState, {rows}: VarianceResult): Table {
  const cells = ({std, maxWeight, entropy, jacobianNorm, jacobianNormMedian, gapAbove10, gapAbove20, histogram: {below, above}}: Spread) => [
    general(std, 5), general(maxWeight, 4), general(entropy, 4), general(jacobianNorm, 4), general(jacobianNormMedian, 4),
    percent(gapAbove10), percent(gapAbove20), integer(below + above),
  ];
  return {
    columns: ['维数', '除法', '标准差', '最大权重', '熵', '‖J‖平均', '‖J‖中位数', '分差超过10', '分差超过20', '落在横轴之外'],
    rows: rows.flatMap((row) => SIDES.map(({side, mark, name}) => [`d＝${integer(row.d)}`, `${mark} ${name}`, ...cells(row[side])])),
  };
}

function steps({seed, samples, keys}: VarianceState, {rows, products}: VarianceResult): TemplateResult {
  return html`<ol class="steps">
    <li>以${plain(seed)}为种子，每种维数d各抽${integer(samples)}行：每行1个查询q、${keys}个键k，每个分量都独立，服从均值0、方差1的正态分布。</li>
    <li>每行算${keys}个点积，一种维数共${integer(products)}个。标准差就是这${integer(products)}个数的标准差。</li>
    <li>每行做一次softmax，记下最大权重、熵（除以ln ${keys}，平分是1，独占是0）和雅可比矩阵的大小‖J‖，再对${integer(samples)}行取平均；‖J‖另取中位数。</li>
    <li>把同一批点积除以√d（${list(rows.map((row) => general(Math.sqrt(row.d), 4)))}），再走一遍。两排之差只有这一次除法。</li>
  </ol>`;
}

/**
 * Histograms and softmax statistics of dot products of random vectors, with and without ÷√d.
 *
 * @attr dims seed samples keys
 * @fires attn-change  detail: {state, result}
 */
export class AttnVariance extends AttnWidget<VarianceState, VarianceResult> {
  static override readonly spec: Spec<VarianceState, VarianceResult> = {
    tag: 'attn-variance', title: '方差实验', hint: '换个种子，改改维数：上排跟着什么变宽，下排为什么不动？',
    schema, compute, view, says, table, steps,
  };

  protected override controls(state: VarianceState): TemplateResult {
    const {dims, seed, samples, keys} = state;
    return html`<div class="dials">
      <span class="group" role="group" aria-label="维数d"><span>维数d</span>${dims.map((d, i) => numberBox(this, {
        key: `dim-${i}`, label: `第${i + 1}个维数`, bare: true, value: d, ...RANGES.dims, limit: MOST_DIMS,
        set: (value) => this.change({dims: dims.map((old, j) => (j === i ? value : old))}),
        setSeveral: (values) => this.change({dims: values}),
      }))}</span>
      <span class="group">${numberBox(this, {key: 'seed', label: '种子', value: seed, ...RANGES.seed, set: (value) => this.change({seed: value})})}
        <button type="button" class="chip" @click=${() => this.change({seed: nextSeed(seed)})}>换种子</button></span>
      ${numberBox(this, {key: 'samples', label: '行数', value: samples, by: 500, ...RANGES.samples, set: (value) => this.change({samples: value})})}
      ${numberBox(this, {key: 'keys', label: '每行键数', value: keys, ...RANGES.keys, set: (value) => this.change({keys: value})})}
    </div>`;
  }
}
