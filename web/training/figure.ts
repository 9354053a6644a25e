// Pictures of a run: loss, entropy, logits and Jacobian against the step, recorded and live; and
// the attention of the positions of a line.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {generalTick, ticksBelow, ticksBeside, type TickFormat} from '../shared/axis.js';
import {fixed, integer, scientific} from '../shared/format.js';
import {along, color, figure, panel, pin, rule, text, type Token} from '../shared/plot.js';
import type {DiagnosticsAt, Sight} from './protocol.js';

export interface Series {
  /** [step, value], by step. */
  points: readonly (readonly [number, number])[];
  token: Token;
  dashed: boolean;
  /** Live lines are thick and end in a dot with the value. */
  live: boolean;
}

export interface Panel {
  title: string;
  scale: 'linear' | 'log';
  series: readonly Series[];
  /** Steps along the axis. */
  steps: number;
  /** Both bounds are always on the axis. */
  least: readonly [number, number];
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

/** Round bounds of all values, and the ticks. */
function axis(
  values: readonly number[],
  scale: Panel['scale'],
): {domain: [number, number]; ticks: number[]} {
  const lo = Math.min(...values);
  const hi = Math.max(...values);
  if (scale === 'log') {
    const first = Math.floor(Math.log10(lo));
    const last = Math.max(first + 1, Math.ceil(Math.log10(hi)));
    const every = Math.ceil((last - first) / 5);
    const ticks = [];
    for (let power = first; power <= last; power += every) ticks.push(10 ** power);
    return {domain: [10 ** first, 10 ** last], ticks};
  }
  const rough = (hi - lo) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((each) => each >= rough) ?? rough;
  const first = Math.floor(lo / step);
  const last = Math.ceil(hi / step);
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

/** One quantity against the step. */
export function chart({title, scale, series, steps, least, mark, show}: Panel): TemplateResult {
  const drawable = (value: number) => Number.isFinite(value) && (scale === 'linear' || value > 0);
  const lines = series
    .map((each) => ({...each, points: each.points.filter(([, value]) => drawable(value))}))
    .filter(({points}) => points.length > 0);
  const values = lines.flatMap(({points}) => points.map(([, value]) => value));
  const {domain, ticks} = axis([...least, ...values], scale);
  const yOf = (value: number) => HEIGHT - (HEIGHT * along(value, domain, scale)) / 100;
  const xOf = (step: number) => along(step, [0, Math.max(1, steps - 1)]);
  const ends = lines.map(
    ({points, live}) => `${live ? '现场' : '记录'}${show(points.at(-1)?.[1] ?? 0)}`,
  );
  return figure(
    {height: TOP + HEIGHT + 36, label: `${title}：${ends.join('，') || '还没有数'}；数值见表格`},
    svg`${text(0, 14, title, {size: 14, weight: 600})}
    ${ticks.map((tick) => rule(LEFT, 100 - RIGHT, TOP + yOf(tick)))}
    ${ticksBeside(ticks, LEFT - 2, (tick) => TOP + yOf(tick), tickText)}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT - RIGHT, height: HEIGHT},
      svg`${
        mark
          ? svg`<line x1="0%" x2="100%" y1=${yOf(mark.value)} y2=${yOf(mark.value)}
            stroke=${color('ink-2')}
            stroke-dasharray="2 4"/>${text(100, yOf(mark.value) - 5, mark.label, {
              anchor: 'end',
              fill: 'ink-2',
              size: 11,
              halo: true,
            })}`
          : nothing
      }
      ${lines.map((line) => curve(line, xOf, (value) => (100 * yOf(value)) / HEIGHT))}
      ${apart(lines.filter(({live}) => !live).map((line) => ({line, y: yOf(last(line))}))).map(
        ({line, y}) =>
          pin(100, y + 4, text(0.8, 0, show(last(line)), {size: 11, fill: line.token})),
      )}
      ${lines
        .filter(({live}) => live)
        .map(
          (line) =>
            svg`<circle cx="${xOf(line.points.at(-1)?.[0] ?? 0)}%" cy=${yOf(last(line))} r="4"
              fill=${color(line.token)}/>`,
        )}
      ${ticksBelow([0, steps], [0, steps], HEIGHT, integer)}
      ${text(50, HEIGHT + 18, '步', {anchor: 'middle', fill: 'ink-2', size: 11})}`,
    )}`,
  );
}

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

const CELL = 15;
const UNKNOWN = '□';

export const shownCharacter = (character: string): string =>
  character === '<unk>' || character === '<pad>' ? UNKNOWN : character === '\n' ? '↵' : character;

/** Row i: the weights of position i on each position up to its own. */
export function attentionMap({
  characters,
  rows,
  layer,
  head,
}: NonNullable<Sight['map']>): TemplateResult {
  const names = characters.map(shownCharacter);
  const cell = 93 / names.length;
  return html`${figure(
      {
        height: 46 + CELL * names.length,
        label: `L${layer}H${head}的注意力，行看列，颜色越深权重越大`,
      },
      svg`${text(0, 14, `注意力：L${layer}H${head}`, {size: 14, weight: 600})}
    ${names.map((name, j) =>
      text(7 + cell * (j + 0.5), 36, name, {anchor: 'middle', size: 11, fill: 'key'}),
    )}
    ${names.map(
      (name, i) => svg`${text(0, 42 + CELL * i + 11, name, {size: 11, fill: 'query'})}
      ${(rows[i] ?? []).slice(0, i + 1).map(
        (weight, j) =>
          svg`<rect x="${(7 + cell * j).toFixed(2)}%" y=${42 + CELL * i}
              width="${cell.toFixed(2)}%" height=${CELL} fill=${color('weight')}
            fill-opacity=${(0.03 + 0.97 * Math.sqrt(weight)).toFixed(3)}/>`,
      )}`,
    )}`,
    )}
    <p class="reading">
      行在看，列被看；右上一半还没写出来，看不见。颜色按权重的平方根。最深的一格：${strongest(names, rows)}。
    </p>`;
}

function strongest(names: readonly string[], rows: readonly (readonly number[])[]): string {
  let best = {weight: -1, i: 0, j: 0};
  // The first position sees only itself.
  rows.forEach((row, i) => {
    if (i > 0) row.forEach((weight, j) => (best = weight > best.weight ? {weight, i, j} : best));
  });
  return best.weight < 0
    ? '只有一个字'
    : `「${names[best.i]}」看「${names[best.j]}」，${fixed(best.weight, 3)}`;
}
