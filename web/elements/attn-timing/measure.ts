// Measures passes of the core's attention in the page. A pass is cut into pieces, between which the
// page answers its reader; only the pieces are timed.

import type {Matrix} from '../../core.js';
import type {Resources} from '../../shared/runtime.js';
import type {Timed, TimingState} from './state.js';

/** Queries of one piece. */
const PIECE = 64;
/** Passes before the first that counts: the browser compiles a function anew once it runs often. */
const WARM_UP = 5;
const RUNS = 7;
/** A length ends after this time, with at least three runs. */
const BUDGET_MS = 3000;
const LEAST_RUNS = 3;
const SEED = 1;

export interface Progress {
  cold: number;
  /** By length. */
  timed: ReadonlyMap<number, Timed>;
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

function piecesOf({data, cols}: Matrix): Matrix[] {
  const pieces: Matrix[] = [];
  for (let from = 0; from < data.length; from += PIECE * cols) {
    const part = data.slice(from, from + PIECE * cols);
    pieces.push({data: part, rows: part.length / cols, cols});
  }
  return pieces;
}

/** Milliseconds of a pass over all heads, or null where the reader stopped it. */
async function pass(
  {core}: Resources,
  [queries, k, v]: readonly [Matrix[], Matrix, Matrix],
  heads: number,
  stopped: () => boolean,
): Promise<number | null> {
  let total = 0;
  for (let head = 0; head < heads; head++)
    for (const q of queries) {
      await nextTask();
      if (stopped()) return null;
      const began = performance.now();
      core.attention(q, k, v, {scaled: true, mask: 'none'});
      total += performance.now() - began;
    }
  return total;
}

/** Sorts in place. */
export function summary(times: number[]): Timed {
  times.sort((a, b) => a - b);
  const middle = times.length >> 1;
  const [low = 0, high = 0] = [times[middle - 1], times[middle]];
  return {
    median: times.length % 2 === 1 ? high : (low + high) / 2,
    fastest: times[0] ?? 0,
    slowest: times.at(-1) ?? 0,
    runs: times.length,
  };
}

/** Reports after each length; ends early where `stopped` turns true. */
export async function measure(
  resources: Resources,
  {lengths, heads, width}: TimingState,
  stopped: () => boolean,
  report: (progress: Progress) => void,
): Promise<void> {
  const draw = (rows: number, stream: number) =>
    resources.sequence.normalMatrix({rows, cols: width, std: 1, seed: SEED, stream});
  const timed = new Map<number, Timed>();
  let cold: number | null = null;
  for (const length of lengths) {
    const [q, k, v] = [draw(length, 1), draw(length, 2), draw(length, 3)];
    const operands = [piecesOf(q), k, v] as const;
    const times: number[] = [];
    const began = performance.now();
    for (let run = -WARM_UP; run < RUNS; run++) {
      const late = performance.now() - began > BUDGET_MS;
      if (late && times.length >= LEAST_RUNS) break;
      // Long passes are warm after the first.
      if (late && run < 0) run = 0;
      const time = await pass(resources, operands, heads, stopped);
      if (time === null) return;
      cold ??= time;
      if (run >= 0) times.push(time);
    }
    timed.set(length, summary(times));
    report({cold: cold ?? 0, timed});
  }
}
