// Collects shapes and draws those of one look as a single path: a map of many lanes has hundreds.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import {color, type Token} from '../../shared/plot.js';

interface Look {
  fill?: Token;
  stroke?: Token;
  /** Width of the stroke. */
  width?: number;
  opacity?: number;
}

/** A tenth of a unit is fine enough for places. */
export const r = (value: number) => Math.round(value * 10) / 10;

/** A curve that leaves and arrives level. */
export function bend(x1: number, y1: number, x2: number, y2: number): string {
  const middle = r((x1 + x2) / 2);
  return `M${r(x1)} ${r(y1)}C${middle} ${r(y1)} ${middle} ${r(y2)} ${r(x2)} ${r(y2)}`;
}

export const circle = (x: number, y: number, radius: number): string =>
  `M${r(x - radius)} ${r(y)}a${r(radius)} ${r(radius)} 0 1 0 ${r(2 * radius)} 0` +
  `a${r(radius)} ${r(radius)} 0 1 0 ${r(-2 * radius)} 0`;

export const square = (x: number, y: number, half: number): string =>
  `M${r(x - half)} ${r(y - half)}h${r(2 * half)}v${r(2 * half)}h${r(-2 * half)}z`;

export class Pen {
  readonly #paths = new Map<string, {look: Look; d: string[]}>();

  /** Shapes of a look lie below those of a look that came later. */
  add(d: string, look: Look): void {
    const rough = look.width === undefined ? look : {...look, width: r(look.width)};
    const key = JSON.stringify(rough);
    const path = this.#paths.get(key) ?? {look: rough, d: []};
    path.d.push(d);
    this.#paths.set(key, path);
  }

  stroke(d: string, stroke: Token, width: number, opacity = 1): void {
    this.add(d, {stroke, width, opacity});
  }

  draw(): SVGTemplateResult {
    return svg`${[...this.#paths.values()].map(
      ({look: {fill, stroke, width, opacity}, d}) =>
        svg`<path d=${d.join('')} fill=${fill ? color(fill) : 'none'}
          stroke=${stroke ? color(stroke) : nothing} stroke-width=${width ?? nothing}
          stroke-linecap="round" opacity=${opacity === undefined ? nothing : opacity}/>`,
    )}`;
  }
}
