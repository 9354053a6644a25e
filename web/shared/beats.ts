// Motion as a function of a playhead `at` in 0 … 1: a picture depends on `at` and not on a timer.

import {easeCubicInOut} from 'd3-ease';

/** Progress (0 … 1) of the playhead's part from `start` to `end`; for what counts or sweeps. */
export function linearBeat(at: number, start: number, end: number): number {
  return Math.min(1, Math.max(0, (at - start) / (end - start)));
}

/** The same with a cubic ease at both ends; for what travels. */
export function beat(at: number, start: number, end: number): number {
  return easeCubicInOut(linearBeat(at, start, end));
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** A place on the playhead where it stops. */
export interface Stop {
  readonly at: number;
  /** Empty for a stop on the way to the next one that has a name. */
  readonly name: string;
}

/** Index of the stop nearest to `at`. */
export function nearestStop(stops: readonly Stop[], at: number): number {
  let best = 0;
  stops.forEach((stop, i) => {
    if (Math.abs(stop.at - at) < Math.abs((stops[best]?.at ?? 0) - at)) best = i;
  });
  return best;
}

/** Two places closer than this are the same: a value that is rounded moves its place a little. */
const SAME = 2e-3;

/** The next stop in a direction, or the end of the playhead. */
export function nextStop(stops: readonly Stop[], at: number, direction: 1 | -1): number {
  const places = stops.map((stop) => stop.at);
  return direction > 0
    ? (places.find((place) => place > at + SAME) ?? 1)
    : (places.findLast((place) => place < at - SAME) ?? 0);
}
