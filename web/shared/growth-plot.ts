// How caches grow with the context: bytes against tokens, both on logarithmic axes, so that a
// constant cost for each token is a line of slope 1.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {tickLabels, ticksBeside} from './axis.js';
import type {Exact} from './cache-json.js';
import {binary, integer} from './format.js';
import {clamp, slideHandle} from './handle.js';
import {along, color, figure, panel, rule, text, upright, type Token} from './plot.js';

export interface Growth {
  name: string;
  points: {context: number; total: Exact}[];
  /** The size at the chosen context. */
  total: Exact;
}

/** Tokens where the axis begins and where it ends unless the chosen context is longer: 2⁶, 2²¹. */
const FIRST = 6;
const LAST = 21;
/** Both axes have a tick every five doublings. */
const DOUBLINGS = 5;
/** The marker goes by tenths of a doubling. */
const STEP = 0.1;
/** The longest context that a number box accepts, 2³⁰ tokens. */
const LONGEST = 30;

/** The longest axis, on which 2³⁰ tokens have a place. */
const MOST = 31;

/** The contexts of a curve's points, each twice the one before. */
export const CONTEXTS = Array.from({length: MOST - FIRST + 1}, (_, i) => 2 ** (FIRST + i));

/** The end of the axis in doublings, far enough to the right for a context. */
function lastOf(context: number): number {
  const beyond = Math.ceil((Math.log2(context) - LAST) / DOUBLINGS);
  return Math.min(MOST, LAST + DOUBLINGS * Math.max(0, beyond));
}

export interface GrowthTouch {
  /** The context at which a drag began: the axis stays while it lasts. */
  held: number | null;
  move: (context: number) => void;
  done: () => void;
  /** The context and its size in words. */
  spoken: string;
}

export interface GrowthMarks {
  context: number;
  /** Available memory in bytes, drawn as a limit. */
  room: number;
  /** The label of the available memory. */
  roomText: string;
  /** The longest context of the first curve that fits, if there is one. */
  longest?: number | null;
}

interface Layout {
  only?: 'wide' | 'narrow';
  /** The left edge of the plot, in per cent. */
  left: number;
  plot: number;
}

const LAYOUTS: readonly Layout[] = [
  {only: 'wide', left: 8, plot: 230},
  {only: 'narrow', left: 17, plot: 200},
];
/** One picture for every width. */
const PLAIN: Layout = {left: 14, plot: 230};

/** The labels of the two upright lines, above the axis. */
const LABELS = [14, 34] as const;
const TOP = 16;
const AXIS = 36;
const NAME_ROW = 22;
/** Between two texts of the axis on a phone. */
const NARROW_TICKS = 4;

const LINES: readonly {fill: Token; dash: string | typeof nothing; width: number}[] = [
  {fill: 'weight', dash: nothing, width: 3},
  {fill: 'ink', dash: '7 4', width: 1.4},
  {fill: 'score', dash: '2 3', width: 1.8},
  {fill: 'ink-2', dash: '10 3 2 3', width: 1.4},
];
const lineOf = (i: number) => LINES[i] ?? {fill: 'ink' as const, dash: nothing, width: 1};

interface Scales {
  /** Per cent of the panel. */
  x: (tokens: number) => number;
  y: (bytes: number) => number;
  tokens: readonly [number, number];
  sizes: readonly number[];
}

function scalesOf(
  curves: readonly Growth[],
  {context, room}: GrowthMarks,
  held: number,
  {plot}: Layout,
): Scales {
  const tokens = [2 ** FIRST, 2 ** lastOf(Math.max(context, held))] as const;
  const sizes = curves
    .flatMap(({points}) => points.filter((point) => point.context <= tokens[1]))
    .map(({total}) => Number(total))
    .filter((size) => size > 0);
  // The part above the limit has at least two doublings of its own.
  const power = (size: number) => Math.log2(size) / DOUBLINGS;
  const lowest = Math.floor(power(Math.min(...sizes, room)));
  const highest = Math.max(lowest + 2, Math.ceil(power(Math.max(...sizes, 4 * room))));
  const every = highest - lowest > 8 ? 2 : 1;
  const [lo, hi] = [2 ** (DOUBLINGS * lowest), 2 ** (DOUBLINGS * highest)];
  return {
    tokens,
    x: (context) => clamp(along(context, tokens, 'log'), 0, 100),
    y: (bytes) => plot - (plot * along(clamp(bytes, lo, hi), [lo, hi], 'log')) / 100,
    sizes: Array.from(
      {length: highest - lowest + 1},
      (_, i) => 2 ** (DOUBLINGS * (lowest + i)),
    ).filter((_, i) => i % every === 0),
  };
}

/** The plot as one picture for every width. */
export const growthPlot = (curves: readonly Growth[], marks: GrowthMarks): TemplateResult =>
  drawn(PLAIN, curves, marks);

/** The plot as a pair of pictures, with a marker to drag if it is touched. */
export const growthPlots = (
  curves: readonly Growth[],
  marks: GrowthMarks,
  touch?: GrowthTouch,
): TemplateResult => html`${LAYOUTS.map((layout) => drawn(layout, curves, marks, touch))}`;

function drawn(
  layout: Layout,
  curves: readonly Growth[],
  marks: GrowthMarks,
  touch?: GrowthTouch,
): TemplateResult {
  const {only, left, plot} = layout;
  const scales = scalesOf(curves, marks, touch?.held ?? 0, layout);
  const foot = TOP + plot + AXIS;
  const sizes = curves.map(({name, total}) => `${name} ${binary(total)}`).join('，');
  return figure(
    {
      height: foot + NAME_ROW * (curves.length + 1),
      label: `字节数随上下文增长，${integer(marks.context)}个词元时：${sizes}`,
      ...(only && {only}),
      touched: touch !== undefined,
    },
    svg`${scales.sizes.map((tick) => rule(left, 100, TOP + scales.y(tick)))}
      ${ticksBeside(scales.sizes, left - 1.2, (tick) => TOP + scales.y(tick), binary)}
      ${panel(
        {x: left, y: TOP, width: 100 - left, height: plot},
        svg`${limit(layout, scales, marks)}${lines(layout, scales, curves)}
          ${axis(layout, scales)}${marker(layout, scales, curves, marks, touch)}`,
      )}
      ${names(curves, marks, foot)}`,
  );
}

/** The part that does not fit, and the place where the first curve enters it. */
function limit(
  {plot, only}: Layout,
  {x, y, tokens}: Scales,
  {room, roomText, longest}: GrowthMarks,
): SVGTemplateResult {
  const at = y(room);
  const met = longest !== undefined && longest !== null && longest >= tokens[0];
  const within = met && longest <= tokens[1];
  const place = within ? x(longest) : 0;
  const end = place > 45;
  const label = `${integer(longest ?? 0)}${only === 'narrow' ? '' : '个词元'}装满`;
  return svg`<rect width="100%" height=${at} fill=${color('wrong')} fill-opacity="0.09"/>
    <line x2="100%" y1=${at} y2=${at} stroke=${color('wrong')} stroke-width="1.5"/>
    ${text(1, at - 6, `${roomText}以上放不下`, {size: 12, fill: 'wrong', halo: true})}
    ${
      within
        ? svg`<line x1="${place}%" x2="${place}%" y1=${at} y2=${plot} stroke=${color('wrong')}
              stroke-dasharray="3 3"/><circle cx="${place}%" cy=${at} r="5.5"
              fill=${color('raised')} stroke=${color('wrong')} stroke-width="2"/>
            ${text(place + (end ? -1.5 : 1.5), plot - LABELS[1], label, {
              anchor: end ? 'end' : 'start',
              size: 12,
              weight: 600,
              fill: 'wrong',
              halo: true,
            })}`
        : nothing
    }`;
}

function lines({plot}: Layout, {x, y, tokens}: Scales, curves: readonly Growth[]): unknown {
  return curves
    .map(({points}, i) => {
      const {fill, dash, width} = lineOf(i);
      const way = points
        .filter(({context, total}) => Number(total) > 0 && context <= tokens[1])
        .map(({context, total}) => `${x(context).toFixed(2)} ${y(Number(total)).toFixed(2)}`);
      return way.length > 1
        ? svg`<svg width="100%" height=${plot} viewBox="0 0 100 ${plot}"
            preserveAspectRatio="none"><path d="M${way.join('L')}" fill="none"
            stroke=${color(fill)} stroke-width=${width} stroke-dasharray=${dash}
            vector-effect="non-scaling-stroke"/></svg>`
        : nothing;
    })
    .reverse();
}

function axis({plot, only}: Layout, {x, tokens}: Scales): SVGTemplateResult {
  const [first, last] = tokens.map(Math.log2) as [number, number];
  const all = Array.from(
    {length: (last - first) / DOUBLINGS + 1},
    (_, i) => 2 ** (first + DOUBLINGS * i),
  );
  const every = only !== 'wide' && all.length > NARROW_TICKS ? 2 : 1;
  const shown = all.filter((_, i) => i % every === 0);
  return svg`<line x2="100%" y1=${plot} y2=${plot} stroke=${color('ink-2')} stroke-width="1.5"/>
    ${all.map((tick) => upright(x(tick), plot, plot + 6, 'ink-2'))}
    ${tickLabels(
      shown,
      (tick) => ({
        x: x(tick),
        y: plot + 27,
        anchor: tick === tokens[0] ? 'start' : tick === tokens[1] ? 'end' : 'middle',
      }),
      integer,
      12,
    )}`;
}

/** The chosen context: a line from the axis to the first curve, with the handle on the axis. */
function marker(
  {plot}: Layout,
  {x, y, tokens}: Scales,
  curves: readonly Growth[],
  {context}: GrowthMarks,
  touch: GrowthTouch | undefined,
): SVGTemplateResult {
  const at = x(context);
  const end = at > 50;
  const [first, last] = tokens.map(Math.log2) as [number, number];
  const contextAt = (power: number) =>
    Math.round(2 ** (Math.round(clamp(power, first, Math.min(last, LONGEST)) / STEP) * STEP));
  const jump = (event: MouseEvent) => {
    const {left, width} = (event.currentTarget as Element).getBoundingClientRect();
    touch?.move(contextAt(first + ((last - first) * (event.clientX - left)) / width));
    touch?.done();
  };
  return svg`${
    touch
      ? svg`<rect class="pick" width="100%" height=${plot} fill="none" pointer-events="all"
          @click=${jump}/>`
      : nothing
  }<line x1="${at}%" x2="${at}%" y1=${y(Number(curves[0]?.total ?? 0))} y2=${plot}
    stroke=${color('weight')} stroke-width="2" pointer-events="none"/>
    ${curves
      .map(
        ({total}, i) => svg`<circle cx="${at}%" cy=${y(Number(total))} r=${i === 0 ? 5.5 : 3}
          fill=${color(lineOf(i).fill)} stroke=${color('raised')} stroke-width="1.5"
          pointer-events="none"/>`,
      )
      .reverse()}
    ${text(at + (end ? -1.5 : 1.5), plot - LABELS[0], `${integer(context)}个词元`, {
      anchor: end ? 'end' : 'start',
      size: 13,
      weight: 650,
      fill: 'weight',
      halo: true,
    })}
    ${
      touch
        ? slideHandle({
            x: at,
            y: plot,
            token: 'weight',
            label: '上下文',
            spoken: touch.spoken,
            value: Number(Math.log2(context).toFixed(2)),
            min: first,
            max: Math.min(last, LONGEST),
            step: STEP,
            valueAt: (share) => first + (last - first) * share,
            move: (power) => touch.move(contextAt(power)),
            done: touch.done,
          })
        : nothing
    }`;
}

/** The curves by name, with their sizes at the chosen context. */
function names(curves: readonly Growth[], {context}: GrowthMarks, foot: number): SVGTemplateResult {
  const head = {size: 11.5, fill: 'ink-2'} as const;
  return svg`${text(0, foot + 12, '横轴：上下文的词元数，一格32倍', head)}
  ${text(100, foot + 12, `${integer(context)}个词元时`, {...head, anchor: 'end'})}${curves.map(
    ({name, total}, i) => {
      const {fill, dash, width} = lineOf(i);
      const y = foot + NAME_ROW * (i + 1);
      const weight = i === 0 ? 600 : 400;
      return svg`<line x2="34" y1=${y + 9} y2=${y + 9} stroke=${color(fill)}
      stroke-width=${width} stroke-dasharray=${dash}/>
      <svg x="42" y=${y} overflow="visible">${text(0, 14, name, {weight})}</svg>
      ${text(100, y + 14, binary(total), {anchor: 'end', weight})}`;
    },
  )}`;
}
