// Heat cells with the full ramp: neighbours can be told apart from 2 % to 100 %, in light and dark.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import {color, type Token} from './plot.js';

/** Share of ink for a share of the largest value; 0 only for exactly 0 and below. */
export function inkOf(share: number): number {
  return share <= 0 ? 0 : 0.07 + 0.93 * Math.min(1, share) ** 0.8;
}

/** Colours that fill cells. */
export type HeatToken = Extract<Token, 'weight' | 'score' | 'query' | 'key' | 'value' | 'wrong'>;

/**
 * Ink from which on a number on a cell is white instead of black in the light scheme, and black
 * instead of white in the dark one: where both have the same contrast, at least 4.5.
 */
const FLIPS: Record<HeatToken, {light: number; dark: number}> = {
  weight: {light: 0.8, dark: 0.606},
  score: {light: 0.857, dark: 0.615},
  query: {light: 0.857, dark: 0.611},
  key: {light: 0.919, dark: 0.581},
  value: {light: 0.881, dark: 0.588},
  wrong: {light: 0.801, dark: 0.615},
};

/** Fill of a number on a cell with this much ink. */
export function faceFill(ink: number, token: HeatToken): string {
  const {light, dark} = FLIPS[token];
  if (ink < dark) return 'var(--on-faint)';
  return ink < light ? '#000' : 'var(--on-full)';
}

export interface HeatCell {
  /** Left and upper edge, and side, in the units of the figure. */
  x: number;
  y: number;
  size: number;
  /** 0 … 1 */
  share: number;
  token: HeatToken;
  /** Printed on the cell; left out where there is no room. */
  label?: string;
  fontSize?: number;
  /** Opacity of the label, 0 … 1. */
  opacity?: number;
  /** A hatch that comes from the left: its `url(#…)`, and how far it has come, 0 … 1. */
  hatch?: {fill: string; come: number};
}

/** Space between two cells. */
const GAP = 1.4;

/** One square cell. */
export function heatCell(cell: HeatCell): SVGTemplateResult {
  const {x, y, share, token, label = '', fontSize = 13, opacity = 1, hatch} = cell;
  const [left, top, side] = [x + GAP / 2, y + GAP / 2, cell.size - GAP];
  const ink = inkOf(share);
  const come = hatch?.come ?? 0;
  // Over a hatch the label has the ground of the cell around it.
  const over = come > 0.5;
  return svg`<rect x=${left} y=${top} width=${side} height=${side} rx="2.5"
      fill=${color('raised')}/>
    <rect x=${left} y=${top} width=${side} height=${side} rx="2.5" fill=${color(token)}
      fill-opacity=${ink.toFixed(3)} stroke=${color('rule')} stroke-width="0.8"/>
    ${
      come > 0
        ? svg`<rect x=${left} y=${top} width=${(side * come).toFixed(2)} height=${side} rx="2.5"
            fill=${hatch?.fill} opacity="0.3"/>`
        : nothing
    }
    ${
      label === ''
        ? nothing
        : svg`<text x=${x + cell.size / 2} y=${y + cell.size / 2 + fontSize * 0.36}
            text-anchor="middle" font-size=${fontSize} font-weight="600"
            opacity=${opacity.toFixed(2)} fill=${over ? color('ink-2') : faceFill(ink, token)}
            stroke=${over ? color('raised') : nothing} stroke-width=${over ? 5 : nothing}
            paint-order=${over ? 'stroke' : nothing}>${label}</text>`
    }`;
}
