// A small picture, 96 × 72 units, from the shapes that the build put into a widget's content.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import {color, type Token} from './plot.js';

/** A path, its colour and opacity; with a width it is a line, without one a filled shape. */
export type Shape = readonly [d: string, token: Token, ink: number, width?: number, dash?: string];

export function thumb(shapes: readonly Shape[]): SVGTemplateResult {
  return svg`${shapes.map(
    ([d, token, ink, width, dash]) =>
      svg`<path d=${d} fill=${width ? 'none' : color(token)} opacity=${ink}
        stroke=${width ? color(token) : nothing} stroke-width=${width ?? nothing}
        stroke-linecap="round" stroke-dasharray=${dash ?? nothing}/>`,
  )}`;
}
