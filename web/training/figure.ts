// Curves of a run: loss, entropy, logits and Jacobian against the step, recorded and live.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {generalTick, ticksBelow, ticksBeside, type TickFormat} from '../shared/axis.js';
import {integer, scientific} from '../shared/format.js';
import {along, color, figure, panel, pin, rule, text, type Token, upright} from '../shared/plot.js';
import {roundAbove} from '../shared/scale.js';
import type {DiagnosticsAt} from './protocol.js';

export interface Series {
  /** [step, value], by step. */
  points: readonly (readonly [number, number])[];
  token: Token;
  dashed: boolean;
  /** Live lines are thick. */
  live: boolean;
}

export interface Panel {
  title: string;
  scale: 'linear' | 'log';
  series: readonly Series[];
  /** Steps along the axis. Points beyond them are left out. */
  steps: number;
  /** The step that a replay has reached; null: the whole lines are drawn. */
  reached: number | null;
  /** Both bounds are always on the axis; without them it fits the values. */
  least?: readonly [number, number];
  /** A line to compare with. */
  mark?: {value: number; label: string};
  /** Digits of a value that stands at a line's end. */
  show: (value: number) => string;
}

const TOP = 30;
const HEIGHT = 150;
const LEFT = 13;
/** Room for the labels at the lines' ends. */
const RIGHT = 18;
/** Limits the points to the pixels of the picture. */
const MOST_POINTS = 500;

/** A linear axis covers at least this share of its largest value. */
const LEAST_SPAN = 0.02;
const MOST_TICKS = 6;

/** The largest of 1, 2 and 5 times a power of ten that is at most `size`, for size > 0. */
function roundBelow(size: number): number {
  const exponent = size.toExponential().split('e')[1];
  return [5, 2, 1].map((factor) => Number(`${factor}e${exponent}`)).find((one) => one <= size) ?? 0;
}

/** The round values from `lo` to `hi` on a logarithmic axis; many of them: only powers of ten. */
function logTicks(lo: number, hi: number): number[] {
  const [first, last] = [lo, hi].map((end) => Number(end.toExponential().split('e')[1]));
  const powers = Array.from({length: (last ?? 0) - (first ?? 0) + 1}, (_, i) => (first ?? 0) + i);
  const all = powers.flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)));
  const inside = all.filter((tick) => tick >= lo && tick <= hi);
  if (inside.length <= MOST_TICKS) return inside;
  const every = Math.ceil(powers.length / MOST_TICKS);
  return inside.filter((tick) => {
    const [digit, power] = tick.toExponential().split('e');
    return digit === '1' && Number(power) % every === 0;
  });
}

/** Round bounds of all values, and the ticks. */
function axis(
  values: readonly number[],
  scale: Panel['scale'],
): {domain: [number, number]; ticks: number[]} {
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  if (scale === 'log') {
    const [low, high] = [roundBelow(lo), roundAbove(hi)];
    const top = high > low ? high : 10 * low;
    return {domain: [low, top], ticks: logTicks(low, top)};
  }
  const pad = Math.max(0, LEAST_SPAN * Math.abs(hi) - (hi - lo)) / 2;
  const step = roundAbove((hi - lo + 2 * pad) / 4);
  const first = Math.floor((lo - pad) / step);
  const last = Math.ceil((hi + pad) / step);
  // Twelve digits, so that 3 · 0.2 gives 0.6.
  const ticks = Array.from({length: last - first + 1}, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
  return {domain: [ticks[0] ?? lo, ticks.at(-1) ?? hi], ticks};
}

/** Short enough for the margin of a phone. */
const tickText: TickFormat = (tick, more) =>
  tick >= 1e4 || (tick > 0 && tick < 1e-3)
    ? scientific(tick, more).replace(/^1×/, '')
    : generalTick()(tick, more);

function thinned<T>(points: readonly T[]): readonly T[] {
  const every = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, i) => i % every === 0 || i === points.length - 1);
}

/** The part of a line that a replay has reached. */
const until = (line: Series, reached: number): Series => ({
  ...line,
  points: line.points.filter(([step]) => step <= reached),
});

/** One quantity against the step. */
export function chart(chosen: Panel): TemplateResult {
  const {title, scale, series, steps, reached, least = [], mark, show} = chosen;
  const drawable = (value: number) => Number.isFinite(value) && (scale === 'linear' || value > 0);
  const lines = series
    .map((each) => ({
      ...each,
      points: each.points.filter(([step, value]) => step < steps && drawable(value)),
    }))
    .filter(({points}) => points.length > 0);
  const shown = reached === null ? lines : lines.map((line) => until(line, reached));
  const values = lines.flatMap(({points}) => points.map(([, value]) => value));
  const all = [...least, ...values, ...(mark ? [mark.value] : [])];
  const {domain, ticks} = axis(all.length > 0 ? all : [0.1, 1], scale);
  const yOf = (value: number) => HEIGHT - (HEIGHT * along(value, domain, scale)) / 100;
  const xOf = (step: number) => along(step, [0, Math.max(1, steps - 1)]);
  const draw = (line: Series) => curve(line, xOf, (value) => (100 * yOf(value)) / HEIGHT);
  const ends = shown
    .filter(({points}) => points.length > 0)
    .map((line) => ({line, x: xOf(line.points.at(-1)?.[0] ?? 0), y: yOf(last(line))}));
  // Beside a live line, the ends of the others are where the axis ends.
  const running = lines.some(({live}) => live);
  const words = ends.map(({line}) => `${line.live ? '现场' : '记录'}${show(last(line))}`);
  return figure(
    {height: TOP + HEIGHT + 36, label: `${title}：${words.join('，') || '还没有数'}；数值见表格`},
    svg`${text(0, 14, title, {size: 14, weight: 600})}
    ${ticks.map((tick) => rule(LEFT, 100 - RIGHT, TOP + yOf(tick)))}
    ${ticksBeside(ticks, LEFT - 2, (tick) => TOP + yOf(tick), tickText)}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT - RIGHT, height: HEIGHT},
      svg`${mark ? markLine(mark.label, yOf(mark.value)) : nothing}
      ${reached === null ? nothing : svg`<g opacity="0.25">${lines.map(draw)}</g>`}
      ${reached === null ? nothing : upright(xOf(Math.min(reached, steps - 1)), 0, HEIGHT, 'ink-2')}
      ${shown.map(draw)}
      ${ends
        .filter(({line}) => line.live || reached !== null)
        .map(
          ({line, x, y}) =>
            svg`<circle cx="${x}%" cy=${y} r=${line.live ? 4 : 3} fill=${color(line.token)}/>`,
        )}
      ${apart(ends.filter(({line}) => line.live || !running)).map(({line, x, y}) =>
        pin(
          x,
          y + 4,
          svg`<text x="6" font-size="11" font-weight=${line.live ? 600 : 400}
            fill=${color(line.token)} stroke=${color('raised')} stroke-width="3"
            paint-order="stroke">${show(last(line))}</text>`,
        ),
      )}
      ${ticksBelow([0, steps], [0, steps], HEIGHT, integer)}
      ${text(50, HEIGHT + 18, '步', {anchor: 'middle', fill: 'ink-2', size: 11})}`,
    )}`,
  );
}

/** A dashed line across the panel, with its name at the right end. */
const markLine = (label: string, y: number): SVGTemplateResult =>
  svg`<line x1="0%" x2="100%" y1=${y} y2=${y} stroke=${color('ink-2')} stroke-dasharray="2 4"/>
    ${text(100, y - 5, label, {anchor: 'end', fill: 'ink-2', size: 11, halo: true})}`;

function curve(
  {points, token, dashed, live}: Series,
  xOf: (step: number) => number,
  yOf: (value: number) => number,
): SVGTemplateResult {
  const way = thinned(points).map(([step, value]) => `${xOf(step)} ${yOf(value).toFixed(2)}`);
  return svg`<svg x="0%" y="0" width="100%" height=${HEIGHT} viewBox="0 0 100 100"
    preserveAspectRatio="none" overflow="visible"><path d="M${way.join('L')}" fill="none"
    stroke=${color(token)} stroke-width=${live ? 3.5 : 1.3} stroke-opacity=${live ? 0.75 : 1}
    stroke-dasharray=${dashed ? '5 4' : nothing} vector-effect="non-scaling-stroke"/></svg>`;
}

const last = ({points}: Series): number => points.at(-1)?.[1] ?? 0;

/** Labels that would meet are moved down until they don't. */
function apart<T extends {y: number}>(labels: readonly T[]): T[] {
  let least = -Infinity;
  return [...labels]
    .sort((a, b) => a.y - b.y)
    .map((label) => {
      const y = Math.max(label.y, least);
      least = y + 13;
      return {...label, y};
    });
}

/** One entry of a diagnostic, as a line. */
export const measured = (
  all: readonly DiagnosticsAt[],
  key: 'entropy' | 'logitDeviation' | 'jacobianNorm',
) => all.map((at): [number, number] => [at.step, at[key]]);

export interface Name {
  text: string;
  token: Token;
  dashed: boolean;
  live: boolean;
}

/** The legend, one line in each row. */
export function legend(names: readonly Name[]): TemplateResult {
  return figure(
    {height: 22 * names.length + 10, label: names.map(({text: name}) => name).join('，')},
    svg`${names.map(
      (
        {text: name, token, dashed, live},
        i,
      ) => svg`<line x1="0" x2="34" y1=${22 * i + 10} y2=${22 * i + 10} stroke=${color(token)}
        stroke-width=${live ? 3.5 : 1.3} stroke-opacity=${live ? 0.75 : 1}
        stroke-dasharray=${dashed ? '5 4' : nothing}/>
      <svg x="42" y=${22 * i}
        overflow="visible">${text(0, 15, name, {fill: token, weight: live ? 600 : 400})}</svg>`,
    )}`,
  );
}
