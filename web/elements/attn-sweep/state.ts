// State and result of <attn-sweep>: the recorded sweep, and the one that this page makes.

import {SEEDS} from '../../shared/experiment.js';
import type {WidthsContent} from '../../shared/content.js';
import type {Resources} from '../../shared/runtime.js';
import {numberField, type Schema} from '../../shared/schema.js';
import {type KeptSweep, type Sweep, type SweepRun, WIDTHS} from '../../training/sweep.js';

export interface SweepState {
  /** 参数和抽到的诗都由它定 */
  seed: number;
  /** 每次训练走多少步 */
  steps: number;
  /** 两边的损失差到多少，才算分开 */
  apart: number;
}

/** The two losses of a width; null where a run is missing or diverged. */
export interface WidthRow {
  width: number;
  scaled: number | null;
  unscaled: number | null;
  /** unscaled − scaled */
  gap: number | null;
}

export interface SweepResult {
  /** The record of this seed and these steps; null without one. */
  recorded: WidthRow[] | null;
  /** The command that made it. */
  command: string;
  /** This page's runs; null without any. */
  live: WidthRow[] | null;
  sweep: Sweep | null;
  kept: KeptSweep | null;
  /** The first width from which on every gap is at least `apart`; null without one. */
  critical: number | null;
}

export const RANGES = {
  seed: SEEDS,
  steps: {min: 1, max: 5000, integer: true},
  apart: {min: 0, max: 1},
};

export const schema: Schema<SweepState> = {
  seed: numberField(20261014, RANGES.seed),
  steps: numberField(300, RANGES.steps),
  apart: numberField(0.2, RANGES.apart),
};

/** One row a width, from runs in any order. */
export function rowsOf(runs: readonly SweepRun[]): WidthRow[] {
  const loss = (width: number, attention: SweepRun['attention']) =>
    runs.find((run) => run.width === width && run.attention === attention)?.loss ?? null;
  return WIDTHS.map((width) => {
    const [scaled, unscaled] = [loss(width, 'scaled'), loss(width, 'unscaled')];
    const gap = scaled === null || unscaled === null ? null : unscaled - scaled;
    return {width, scaled, unscaled, gap};
  });
}

/** The first width from which on every gap is known and large enough. */
export function criticalOf(rows: readonly WidthRow[], apart: number): number | null {
  const last = rows.findLastIndex(({gap}) => gap === null || gap < apart);
  return rows[last + 1]?.width ?? null;
}

export function compute(
  _resources: Resources,
  {seed, steps, apart}: SweepState,
  content: WidthsContent,
): SweepResult {
  const found =
    content.steps === steps ? content.seeds.find((one) => one.seed === seed) : undefined;
  const recorded = found ? rowsOf(found.runs) : null;
  return {
    recorded,
    command: content.command,
    live: null,
    sweep: null,
    kept: null,
    critical: recorded && criticalOf(recorded, apart),
  };
}
