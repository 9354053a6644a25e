// Labels of axes. No two labels of one axis read the same: digits are added until they differ.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import {fixed, general, scientific} from './format.js';
import {along, color, text} from './plot.js';

/** The text of a tick; ticks that would read alike get `more` digits than usual. */
export type TickFormat = (tick: number, more: number) => string;

/** More digits find no room beside a picture. */
const MOST_DIGITS = 6;

/** `digits` significant ones; where these are not enough, all ticks have as many decimals. */
export function generalTick(digits = 4): TickFormat {
  return (tick, more) => {
    if (more === 0) return general(tick, digits);
    return Math.abs(tick) >= 1e7 ? scientific(tick, 2 + more) : fixed(tick, more);
  };
}

/** One text a tick. A tick that reads like an earlier one with all digits too has no text. */
export function tickTexts(ticks: readonly number[], format: TickFormat): string[] {
  let texts: string[] = [];
  for (let more = 0; more <= MOST_DIGITS; more++) {
    texts = ticks.map((tick) => format(tick, more));
    if (new Set(texts).size === texts.length) return texts;
  }
  return texts.map((each, i) => (texts.indexOf(each) === i ? each : ''));
}

interface TickPlace {
  /** In per cent. */
  x: number;
  /** The baseline, in pixels. */
  y: number;
  anchor: 'start' | 'middle' | 'end';
}

/** The labels of one axis. */
export function tickLabels(
  ticks: readonly number[],
  place: (tick: number, i: number) => TickPlace,
  format: TickFormat,
  size = 11,
): SVGTemplateResult {
  const texts = tickTexts(ticks, format);
  return svg`<g class="ticks">${ticks.map((tick, i) => {
    const {x, y, anchor} = place(tick, i);
    const shown = texts[i];
    return shown ? text(x, y, shown, {anchor, size, fill: 'ink-2'}) : nothing;
  })}</g>`;
}

/** Labels that end at x (per cent), each at the height of its tick. */
export function ticksBeside(
  ticks: readonly number[],
  x: number,
  yOf: (tick: number) => number,
  format: TickFormat,
  size = 11,
): SVGTemplateResult {
  return tickLabels(ticks, (tick) => ({x, y: yOf(tick) + 4, anchor: 'end'}), format, size);
}

/** Ticks and their labels under a panel whose x runs over [lo, hi]. */
export function ticksBelow(
  ticks: readonly number[],
  [lo, hi]: readonly [number, number],
  y: number,
  format: TickFormat,
): SVGTemplateResult {
  const xOf = (tick: number) => along(tick, [lo, hi]);
  // Labels at the ends stay inside the panel, apart from those of the next panel.
  const anchorOf = (tick: number) => (tick === lo ? 'start' : tick === hi ? 'end' : 'middle');
  return svg`${ticks.map(
    (tick) => svg`<line x1="${xOf(tick)}%" x2="${xOf(tick)}%" y1=${y} y2=${y + 4}
      stroke=${color('ink-2')}/>`,
  )}${tickLabels(ticks, (tick) => ({x: xOf(tick), y: y + 17, anchor: anchorOf(tick)}), format)}`;
}

/** Nearer to an end of the axis than this share of it, the labels of both would touch. */
const NEAR = 0.15;

/** The ends of an axis and a value between them; an end gives way to a value beside it. */
export function ticksAround(value: number, [lo, hi]: readonly [number, number]): number[] {
  const room = NEAR * (hi - lo);
  return [...(value - lo < room ? [] : [lo]), value, ...(hi - value < room ? [] : [hi])];
}
