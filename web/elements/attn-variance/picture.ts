// The picture of <attn-variance>: products of one row as random walks, the histogram on which they
// land, and the weights that softmax makes of the row. One axis serves walks and histogram.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {VarianceRow} from '../../scaling.js';
import {generalTick, tickLabels} from '../../shared/axis.js';
import {beat, linearBeat, mix} from '../../shared/beats.js';
import {integer} from '../../shared/format.js';
import {color, figure, pin, text} from '../../shared/plot.js';
import {linearScale} from '../../shared/scale.js';
import {cells} from './cells.js';
import {
  divisorOf,
  kindOf,
  scoreText,
  stdText,
  type Layout,
  type Shown,
  type VarianceTouch,
} from './kinds.js';
import {FELL, LANDED, WALKED, type VarianceResult, type VarianceState} from './state.js';

const LAYOUTS: readonly Layout[] = [
  {kind: 'wide', walk: 165, histogram: 150, cell: 66, ticks: 7},
  {kind: 'narrow', walk: 135, histogram: 128, cell: 56, ticks: 4},
];
const TOP = 28;
/** From the axis to the cells of the row. */
const BELOW = 66;
/** Highest bar of the histogram, measured from the top of its part. */
const HEADROOM = 40;
/** Bins of the core that one step of an outline joins. */
const JOINED = 4;
/** Products on their way down at one moment. */
const IN_FLIGHT = 14;

export function varianceFigure(
  state: VarianceState,
  result: VarianceResult,
  touch?: VarianceTouch,
): TemplateResult {
  const kind = kindOf(state.divisor);
  const limit = touch?.limit ?? kind.limit;
  const x = linearScale([-limit, limit], [0, 100]);
  const sigmaOf = (d: number) => Math.sqrt(d) / divisorOf(state.divisor, d);
  const shown = {state, result, kind, x, limit, sigmaOf, touch};
  return html`${LAYOUTS.map((layout) => drawn(layout, shown))}`;
}

function drawn(layout: Layout, shown: Shown): TemplateResult {
  const {kind, walk, histogram, cell} = layout;
  const {state, result} = shown;
  const label = `d＝${integer(state.d)}，${shown.kind.name}，点积的标准差${stdText(state, result)}`;
  const foot = TOP + walk;
  const base = foot + histogram;
  return figure(
    {height: base + BELOW + cell + 4, label, only: kind, touched: shown.touch !== undefined},
    svg`${axis(layout, shown, base)}${walks(layout, shown, foot)}
      ${bars(layout, shown, base)}${ghosts(layout, shown, base)}${rain(layout, shown, foot, base)}
      ${landing(layout, shown, foot, base)}${words(layout, shown, foot, base)}
      ${cells(layout, shown, base + BELOW)}`,
  );
}

/** A panel as wide as the picture whose x is per cent, for paths; y stays pixels. */
function stretched(y: number, height: number, content: unknown): SVGTemplateResult {
  return svg`<svg y=${y} width="100%" height=${height} viewBox="0 0 100 ${height}"
    preserveAspectRatio="none">${content}</svg>`;
}

const inside = (x: number) => Math.min(100, Math.max(0, x));
const at2 = (value: number) => Number(value.toFixed(2));

function axis({ticks}: Layout, {x}: Shown, base: number): SVGTemplateResult {
  const values = x.ticks(ticks);
  return svg`${values.map(
    (tick) =>
      svg`<line x1="${at2(x(tick))}%" x2="${at2(x(tick))}%" y1=${TOP} y2=${base}
          stroke=${color(tick === 0 ? 'ink-2' : 'rule')}/>`,
  )}<line x2="100%" y1=${base} y2=${base} stroke=${color('ink-2')}/>${tickLabels(
    values,
    (tick) => ({x: at2(x(tick)), y: base + 17, anchor: 'middle'}),
    generalTick(),
    12,
  )}`;
}

/** The sums of the row, from the first component at the top to the last one at `foot`. */
function walks({walk}: Layout, shown: Shown, foot: number): SVGTemplateResult {
  const {state, result, x, sigmaOf, kind} = shown;
  const {d} = state;
  const sigma = sigmaOf(d);
  const side = (sign: number) =>
    Array.from({length: 33}, (_, i) => {
      const share = i / 32;
      return `${at2(inside(x(sign * sigma * Math.sqrt(share))))} ${at2(walk * share)}`;
    });
  const chosen = Math.min(state.pair, result.walks.length) - 1;
  const order = [...result.walks.keys()].sort(
    (a, b) => Number(a === chosen) - Number(b === chosen),
  );
  const points = (walked: readonly number[]) =>
    walked.map(
      (z, i) => `${at2(inside(x(z * sigma)))} ${at2((walk * (result.stops[i] ?? 0)) / d)}`,
    );
  return svg`${stretched(
    foot - walk,
    walk,
    svg`<path d="M${[...side(-1), ...side(1).reverse()].join('L')}Z" fill=${color(kind.token)}
        fill-opacity="0.1"/>
      ${order.map(
        (k) =>
          svg`<path data-token=${k} d="M${[`50 0`, ...points(result.walks[k] ?? [])].join('L')}"
            fill="none" vector-effect="non-scaling-stroke" stroke-linejoin="round"
            stroke=${color(k === chosen ? 'ink' : 'ink-2')} stroke-width=${k === chosen ? 1.8 : 1}
            stroke-opacity=${k === chosen ? 1 : 0.45}/>`,
      )}`,
  )}`;
}

/** Bars that have fallen so far, each histogram filled to the same height. */
function bars({histogram}: Layout, shown: Shown, base: number): unknown {
  const {state, result, x, sigmaOf, kind} = shown;
  const {counts, lo, hi} = result.shown.scaled.histogram;
  if (state.at <= LANDED) return nothing;
  const first = fallenCounts(shown);
  const [topFirst, topAll] = [countsOf(shown, result.first.length), counts].map((list) =>
    Math.max(1, ...list),
  ) as [number, number];
  const rest = beat(state.at, FELL, 1);
  const room = histogram - HEADROOM;
  const edge = (i: number) =>
    at2(inside(x((lo + ((hi - lo) * i) / counts.length) * sigmaOf(state.d))));
  const steps = counts.map((count, i) => {
    const height = room * mix((first[i] ?? 0) / topFirst, count / topAll, rest);
    return `V${at2(histogram - height)}H${edge(i + 1)}`;
  });
  return stretched(
    base - histogram,
    histogram,
    svg`<path d="M${edge(0)} ${histogram}${steps.join('')}V${histogram}Z" fill=${color(kind.token)}
      fill-opacity="0.8"/>`,
  );
}

/** Products that have begun to fall: slowly at first, so that each one is seen. */
function fallenOf({state, result}: Shown): number {
  const share = linearBeat(state.at, LANDED, FELL);
  return Math.round(result.first.length * share ** 2);
}

function countsOf({result}: Shown, upTo: number): number[] {
  const {counts} = result.shown.scaled.histogram;
  const list = counts.map(() => 0);
  for (const bin of result.first.slice(0, upTo))
    if (bin >= 0 && bin < list.length) list[bin] = (list[bin] ?? 0) + 1;
  return list;
}

const fallenCounts = (shown: Shown) => countsOf(shown, Math.max(0, fallenOf(shown) - IN_FLIGHT));

/** The newest products, between the foot of the walks and the axis. */
function rain({histogram}: Layout, shown: Shown, foot: number, base: number): unknown {
  const {state, result, x, sigmaOf} = shown;
  const {lo, hi, counts} = result.shown.scaled.histogram;
  if (state.at <= LANDED || state.at >= FELL) return nothing;
  const fallen = fallenOf(shown);
  const flying = result.first.slice(Math.max(0, fallen - IN_FLIGHT), fallen);
  return flying.map((bin, i) => {
    const way = (flying.length - i) / (IN_FLIGHT + 1);
    const z = lo + ((hi - lo) * (bin + 0.5)) / counts.length;
    return svg`<circle cx="${at2(inside(x(z * sigmaOf(state.d))))}%" r="3"
      cy=${at2(foot + (base - foot) * Math.min(way ** 2, 1 - 8 / histogram))}
      fill=${color('ink-2')}/>`;
  });
}

/** Outlines of the dimensions to compare with, each to the same height. */
function ghosts({histogram}: Layout, shown: Shown, base: number): SVGTemplateResult {
  const {state, result, x, sigmaOf} = shown;
  const room = histogram - HEADROOM;
  const others = result.rows.filter(({d}) => d !== state.d);
  const outline = ({d, scaled}: VarianceRow) => {
    const {counts, lo, hi} = scaled.histogram;
    const joined = Array.from({length: counts.length / JOINED}, (_, i) =>
      counts.slice(i * JOINED, (i + 1) * JOINED).reduce((sum, count) => sum + count, 0),
    );
    const top = Math.max(1, ...joined);
    const z = (i: number) => lo + ((hi - lo) * (i + 0.5)) / joined.length;
    return joined.map(
      (count, i) => `${at2(inside(x(z(i) * sigmaOf(d))))} ${at2(histogram - (room * count) / top)}`,
    );
  };
  return stretched(
    base - histogram,
    histogram,
    others.map(
      (row) =>
        svg`<path d="M${outline(row).join('L')}" fill="none" stroke=${color('ink')}
          stroke-width="1.4" stroke-dasharray="4 3" stroke-opacity="0.7" stroke-linejoin="round"
          vector-effect="non-scaling-stroke"/>`,
    ),
  );
}

/** The ends of the walks: the chosen one falls on the axis and keeps its number. */
function landing({walk}: Layout, shown: Shown, foot: number, base: number): SVGTemplateResult {
  const {state, result, x, sigmaOf} = shown;
  const {d, at} = state;
  const chosen = Math.min(state.pair, result.walks.length) - 1;
  const y = foot - walk + (walk * result.walked) / d;
  const down = mix(y, base - 7, beat(at, WALKED, LANDED));
  const place = (k: number) => at2(inside(x((result.walks[k]?.at(-1) ?? 0) * sigmaOf(d))));
  const others = [...result.walks.keys()].filter((k) => k !== chosen);
  const own = place(chosen);
  const value = (result.scores[chosen] ?? 0) / divisorOf(state.divisor, d);
  const product = {one: 'q·k', root: 'q·k÷√d', d: 'q·k÷d'}[state.divisor];
  const label = at < WALKED ? scoreText(value) : `${product}＝${scoreText(value)}`;
  // Outside of the walks, unless the edge of the picture is near.
  const right = own < 22 || (own > 50 && own < 78);
  return svg`${others.map(
    (k) => svg`<circle data-token=${k} cx="${place(k)}%" cy=${at2(down)} r="3.5"
      fill=${color('raised')} stroke=${color('ink-2')} stroke-width="1.5"/>`,
  )}${
    down > foot
      ? svg`<line x1="${own}%" x2="${own}%" y1=${foot} y2=${at2(down)} stroke=${color('ink')}
          stroke-dasharray="2 3"/>`
      : nothing
  }<circle data-token=${chosen} cx="${own}%" cy=${at2(down)} r="6" fill=${color('ink')}
    stroke=${color('raised')} stroke-width="1.5"/>
  ${pin(
    own,
    Math.max(TOP + 12, Math.min(y, foot) - 8),
    svg`<text x=${right ? 11 : -11} text-anchor=${right ? 'start' : 'end'} font-size="14"
      font-weight="650" stroke=${color('raised')} stroke-width="4"
      paint-order="stroke">${label}</text>`,
  )}`;
}

function words(layout: Layout, shown: Shown, foot: number, base: number): SVGTemplateResult {
  const {state, result, kind, limit, sigmaOf, x} = shown;
  const {d, at} = state;
  const wide = layout.kind === 'wide';
  const {walked} = result;
  const list = result.rows.filter((row) => row.d !== d).map((row) => integer(row.d));
  const title =
    (wide ? `同一行的${state.keys}对q、k，` : '') + `一项一项加：第1项到第${integer(walked)}项`;
  const fallen = fallenOf(shown);
  const count =
    at >= 1
      ? `${integer(result.shownProducts)}个点积`
      : at <= LANDED
        ? ''
        : at < FELL
          ? `落下${integer(fallen)}个`
          : `落下${integer(result.first.length)}个，再加其余的`;
  const chosen = result.walks[Math.min(state.pair, result.walks.length) - 1] ?? [];
  const other = (chosen.at(-1) ?? 0) > 0 ? -1 : 1;
  const edge = at2(inside(x(other * sigmaOf(d))));
  const root = {one: '±√d', root: '±1', d: '±1÷√d'}[state.divisor];
  return svg`${text(0, 15, title, {size: 13, fill: 'ink-2'})}
    ${
      edge > 14 && edge < 86
        ? text(edge + other, foot - 5, root, {
            anchor: other > 0 ? 'start' : 'end',
            size: 12.5,
            fill: 'ink-2',
            halo: true,
          })
        : nothing
    }
    ${text(0, foot + 18, list.length > 0 ? `虚线：d＝${list.join('、')}` : '', {
      size: 12.5,
      fill: 'ink-2',
      halo: true,
    })}
    ${text(100, foot + 18, at > FELL ? `${kind.mark} 标准差${stdText(state, result)}` : '', {
      anchor: 'end',
      size: 14,
      weight: 600,
      fill: kind.token,
      halo: true,
    })}
    ${text(100, foot + 35, count, {anchor: 'end', size: 12, fill: 'ink-2', halo: true})}
    ${
      4 * sigmaOf(d) > limit * 1.01 && at > LANDED
        ? text(100, base + 33, '两头伸出了图外', {anchor: 'end', size: 12, fill: 'ink-2'})
        : nothing
    }`;
}
