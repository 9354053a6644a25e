// State and result of <attn-timing>: the counted work of each length, and what was measured in this
// tab. Times are not part of the state: no two runs give the same ones.

import type {Resources} from '../../shared/runtime.js';
import {numberField, numbersField, type Schema} from '../../shared/schema.js';

export interface TimingState {
  /** 量哪几个长度n，从短到长 */
  lengths: readonly number[];
  /** 头数 */
  heads: number;
  /** 每个头的维数d */
  width: number;
}

/** One length, measured. */
export interface Timed {
  /** Milliseconds of a pass over all heads: the median of the runs after warming up. */
  median: number;
  fastest: number;
  slowest: number;
  runs: number;
}

export interface TimingRow {
  length: number;
  /** Operations of a pass over all heads: 4 n² d heads. */
  operations: number;
  /** Operations, as a multiple of those of the first length. */
  times: number;
  timed: Timed | null;
}

export interface TimingResult {
  rows: TimingRow[];
  /** Milliseconds of the first pass of all, before any warming up; null where nothing was run. */
  cold: number | null;
  running: boolean;
}

const MOST_LENGTHS = 7;
export const RANGES = {
  lengths: {min: 8, max: 1024, integer: true},
  heads: {min: 1, max: 8, integer: true},
  width: {min: 1, max: 128, integer: true},
};

const LENGTHS = numbersField([64, 128, 256, 512], MOST_LENGTHS, RANGES.lengths);

export const schema: Schema<TimingState> = {
  lengths: {
    ...LENGTHS,
    // In order and each once, so that the shortest is the unit of the picture.
    read: (text) => [...new Set(LENGTHS.read(text))].sort((a, b) => a - b),
    about: LENGTHS.about && {
      takes: LENGTHS.about.takes,
      sample: (random) => [...new Set(LENGTHS.about?.sample(random))].sort((a, b) => a - b),
    },
  },
  heads: numberField(1, RANGES.heads),
  width: numberField(64, RANGES.width),
};

export function compute({sequence}: Resources, {lengths, heads, width}: TimingState): TimingResult {
  const operationsAt = (n: number) =>
    sequence.attentionTraffic({
      n,
      d: width,
      heads,
      bytesPerValue: 8,
      block: n,
      operationsPerSecond: 1,
      bytesPerSecond: 1,
    }).operations;
  const first = operationsAt(lengths[0] ?? RANGES.lengths.min);
  const rows = lengths.map((length): TimingRow => {
    const operations = operationsAt(length);
    return {length, operations, times: operations / first, timed: null};
  });
  return {rows, cold: null, running: false};
}
