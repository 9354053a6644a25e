// Pictures of <attn-scaling>. In plots, x is a share of the panel, and y counts pixels down from
// its top.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {DivisorRow, InitSweepRow, VarianceRow} from '../../scaling.js';
import {generalTick, tickLabels, ticksBeside} from '../../shared/axis.js';
import {type Side, SIDES} from '../../shared/experiment.js';
import {fixed, general, integer} from '../../shared/format.js';
import {
  along,
  color,
  figure,
  marker,
  panel,
  path,
  type Point,
  rule,
  text,
  upright,
} from '../../shared/plot.js';
import {NAMES, type ScalingResult, type ScalingState} from './state.js';

const LEFT = 11;

const TOP = 54;

interface Chart {
  title: string;
  dims: readonly number[];
  height: number;
  /** Values that have a rule across the panel. */
  ticks: readonly number[];
  yOf: (value: number) => number;
  legend: SVGTemplateResult;
  curves: (xOf: (d: number) => number) => SVGTemplateResult;
}

/** Pixels from the top for a share of the height, in per cent. */
function below(height: number, share: number): number {
  return Math.round(height * (100 - share)) / 100;
}

/** A quantity against d, on a logarithmic axis. */
function chart({title, dims, height, ticks, yOf, legend, curves}: Chart): TemplateResult {
  const domain = [dims[0] ?? 1, dims.at(-1) ?? 1] as const;
  const xOf = (d: number) => 5 + 0.9 * along(d, domain, 'log');
  return figure(
    {height: TOP + height + 40, label: `${title}；数值见表格`},
    svg`
    ${text(0, 14, title, {size: 14, weight: 600})}
    ${panel({x: 0, y: 21, width: 100, height: 20}, legend)}
    ${ticks.map((tick) => rule(LEFT, 100, TOP + yOf(tick)))}
    ${ticksBeside(ticks, LEFT - 2, (tick) => TOP + yOf(tick), generalTick(), 12)}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT, height},
      svg`${curves(xOf)}
      ${dims.map((d) => upright(xOf(d), height, height + 4, 'ink-2'))}
      ${tickLabels(dims, (d) => ({x: xOf(d), y: height + 18, anchor: 'middle'}), integer, 12)}
      ${text(100, height + 34, '维数d（对数轴）', {anchor: 'end', fill: 'ink-2', size: 12})}`,
    )}`,
  );
}

/** With more points than this, a phone has no room for their values; the table has them. */
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
    legend: svg`${SIDES.map(({mark, name, token}, i) =>
      text(i * 30, 13, `${mark} ${name}`, {fill: token, weight: 600}),
    )}`,
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

export const DIVISORS: readonly {mark: string; name: string; token: 'wrong' | 'right'}[] = [
  {mark: '✗', name: '÷1', token: 'wrong'},
  {mark: '✓', name: '÷√d', token: 'right'},
  {mark: '✗', name: '÷d', token: 'wrong'},
];

export const STATISTICS: readonly {name: string; of: (row: DivisorRow) => string}[] = [
  {name: '最大权重', of: (row) => fixed(row.maxWeight, 3)},
  {name: '熵', of: (row) => fixed(row.entropy, 3)},
  {name: '标准差', of: (row) => general(row.std, 3)},
];

const BAR_ROW = 42;

const STAT_ROW = 28;

const BARS_TOP = 48;

/** One column for each divisor and one row for each score, for comparison. */
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
      return svg`${rule(0, 100, y)}${text(0, y + 18, NAMES[i] ?? '')}${text(
        0,
        y + 35,
        general(score),
        {fill: 'score', size: 12},
      )}
        ${columns.map(({row, x}) =>
          panel(
            {x, y, width: 25, height: BAR_ROW},
            svg`${text(0, 17, fixed(row.weights[i] ?? 0, 3), {size: 12})}
          <rect x="0%" y="23" width="100%" height="11" fill=${color('weight-soft')}/><rect x="0%"
            y="23" width="${along(row.weights[i] ?? 0, [0, 1])}%" height="11"
            fill=${color('weight')}/>`,
          ),
        )}`;
    })}
    ${STATISTICS.map(({name, of}, i) => {
      const y = statsTop + STAT_ROW * i;
      return svg`${rule(0, 100, y)}${text(0, y + 19, name, {
        fill: 'ink-2',
        size: 12,
      })}${columns.map(({row, x}) => text(x, y + 19, of(row), {weight: 600}))}`;
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

export function view({scores}: ScalingState, result: ScalingResult): TemplateResult {
  if (result.part === 'divisor') return divisors(result.rows, scores);
  if (result.part === 'init') return sweep(result.rows);
  return html`<div class="charts">${CURVES.map((curve) => twoSides(curve, result.rows))}</div>`;
}
