// A handle that moves in a plane, for vectors that a reader drags.

import type {SVGTemplateResult} from 'lit';
import {clamp, type Dragging, grip, type Place, snapped} from './handle.js';

export interface PlaneHandle extends Dragging {
  /** Both coordinates, each in [min, max]. */
  value: readonly [number, number];
  min: number;
  max: number;
  /** Dragging and arrows go by this step, Shift and Page by ten of them. */
  step: number;
  valueAt: (place: Place) => readonly [number, number];
  /** While it moves. */
  move: (value: readonly [number, number]) => void;
  /** Once it is let go, and after every key. */
  done: () => void;
}

/** A handle that moves in a plane; arrows change the first number across, the second upright. */
export function planeHandle(options: PlaneHandle): SVGTemplateResult {
  const {min, max, step, value} = options;
  const inside = (one: number) => clamp(one, min, max);
  return grip<readonly [number, number]>({
    ...options,
    upright: true,
    spokenValue: value[0],
    dragged: ([x, y]) => options.move([inside(snapped(x, step)), inside(snapped(y, step))]),
    keyed: (asked, across) => {
      const [first, second] = value;
      const from = across ? first : second;
      const to =
        'to' in asked
          ? {min, max}[asked.to]
          : inside(Number((from + asked.by * step).toPrecision(12)));
      options.move(across ? [to, second] : [first, to]);
    },
  });
}
