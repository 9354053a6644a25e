// Parts of pictures. Widths are shares of the figure (percentages) and heights are pixels, so that
// text keeps its size on a phone; colours are the page's tokens, in attributes, so that a strict
// policy and a standalone SVG both keep them.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {indices} from './indices.js';

export type Token =
  | 'paper' | 'raised' | 'ink' | 'ink-2' | 'rule' | 'query' | 'key' | 'value' | 'score' | 'weight'
  | 'weight-soft' | 'right' | 'wrong';

export const color = (token: Token): string => `var(--${token})`;

export interface FigureSize {
  height: number;
  /** What the picture shows, for those who don't see it. */
  label: string;
}

/** One picture; a figure may stack several. */
export function figure(size: FigureSize, content: unknown): TemplateResult {
  return svg`<svg data-figure role="img" aria-label=${size.label} width="100%" height=${size.height} font-size="13" fill="var(--ink)">${content}</svg>` as unknown as TemplateResult;
}

/** A part of the figure with a coordinate system of its own: percentages and pixels start here. */
export function panel(place: {x: number; y: number; width: number; height: number}, content: unknown): SVGTemplateResult {
  return svg`<svg x="${place.x}%" y=${place.y} width="${place.width}%" height=${place.height} overflow="visible">${content}</svg>`;
}

export interface TextOptions {
  anchor?: 'start' | 'middle' | 'end';
  fill?: Token;
  size?: number;
  weight?: number;
}

function indexed(content: string): unknown {
  const parts = indices(content);
  if (parts.length === 1) return content;
  return parts.map((part, i) => (i % 2 === 1 ? svg`<tspan dy="3" font-size="75%">${part}</tspan>` : i > 0 && part !== '' ? svg`<tspan dy="-3">${part}</tspan>` : part));
}

/** x in per cent, y in pixels (baseline); d_k is set with its index. */
export function text(x: number, y: number, content: string, options: TextOptions = {}): SVGTemplateResult {
  return svg`<text x="${x}%" y=${y} text-anchor=${options.anchor ?? 'start'} fill=${color(options.fill ?? 'ink')} font-size=${options.size ?? 13} font-weight=${options.weight ?? 400}>${indexed(content)}</text>`;
}

/** A place whose own coordinates are pixels, with its origin at x (per cent) and y (pixels). */
export function pin(x: number, y: number, content: unknown): SVGTemplateResult {
  return svg`<svg x="${x}%" y=${y} overflow="visible">${content}</svg>`;
}

/** Marks that may not begin a line of Chinese text. */
const CLOSING = /[，。、；：？！）」』…％]/;

/** Width of a text in full-width characters; Latin counts half. */
export function unitsOf(content: string): number {
  return [...content].reduce((sum, character) => sum + (/[ -~−]/.test(character) ? 0.5 : 1), 0);
}

/** Lines of at most `width` units, for SVG, which doesn't wrap; words and numbers stay whole. */
export function wrapText(content: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of content.match(/[!-~−]+|[^]/gu) ?? []) {
    if (line !== '' && unitsOf(line + piece) > width && !CLOSING.test(piece)) {
      lines.push(line);
      line = '';
    }
    line += piece;
  }
  return line === '' ? lines : [...lines, line];
}

/** Lines under one another; y is the first baseline. */
export function textLines(x: number, y: number, lines: readonly string[], options: TextOptions & {leading: number}): SVGTemplateResult {
  return svg`${lines.map((line, i) => text(x, y + i * options.leading, line, options))}`;
}

/** Diagonal hatch for what is hidden, negative or undefined, so that hue is not needed. */
export function hatch(id: string, token: Token): SVGTemplateResult {
  return svg`<pattern id=${id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill=${color(token)} fill-opacity="0.25"/><line x1="0" y1="0" x2="0" y2="6" stroke=${color(token)} stroke-width="3"/></pattern>`;
}

/** A horizontal rule from x1 to x2 (per cent) at y (pixels). */
export function rule(x1: number, x2: number, y: number): SVGTemplateResult {
  return svg`<line x1="${x1}%" x2="${x2}%" y1=${y} y2=${y} stroke=${color('rule')}/>`;
}

/** A vertical rule at x (per cent) from y1 to y2 (pixels). */
export function upright(x: number, y1: number, y2: number, token: Token = 'rule'): SVGTemplateResult {
  return svg`<line x1="${x}%" x2="${x}%" y1=${y1} y2=${y2} stroke=${color(token)}/>`;
}

export interface HistogramOptions {
  counts: readonly number[];
  /** Common to histograms that are to be compared. */
  maxCount: number;
  height: number;
  fill: Token;
}

/** Bars of equal width that fill the panel. */
export function histogram(options: HistogramOptions): SVGTemplateResult {
  const {counts, maxCount, height} = options;
  const width = 100 / counts.length;
  return svg`${counts.map((count, i) => {
    if (count === 0) return nothing;
    const size = (height * count) / maxCount;
    return svg`<rect x="${i * width}%" y=${height - size} width="${width}%" height=${size} fill=${color(options.fill)}/>`;
  })}<line x1="0%" x2="100%" y1=${height} y2=${height} stroke=${color('ink-2')}/>`;
}

/** Tick labels under a panel whose x runs over [lo, hi]. */
export function ticksBelow(ticks: readonly number[], domain: readonly [number, number], y: number, format: (tick: number) => string): SVGTemplateResult {
  const [lo, hi] = domain;
  return svg`${ticks.map((tick) => {
    const x = (100 * (tick - lo)) / (hi - lo);
    return svg`<line x1="${x}%" x2="${x}%" y1=${y} y2=${y + 4} stroke=${color('ink-2')}/><text x="${x}%" y=${y + 17} text-anchor="middle" font-size="11" fill=${color('ink-2')}>${format(tick)}</text>`;
  })}`;
}
