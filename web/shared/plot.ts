// Parts of pictures. Widths are shares of the figure (percentages) and heights are pixels, so that
// text keeps its size on a phone; colours are the page's tokens, in attributes, so that a strict
// policy and a standalone SVG both keep them.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {indices} from './indices.js';

export type Token =
  | 'paper'
  | 'raised'
  | 'ink'
  | 'ink-2'
  | 'rule'
  | 'query'
  | 'key'
  | 'value'
  | 'score'
  | 'weight'
  | 'weight-soft'
  | 'right'
  | 'wrong';

export const color = (token: Token): string => `var(--${token})`;

export interface FigureSize {
  height: number;
  /** A description of the picture for screen readers. */
  label: string;
  /** One of a pair: the style sheet shows the one that fits. The wide one is the figure's file. */
  only?: 'wide' | 'narrow';
  /** The picture has handles, so for screen readers it is a group of parts. */
  touched?: boolean;
  /**
   * Width of the picture in units of its own, where it keeps its proportions: it grows and shrinks
   * with its place, text included.
   */
  units?: number;
}

/** One picture; a figure may stack several. */
export function figure(
  {height, label, only, touched, units}: FigureSize,
  content: unknown,
): TemplateResult {
  const name = only === 'narrow' ? nothing : '';
  const role = touched ? 'group' : 'img';
  return svg`<svg class=${only ?? (units ? 'scaled' : nothing)} data-figure=${name} role=${role}
    aria-label=${label} width="100%" height=${height}
    viewBox=${units ? `0 0 ${units} ${height}` : nothing} font-size="13"
    fill="var(--ink)">${content}</svg>` as unknown as TemplateResult;
}

/** A part of the figure with a coordinate system of its own: percentages and pixels start here. */
export function panel(
  place: {x: number; y: number; width: number; height: number},
  content: unknown,
): SVGTemplateResult {
  return svg`<svg x="${place.x}%" y=${place.y} width="${place.width}%" height=${place.height}
    overflow="visible">${content}</svg>`;
}

export interface TextOptions {
  anchor?: 'start' | 'middle' | 'end';
  fill?: Token;
  size?: number;
  weight?: number;
  /** Keep it readable over a hatch. */
  halo?: boolean;
}

function indexed(content: string): unknown {
  const parts = indices(content);
  if (parts.length === 1) return content;
  return parts.map((part, i) =>
    i % 2 === 1
      ? svg`<tspan dy="3" font-size="75%">${part}</tspan>`
      : i > 0 && part !== ''
        ? svg`<tspan dy="-3">${part}</tspan>`
        : part,
  );
}

/** x in per cent, y in pixels (baseline); d_k is set with its index. */
export function text(
  x: number,
  y: number,
  content: string,
  options: TextOptions = {},
): SVGTemplateResult {
  return svg`<text x="${x}%" y=${y} text-anchor=${options.anchor ?? 'start'}
    fill=${color(options.fill ?? 'ink')} font-size=${options.size ?? 13}
    font-weight=${options.weight ?? 400} stroke=${options.halo ? color('raised') : nothing}
    stroke-width=${options.halo ? 4 : nothing}
    paint-order=${options.halo ? 'stroke' : nothing}>${indexed(content)}</text>`;
}

/** A place whose coordinates are pixels, with its origin at x (per cent) and y (pixels). */
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
export function textLines(
  x: number,
  y: number,
  lines: readonly string[],
  options: TextOptions & {leading: number},
): SVGTemplateResult {
  return svg`${lines.map((line, i) => text(x, y + i * options.leading, line, options))}`;
}

/** Diagonal hatch for hidden, negative or undefined values, so that hue is not needed. */
export function hatch(id: string, token: Token): SVGTemplateResult {
  return svg`<pattern id=${id} width="6" height="6" patternUnits="userSpaceOnUse"
    patternTransform="rotate(45)"><rect width="6" height="6" fill=${color(token)}
    fill-opacity="0.25"/><line x1="0" y1="0" x2="0" y2="6" stroke=${color(token)}
    stroke-width="3"/></pattern>`;
}

/** A horizontal rule from x1 to x2 (per cent) at y (pixels). */
export function rule(x1: number, x2: number, y: number): SVGTemplateResult {
  return svg`<line x1="${x1}%" x2="${x2}%" y1=${y} y2=${y} stroke=${color('rule')}/>`;
}

/** A vertical rule at x (per cent) from y1 to y2 (pixels). */
export function upright(
  x: number,
  y1: number,
  y2: number,
  token: Token = 'rule',
): SVGTemplateResult {
  return svg`<line x1="${x}%" x2="${x}%" y1=${y1} y2=${y2} stroke=${color(token)}/>`;
}

export interface HistogramOptions {
  counts: readonly number[];
  /** The common scale of histograms whose heights are compared. */
  maxCount: number;
  height: number;
  fill: Token;
}

/**
 * Bars of equal width that fill the panel, drawn as one outline so that no seams show between them.
 */
export function histogram({counts, maxCount, height, fill}: HistogramOptions): SVGTemplateResult {
  const tops = counts
    .map((count, i) => `V${(100 - (100 * count) / maxCount).toFixed(2)}H${i + 1}`)
    .join('');
  return svg`<svg x="0%" y="0" width="100%" height=${height} viewBox="0 0 ${counts.length} 100"
    preserveAspectRatio="none"><path d="M0 100${tops}V100Z" fill=${color(fill)}/></svg>
    <line x1="0%" x2="100%" y1=${height} y2=${height} stroke=${color('ink-2')}/>`;
}

/** x in per cent, y in pixels. */
export type Point = readonly [x: number, y: number];

/** Straight lines from point to point. */
export function path(
  points: readonly Point[],
  token: Token,
  dash: 'solid' | 'dashed' = 'solid',
): SVGTemplateResult {
  return svg`${points.slice(1).map(([x, y], i) => {
    const [x0, y0] = points[i] ?? [x, y];
    return svg`<line x1="${x0}%" x2="${x}%" y1=${y0} y2=${y} stroke=${color(token)} stroke-width="2"
      stroke-dasharray=${dash === 'dashed' ? '6 4' : nothing}/>`;
  })}`;
}

/** Two shapes that differ without hue: a cross and a dot. */
export function marker(kind: 'cross' | 'dot', [x, y]: Point, token: Token): SVGTemplateResult {
  return kind === 'dot'
    ? svg`<circle cx="${x}%" cy=${y} r="4.5" fill=${color(token)}/>`
    : svg`<svg x="${x}%" y=${y} overflow="visible"><path d="M-4 -4L4 4M-4 4L4 -4"
      stroke=${color(token)} stroke-width="2.5"/></svg>`;
}

/**
 * Share of the way from lo to hi in per cent, to the hundredth; optionally on a logarithmic scale.
 */
export function along(
  value: number,
  [lo, hi]: readonly [number, number],
  scale: 'linear' | 'log' = 'linear',
): number {
  const at = scale === 'log' ? Math.log : (x: number) => x;
  if (lo === hi) return 50;
  return Math.round((1e4 * (at(value) - at(lo))) / (at(hi) - at(lo))) / 100;
}
