// Places, shades and the range of the axis in the picture of attn-softmax.

import {roundAbove} from '../../shared/scale.js';

/** Columns in per cent of the width; heights in pixels. */
export interface Layout {
  kind: 'wide' | 'narrow';
  row: number;
  bar: number;
  names: number;
  scores: readonly [number, number];
  parts: readonly [number, number];
}

export const WIDE: Layout = {
  kind: 'wide',
  row: 56,
  bar: 24,
  names: 8,
  scores: [9, 42],
  parts: [47, 66],
};
export const NARROW: Layout = {
  kind: 'narrow',
  row: 62,
  bar: 20,
  names: 17,
  scores: [19, 66],
  parts: [70, 99],
};
/** More tokens than this stand close together and are not dragged. */
export const FEW_TOKENS = 12;
export const CLOSE_ROW = 26;
export const TOP = 34;
export const AXIS = 34;
export const STRIP = {x: 79, width: 6, height: 40};

/** Shades of one colour in a fixed order, so that neighbours in the strip differ. */
const SHADES = [1, 0.62, 0.82, 0.44, 0.72, 0.34, 0.54];
export const shade = (i: number) => SHADES[i % SHADES.length] ?? 1;

const USUAL: readonly [number, number] = [-6, 12];

/** The range of the axis: the usual scores, or round numbers around the actual ones. */
export function domainOf(scores: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(0, ...scores), Math.max(0, ...scores)];
  if (low >= USUAL[0] && high <= USUAL[1]) return USUAL;
  const size = Math.max(-low, high);
  const round = roundAbove(size);
  return [low < 0 ? -round : 0, high > 0 ? round : 0];
}
