// Pictures of <attn-sweep>: losses with and without ÷√d against the width, and their gaps beside
// the limit that a reader sets.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {generalTick, ticksBeside} from '../../shared/axis.js';
import {fixed} from '../../shared/format.js';
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
} from '../../shared/plot.js';
import {linearScale} from '../../shared/scale.js';
import {WIDTHS} from '../../training/sweep.js';
import type {SweepResult, SweepState, WidthRow} from './state.js';

const LEFT = 12;
const RIGHT = 4;
const TOP = 44;
const PLOT = 190;
const ENDS = [WIDTHS[0], WIDTHS.at(-1) ?? 256] as const;

/** Per cent at both sides, where the first and the last bar have room. */
const INSET = 5;
const xOf = (width: number) => INSET + ((100 - 2 * INSET) * along(width, ENDS)) / 100;
const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);

interface Chart {
  label: string;
  title: string;
  /** Drawn above the panel, at its right end. */
  names: SVGTemplateResult;
  span: readonly [number, number];
  draw: (y: (value: number) => number) => unknown;
}

function chart({label, title, names, span, draw}: Chart): TemplateResult {
  const y = linearScale(span, [PLOT, 0]);
  const ticks = y.ticks(4);
  return figure(
    {height: TOP + PLOT + 40, label},
    svg`${text(0, 14, title, {weight: 600})}${names}
    ${ticks.map((tick) => rule(LEFT, 100 - RIGHT, TOP + y(tick)))}
    ${ticksBeside(ticks, LEFT - 1.5, (tick) => TOP + y(tick), generalTick())}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT - RIGHT, height: PLOT},
      svg`${draw(y)}${WIDTHS.map((width) =>
        text(xOf(width), PLOT + 18, String(width), {
          anchor: 'middle',
          size: 12,
          fill: 'ink-2',
        }),
      )}`,
    )}
    ${text(100 - RIGHT, TOP + PLOT + 34, '头宽d', {anchor: 'end', size: 12, fill: 'ink-2'})}`,
  );
}

type Side = 'scaled' | 'unscaled';
const LOOKS = {
  scaled: {token: 'right', dash: 'solid', mark: 'dot', name: '✓ ÷√d'},
  unscaled: {token: 'wrong', dash: 'dashed', mark: 'cross', name: '✗ 不除'},
} as const;

const pointsOf = (
  rows: readonly WidthRow[],
  key: Side | 'gap',
  y: (value: number) => number,
): Point[] =>
  rows.flatMap((row) => {
    const value = row[key];
    return value === null ? [] : [[xOf(row.width), y(value)] as const];
  });

function losses({recorded, live}: SweepResult): TemplateResult {
  const values = known(
    [...(recorded ?? []), ...(live ?? [])].flatMap((r) => [r.scaled, r.unscaled]),
  );
  const [low, high] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [5, 7];
  const pad = Math.max(0.05, 0.1 * (high - low));
  const line = (rows: readonly WidthRow[], side: Side, y: (value: number) => number) =>
    path(pointsOf(rows, side, y), LOOKS[side].token, LOOKS[side].dash);
  const marks = (rows: readonly WidthRow[], side: Side, y: (value: number) => number) =>
    pointsOf(rows, side, y).map((point) => marker(LOOKS[side].mark, point, LOOKS[side].token));
  return chart({
    label: '末50步平均损失，随头宽变；数值见表格',
    title: '损失',
    names: svg`${text(56, 14, LOOKS.scaled.name, {fill: 'right', size: 12})}
      ${text(80, 14, LOOKS.unscaled.name, {fill: 'wrong', size: 12})}`,
    span: [low - pad, high + pad],
    draw: (y) =>
      svg`${(['scaled', 'unscaled'] as const).map(
        (side) => svg`${recorded ? line(recorded, side, y) : nothing}
        ${marks(live ?? recorded ?? [], side, y)}`,
      )}`,
  });
}

function gaps({apart}: SweepState, {recorded, live}: SweepResult): TemplateResult {
  const rows = live ?? recorded ?? [];
  const values = known([...(recorded ?? []), ...rows].map(({gap}) => gap));
  const span = [Math.min(0, ...values) - 0.02, Math.max(apart, 0.1, ...values) * 1.12] as const;
  return chart({
    label: `两边损失的差，随头宽变；差到${fixed(apart, 2)}才算分开`,
    title: '差：不除的－除的',
    names: svg``,
    span,
    draw: (y) => svg`<line x1="0%" x2="100%" y1=${y(0)} y2=${y(0)} stroke=${color('ink-2')}/>
      ${rows.map(({width, gap}) => {
        if (gap === null) return nothing;
        const [top, bottom] = [y(Math.max(0, gap)), y(Math.min(0, gap))];
        const far = gap >= apart;
        return svg`<svg x="${xOf(width)}%" overflow="visible"><rect x="-9" y=${top} width="18"
          height=${Math.max(1, bottom - top)} rx="2" fill=${color(far ? 'wrong' : 'ink-2')}
          fill-opacity=${far ? 1 : 0.5}/></svg>`;
      })}
      ${
        live && recorded
          ? pointsOf(recorded, 'gap', y).map(
              ([x, at]) => svg`<circle cx="${x}%"
        cy=${at} r="4" fill="none" stroke=${color('ink')}/>`,
            )
          : nothing
      }
      <line x1="0%" x2="100%" y1=${y(apart)} y2=${y(apart)} stroke=${color('score')}
        stroke-width="1.5" stroke-dasharray="6 4"/>
      ${text(0, y(apart) - 6, `分开：${fixed(apart, 2)}`, {size: 12, fill: 'score', halo: true})}`,
  });
}

export function view(state: SweepState, result: SweepResult): TemplateResult {
  return html`<div class="charts">${losses(result)}${gaps(state, result)}</div>`;
}
