// <attn-scaling>: what the dimension does to softmax, and what dividing by 1, √d or d does about it.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {
  CoreError,
  type Core,
  type DivisorRow,
  type InitSweepRow,
  type VarianceRow,
} from '../core.js';
import {fixed, general, integer, percent, plain} from '../shared/format.js';
import {listBox, slider} from '../shared/number-box.js';
import {
  along,
  color,
  figure,
  marker,
  panel,
  path,
  rule,
  text,
  upright,
  type Point,
} from '../shared/plot.js';
import type {Resources} from '../shared/runtime.js';
import {
  choiceField,
  numberField,
  numbersField,
  type NumberRange,
  type Schema,
} from '../shared/schema.js';
import {seedBox, SEEDS, SIDES, type Side} from '../shared/experiment.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

type Part = 'dimension' | 'divisor' | 'init';

export interface ScalingState {
  /** 看哪一部分 */
  part: Part;
  /** 各种维数，用在dimension和init */
  dims: readonly number[];
  /** 随机种子 */
  seed: number;
  /** 没训练的模型里每个权重的标准差，用在init */
  sigma: number;
  /** 一行分数，用在divisor */
  scores: readonly number[];
  /** 这行分数的维数，用在divisor */
  d: number;
}

/** Only the part that is shown is computed. */
export type ScalingResult =
  | {part: 'dimension'; rows: VarianceRow[]}
  | {part: 'divisor'; rows: DivisorRow[]}
  | {part: 'init'; rows: InitSweepRow[]; slope: number | null};

const PARTS: readonly {part: Part; name: string; title: string}[] = [
  {part: 'dimension', name: '维数一大', title: '维数一大，softmax会怎样'},
  {part: 'divisor', name: '除以多少', title: '除以1、√d还是d'},
  {part: 'init', name: '刚初始化', title: '刚初始化的模型，分数有多大'},
];

/** The same rows as in <attn-variance>, so that one seed gives the same digits in both. */
const SAMPLES = 2000;
const KEYS = 5;
const MOST_DIMS = 6;
const MOST_SCORES = 8;
const NAMES = '甲乙丙丁戊己庚辛';

const RANGES = {
  dims: {min: 2, max: 512, integer: true},
  sigma: {min: 0.001, max: 1},
  scores: {min: -1e6, max: 1e6},
  d: {min: 1, max: 4096, integer: true},
} satisfies Record<string, NumberRange>;

const schema: Schema<ScalingState> = {
  part: choiceField<Part>('dimension', ['dimension', 'divisor', 'init']),
  dims: numbersField([32, 64, 128, 256], MOST_DIMS, RANGES.dims),
  seed: numberField(20261014, SEEDS),
  sigma: numberField(0.02, RANGES.sigma),
  scores: numbersField([8, 3, -2, 0.5], MOST_SCORES, RANGES.scores),
  d: numberField(64, RANGES.d),
};

function compute(
  {core}: Resources,
  {part, dims, seed, sigma, scores, d}: ScalingState,
): ScalingResult {
  const ordered = [...new Set(dims)].sort((a, b) => a - b);
  if (part === 'dimension')
    return {part, rows: core.variance({dims: ordered, seed, samples: SAMPLES, keys: KEYS})};
  if (part === 'divisor') return {part, rows: core.divisors(scores, d)};
  const rows = core.initSweep({dims: ordered, sigma, seed});
  return {part, rows, slope: slopeOf(core, rows)};
}

/** Of the measured line on logarithmic axes, from its first point to its last. */
function slopeOf(core: Core, rows: readonly InitSweepRow[]): number | null {
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last || first.d === last.d) return null;
  if (first.std === 0 || last.std === 0)
    throw new CoreError('internal', 'initSweep: a standard deviation of 0');
  return (core.log(last.std) - core.log(first.std)) / (core.log(last.d) - core.log(first.d));
}

// Plots: x is a share of the panel, y counts pixels downwards from its top.

const LEFT = 11;
const TOP = 54;

interface Chart {
  title: string;
  dims: readonly number[];
  height: number;
  /** Values with a rule across the panel. */
  ticks: readonly number[];
  yOf: (value: number) => number;
  legend: SVGTemplateResult;
  curves: (xOf: (d: number) => number) => SVGTemplateResult;
}

/** Pixels from the top for a share of the height, in per cent. */
function below(height: number, share: number): number {
  return Math.round(height * (100 - share)) / 100;
}

/** Something against d, on a logarithmic axis. */
function chart({title, dims, height, ticks, yOf, legend, curves}: Chart): TemplateResult {
  const domain = [dims[0] ?? 1, dims.at(-1) ?? 1] as const;
  const xOf = (d: number) => 5 + 0.9 * along(d, domain, 'log');
  return figure(
    {height: TOP + height + 40, label: `${title}；数值见表格`},
    svg`
    ${text(0, 14, title, {size: 14, weight: 600})}
    ${panel({x: 0, y: 21, width: 100, height: 20}, legend)}
    ${ticks.map((tick) => svg`${rule(LEFT, 100, TOP + yOf(tick))}${text(LEFT - 2, TOP + yOf(tick) + 4, general(tick), {anchor: 'end', fill: 'ink-2', size: 12})}`)}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT, height},
      svg`${curves(xOf)}
      ${dims.map((d) => svg`${upright(xOf(d), height, height + 4, 'ink-2')}${text(xOf(d), height + 18, integer(d), {anchor: 'middle', fill: 'ink-2', size: 12})}`)}
      ${text(100, height + 34, '维数d（对数轴）', {anchor: 'end', fill: 'ink-2', size: 12})}`,
    )}`,
  );
}

/** More points than this have no room for their values on a phone; the table has them. */
const FEW = 5;

interface Curve {
  title: string;
  ticks: readonly [number, number, number];
  of: (row: VarianceRow, side: Side) => number;
}

const CURVES: readonly Curve[] = [
  {title: '熵：1是平分，0是独占', ticks: [0, 0.5, 1], of: (row, side) => row[side].entropy},
  {
    title: '雅可比范数‖J‖：0是学不动',
    ticks: [0, 0.25, 0.5],
    of: (row, side) => row[side].jacobianNorm,
  },
];

function twoSides({title, ticks, of}: Curve, rows: readonly VarianceRow[]): TemplateResult {
  const height = 130;
  const yOf = (value: number) => below(height, along(value, [0, ticks[2]]));
  return chart({
    title,
    ticks,
    height,
    yOf,
    dims: rows.map(({d}) => d),
    legend: svg`${SIDES.map(({mark, name, token}, i) => text(i * 30, 13, `${mark} ${name}`, {fill: token, weight: 600}))}`,
    curves: (xOf) =>
      svg`${SIDES.map(({side, token, shape, dash}) => {
        const points = rows.map((row): Point => [xOf(row.d), yOf(of(row, side))]);
        return svg`${path(points, token, dash)}${points.map(
          ([x, y], i) =>
            svg`${marker(shape, [x, y], token)}${
              rows.length <= FEW
                ? text(
                    x,
                    side === 'raw' && y < height - 24 ? y + 20 : y - 9,
                    fixed(of(rows[i] as VarianceRow, side), 3),
                    {anchor: 'middle', size: 11, fill: token, halo: true},
                  )
                : nothing
            }`,
        )}`;
      })}`,
  });
}

const DIVISORS: readonly {mark: string; name: string; token: 'wrong' | 'right'}[] = [
  {mark: '✗', name: '÷1', token: 'wrong'},
  {mark: '✓', name: '÷√d', token: 'right'},
  {mark: '✗', name: '÷d', token: 'wrong'},
];

const STATISTICS: readonly {name: string; of: (row: DivisorRow) => string}[] = [
  {name: '最大权重', of: (row) => fixed(row.maxWeight, 3)},
  {name: '熵', of: (row) => fixed(row.entropy, 3)},
  {name: '标准差', of: (row) => general(row.std, 3)},
];

const BAR_ROW = 42;
const STAT_ROW = 28;
const BARS_TOP = 48;

/** One column a divisor, one row a score, so that both can be compared. */
function divisors(rows: readonly DivisorRow[], scores: readonly number[]): TemplateResult {
  const columns = rows.map((row, i) => ({
    row,
    x: 20 + 27.5 * i,
    ...(DIVISORS[i] ?? {mark: '', name: '', token: 'wrong' as const}),
  }));
  const statsTop = BARS_TOP + BAR_ROW * scores.length + 6;
  return figure(
    {height: statsTop + STAT_ROW * STATISTICS.length, label: '三种除法之后的权重；数值见表格'},
    svg`
    ${text(0, 38, '分数', {fill: 'ink-2', size: 12})}
    ${columns.map(
      ({
        mark,
        name,
        token,
        x,
        row,
      }) => svg`${text(x, 16, `${mark} ${name}`, {fill: token, weight: 600, size: 15})}
      ${text(x, 36, `除以${general(row.divisor)}`, {fill: 'ink-2', size: 12})}`,
    )}
    ${scores.map((score, i) => {
      const y = BARS_TOP + BAR_ROW * i;
      return svg`${rule(0, 100, y)}${text(0, y + 18, NAMES[i] ?? '')}${text(0, y + 35, general(score), {fill: 'score', size: 12})}
        ${columns.map(({row, x}) =>
          panel(
            {x, y, width: 25, height: BAR_ROW},
            svg`${text(0, 17, fixed(row.weights[i] ?? 0, 3), {size: 12})}
          <rect x="0%" y="23" width="100%" height="11" fill=${color('weight-soft')}/><rect x="0%" y="23" width="${along(row.weights[i] ?? 0, [0, 1])}%" height="11" fill=${color('weight')}/>`,
          ),
        )}`;
    })}
    ${STATISTICS.map(({name, of}, i) => {
      const y = statsTop + STAT_ROW * i;
      return svg`${rule(0, 100, y)}${text(0, y + 19, name, {fill: 'ink-2', size: 12})}${columns.map(({row, x}) => text(x, y + 19, of(row), {weight: 600}))}`;
    })}`,
  );
}

/** Powers of ten that enclose all values. */
function decades(values: readonly number[]): number[] {
  const lo = Math.floor(Math.log10(Math.min(...values)));
  const hi = Math.max(lo + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({length: hi - lo + 1}, (_, i) => 10 ** (lo + i));
}

function sweep(rows: readonly InitSweepRow[]): TemplateResult {
  const ticks = decades(
    rows.flatMap(({std, predicted, unitVariance}) => [std, predicted, unitVariance]),
  );
  const height = 220;
  const yOf = (value: number) =>
    below(height, along(value, [ticks[0] ?? 1, ticks.at(-1) ?? 1], 'log'));
  return chart({
    title: '分数的标准差，未除√d（对数轴）',
    ticks,
    height,
    yOf,
    dims: rows.map(({d}) => d),
    legend: svg`${marker('cross', [2, 8], 'score')}${text(5, 13, '实测', {fill: 'score'})}
      ${path(
        [
          [22, 8],
          [29, 8],
        ],
        'score',
      )}${text(31, 13, '预测σ²d√d', {fill: 'score'})}
      ${path(
        [
          [66, 8],
          [73, 8],
        ],
        'ink-2',
        'dashed',
      )}${text(75, 13, '√d', {fill: 'ink-2'})}`,
    curves: (xOf) => svg`${path(
      rows.map((row) => [xOf(row.d), yOf(row.unitVariance)]),
      'ink-2',
      'dashed',
    )}
      ${path(
        rows.map((row) => [xOf(row.d), yOf(row.predicted)]),
        'score',
      )}
      ${rows.map(
        ({d, std}) =>
          svg`${marker('cross', [xOf(d), yOf(std)], 'score')}${
            rows.length <= FEW
              ? text(xOf(d), yOf(std) + 20, general(std, 3), {
                  anchor: 'middle',
                  size: 11,
                  halo: true,
                })
              : nothing
          }`,
      )}`,
  });
}

function view({scores}: ScalingState, result: ScalingResult): TemplateResult {
  if (result.part === 'divisor') return divisors(result.rows, scores);
  if (result.part === 'init') return sweep(result.rows);
  return html`<div class="charts">${CURVES.map((curve) => twoSides(curve, result.rows))}</div>`;
}

/** From the first row to the last. */
function course<Row>(rows: readonly Row[], of: (row: Row) => string): string {
  return [...new Set([rows.slice(0, 1), rows.slice(-1)].flat().map(of))].join('→');
}

function saysDimension(rows: readonly VarianceRow[]): string {
  const [raw, scaled] = SIDES.map(
    ({side, name}) =>
      `${name}，熵${course(rows, (row) => fixed(row[side].entropy, 3))}，‖J‖${course(rows, (row) => fixed(row[side].jacobianNorm, 3))}`,
  );
  return `d＝${course(rows, ({d}) => integer(d))}：${raw}；${scaled}。这里q、k的方差恰好是1；小模型起步时并非如此，见「刚初始化」。`;
}

function saysDivisor(rows: readonly DivisorRow[], d: number, scores: readonly number[]): string {
  const [one, root, full] = rows.map(({maxWeight}) => percent(maxWeight));
  return `当作${integer(d)}维的点积：不除，最大权重${one}；除以√d，${root}；除以d，${full}，而${scores.length}个平分是${percent(1 / scores.length)}。`;
}

function saysInit(rows: readonly InitSweepRow[], sigma: number, slope: number | null): string {
  const worst = Math.max(...rows.map(({std, predicted}) => Math.abs(std / predicted - 1)));
  const shares = course(rows, (row) => percent(row.std / row.unitVariance));
  return (
    `σ＝${plain(sigma)}时，实测与预测最多差${percent(worst)}，是√d的${shares}。` +
    (slope === null
      ? ''
      : `双对数图上，实测斜率${fixed(slope, 2)}，√d那条是0.50：宽度就是d，每个分量的方差σ²d也跟着变大，再乘√d，指数便是1.5。`)
  );
}

function says({d, scores, sigma}: ScalingState, result: ScalingResult): string {
  if (result.part === 'divisor') return saysDivisor(result.rows, d, scores);
  if (result.part === 'init') return saysInit(result.rows, sigma, result.slope);
  return saysDimension(result.rows);
}

function table({scores}: ScalingState, result: ScalingResult): Table {
  if (result.part === 'divisor') {
    return {
      columns: [
        '除以',
        ...scores.map((score, i) => `${NAMES[i]} ${general(score)}`),
        ...STATISTICS.map(({name}) => name),
      ],
      rows: result.rows.map((row, i) => [
        `${DIVISORS[i]?.name}＝${general(row.divisor)}`,
        ...[...row.weights, row.maxWeight, row.entropy, row.std].map((value) => general(value)),
      ]),
    };
  }
  if (result.part === 'init') {
    return {
      columns: ['d', '实测', '预测σ²d√d', '√d', '熵', '‖J‖'],
      rows: result.rows.map((row) => [
        integer(row.d),
        ...[row.std, row.predicted, row.unitVariance, row.entropy, row.jacobianNorm].map((value) =>
          general(value),
        ),
      ]),
    };
  }
  return {
    columns: ['d', '除法', '熵', '‖J‖平均', '‖J‖中位数', '标准差', '最大权重'],
    rows: result.rows.flatMap((row) =>
      SIDES.map(({side, mark, name}) => {
        const {entropy, jacobianNorm, jacobianNormMedian, std, maxWeight} = row[side];
        return [
          integer(row.d),
          `${mark} ${name}`,
          ...[entropy, jacobianNorm, jacobianNormMedian, std, maxWeight].map((value) =>
            general(value),
          ),
        ];
      }),
    ),
  };
}

function steps({d, sigma, seed}: ScalingState, {part}: ScalingResult): TemplateResult {
  const items: Record<Part, string[]> = {
    dimension: [
      `种子${plain(seed)}，每种维数${integer(SAMPLES)}行、每行${KEYS}个键，与方差实验同一批数。`,
      '每行用点积和点积÷√d各做一次softmax，熵和‖J‖取平均。',
    ],
    divisor: [
      `分数分别除以1、√${d}、${d}，各做一次softmax。`,
      '标准差：分量独立、方差1时，点积是√d，再除以除数。',
    ],
    init: [
      `一层一头，宽度和头宽都是d；词表300，8句，每句32个词元；所有参数按σ＝${plain(sigma)}抽取，种子${plain(seed)}。`,
      '先过LayerNorm，再投影；量每个词元对自己和前文的点积，不除√d。',
      'LayerNorm之后方差约1，q的分量方差是σ²d，点积的标准差是σ²d√d。',
    ],
  };
  return html`<ol class="steps">
    ${items[part].map((item) => html`<li>${item}</li>`)}
  </ol>`;
}

/**
 * Experiment 1-1, three divisors side by side, and the logits of untrained models of growing width.
 *
 * @attr part dims seed sigma scores d
 * @fires attn-change  detail: {state, result}
 */
export class AttnScaling extends AttnWidget<ScalingState, ScalingResult> {
  static override readonly spec: Spec<ScalingState, ScalingResult> = {
    tag: 'attn-scaling',
    title: ({part}) => PARTS.find((each) => each.part === part)?.title ?? '',
    hint: '三栏三问。改一个数，看图和下面的句子怎样跟着变。',
    slow: true,
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: ScalingState): TemplateResult {
    return html`<fieldset class="tabs">
        <legend>看哪一部分</legend>
        ${PARTS.map(
          ({part, name}) =>
            html`<label>
              <input
                type="radio"
                name="part"
                value=${part}
                ?checked=${state.part === part}
                @change=${() => this.#show(part)}
              /><span>${name}</span></label
            >`,
        )}
      </fieldset>
      <div class="dials">${state.part === 'divisor' ? this.#row(state) : this.#run(state)}</div>`;
  }

  #show(part: Part): void {
    this.drafts.clear();
    this.change({part});
  }

  #row({scores, d}: ScalingState): TemplateResult {
    return html`${listBox(this, {key: 'scores', label: '一行分数', values: scores, read: schema.scores.read, set: (values) => this.change({scores: values})})}
    ${slider(this, {
      key: 'd',
      label: '维数d',
      value: d,
      ...RANGES.d,
      step: 0.25,
      toTrack: Math.log2,
      fromTrack: (track) => Math.round(2 ** track),
      set: (value) => this.change({d: value}),
    })}`;
  }

  #run({part, dims, seed, sigma}: ScalingState): TemplateResult {
    return html`${listBox(this, {key: 'dims', label: '维数d', values: dims, read: schema.dims.read, set: (values) => this.change({dims: values})})}
    ${seedBox(this, seed, (value) => this.change({seed: value}))}
    ${
      part === 'init'
        ? slider(this, {
            key: 'sigma',
            label: '初始化σ',
            value: sigma,
            ...RANGES.sigma,
            by: 0.01,
            step: 0.05,
            toTrack: Math.log10,
            fromTrack: (track) => Number((10 ** track).toPrecision(2)),
            set: (value) => this.change({sigma: value}),
          })
        : nothing
    }`;
  }
}
