// Places of the stations and arrows of <attn-timeline>: years from left to right on a wide picture,
// from top to bottom on a phone. x is per cent, y is pixels.

import {beat, linearBeat} from '../../shared/beats.js';
import type {Stop, TimelineResult} from './state.js';

export interface Layout {
  kind: 'wide' | 'narrow';
  height: number;
  /** Size of the small pictures in pixels. */
  thumb: readonly [width: number, height: number];
  /** Centre of the upper edge of a station's picture. */
  place: (stop: Stop) => Point;
  /** Place of a year on the axis, for its first and its last column. */
  year: (first: number, last: number) => Point;
}

export type Point = readonly [x: number, y: number];

export const WIDE = {axis: 224, top: 74, bottom: 292, height: 422};
const ROW = 108;

export function layoutsOf(result: TimelineResult): Layout[] {
  const columns =
    1 + Math.max(0, ...result.tracks.flatMap(({stops}) => stops.map((s) => s.column)));
  const across = (column: number) => (100 * (column + 0.5)) / columns;
  const down = (column: number) => 44 + ROW * column;
  const train = ({track}: Stop) => track === 'train';
  return [
    {
      kind: 'wide',
      height: WIDE.height,
      thumb: [66, 49.5],
      place: (stop) => [across(stop.column), train(stop) ? WIDE.top : WIDE.bottom],
      year: (first, last) => [(across(first) + across(last)) / 2, WIDE.axis],
    },
    {
      kind: 'narrow',
      height: down(columns) - 18,
      thumb: [68, 51],
      place: (stop) => [train(stop) ? 24 : 76, down(stop.column)],
      year: (first) => [50, down(first) + 30],
    },
  ];
}

/** How far a station has come: its picture, the number it is stuck on, the arrow that leaves. */
export interface Progress {
  shown: number;
  stuck: number;
  left: number;
}

export function progressOf({order}: Stop, at: number, count: number): Progress {
  const own = linearBeat(at * count, order, order + 1);
  return {
    shown: beat(own, 0, 0.4),
    stuck: beat(own, 0.35, 0.65),
    left: beat(own, 0.65, 1),
  };
}

/** The station that takes up what this one is stuck on. */
export function nextOf(stop: Stop, result: TimelineResult): Stop | undefined {
  const all = result.tracks.flatMap(({stops}) => stops);
  if (stop.next !== undefined) return all.find(({id}) => id === stop.next);
  if (stop.branch) return undefined;
  const own = all.filter(({track}) => track === stop.track);
  const main = own.filter((one) => !one.branch);
  // The last of a track hands over to what branches off behind it.
  return (
    main[main.indexOf(stop) + 1] ?? own.slice(own.indexOf(stop) + 1).find(({branch}) => branch)
  );
}

/** The part of a cubic curve from its start to `share` (de Casteljau), as a path. */
export function partOf(curve: readonly Point[], share: number): string {
  const text = ([x, y]: Point) => `${Number(x.toFixed(2))} ${Number(y.toFixed(2))}`;
  const kept: Point[] = [];
  for (let rest = curve; rest.length > 0;) {
    kept.push(rest[0] as Point);
    rest = rest.slice(1).map(([x, y], i): Point => {
      const [x0, y0] = rest[i] as Point;
      return [x0 + (x - x0) * share, y0 + (y - y0) * share];
    });
  }
  const [start, ...others] = kept;
  return `M${text(start as Point)}C${others.map(text).join(' ')}`;
}
