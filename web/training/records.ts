// Recorded runs of the case study for widgets, and the comparison of a live run with its record.

import type {Curve, DiagnosticsAt, Preset, Settings} from './protocol.js';
import type {AttentionKind} from '../train.js';

/** A file of lessons/case, without the entries that no picture shows. */
export interface CaseRecord {
  experiment: string;
  /** The program and the build that made it. */
  command: string;
  /** SHA-256 of the text. */
  corpus: string;
  preset: Preset;
  attention: AttentionKind;
  seed: number;
  steps: number;
  warmupSteps: number;
  /** The peak of the schedule. */
  learningRate: number;
  parameters: number;
  vocabulary: number;
  stepsDone: number;
  /** Mean loss of the last 50 steps. */
  finalLoss: number | null;
  /** Losses of steps 0, 1, 2 … */
  firstLosses: number[];
  /** [step, loss] */
  losses: [number, number][];
  diagnostics: DiagnosticsAt[];
  parameterHash: string;
  validationLoss: number | null;
  /** A sample of the trained model: 64 characters, temperature 1, without top-k. */
  poem: {prompt: string; text: string} | null;
}

export type RecordKey = Pick<
  CaseRecord,
  'experiment' | 'preset' | 'attention' | 'seed' | 'steps' | 'learningRate'
>;

/** The content of a preset's page: the runs of the first seed, and the names of the others. */
export interface CaseContent {
  records: CaseRecord[];
  others: RecordKey[];
}

/** The record with the same model, attention and seed; one with the same number of steps first. */
export function keyFor<Key extends RecordKey>(
  keys: readonly Key[],
  {preset, attention, seed, steps}: Omit<Settings, 'rate'>,
): Key | undefined {
  const alike = keys.filter(
    (key) => key.preset === preset && key.attention === attention && key.seed === seed,
  );
  return (
    alike.find((key) => key.steps === steps) ??
    alike.reduce<Key | undefined>(
      (best, key) => (best && best.steps >= key.steps ? best : key),
      undefined,
    )
  );
}

/** Steps whose loss is recorded, in order, each once. */
export function recordedLosses({firstLosses, losses}: CaseRecord): [number, number][] {
  const first = firstLosses.map((loss, step): [number, number] => [step, loss]);
  return [...first, ...losses.filter(([step]) => step >= first.length)];
}

/** A live run beside the record. */
export interface Agreement {
  /** Compared numbers: losses, and the diagnostics of recorded steps. */
  compared: number;
  /** The place of the first pair that differs in any bit. */
  firstDifference: number | null;
  /** Loss i has the settings of the record for i below this. */
  until: number;
  /** The reason for this limit. */
  why: 'whole' | 'steps' | 'rate';
}

/** The number of losses with the settings of the record. */
function limit(
  record: CaseRecord,
  {steps}: Settings,
  {peaks}: Curve,
): Pick<Agreement, 'until' | 'why'> {
  // The learning rate does not depend on the length of the run until the warm-up is over.
  const whole = record.steps === steps;
  const until = whole ? record.steps : Math.min(record.warmupSteps + 1, record.steps, steps);
  const changed = peaks.find(({rate}) => rate !== record.learningRate);
  // A step's loss is taken before its update. A run with another rate throughout is not compared.
  const same = changed && (changed.step === 0 ? 0 : changed.step + 1);
  if (same !== undefined && same < until) return {until: same, why: 'rate'};
  return {until, why: whole ? 'whole' : 'steps'};
}

const MEASURED = ['entropy', 'logitDeviation', 'jacobianNorm'] as const;

export function agreement(record: CaseRecord, settings: Settings, curve: Curve): Agreement {
  const {until, why} = limit(record, settings, curve);
  const pairs: {step: number; same: boolean}[] = [];
  const add = (step: number, recorded: number, live: number | undefined) => {
    if (step < until && live !== undefined) pairs.push({step, same: recorded === live});
  };
  for (const [step, loss] of recordedLosses(record)) add(step, loss, curve.losses[step]);
  const measured = new Map(curve.diagnostics.map((at) => [at.step, at]));
  for (const at of record.diagnostics) {
    for (const key of MEASURED) add(at.step, at[key], measured.get(at.step)?.[key]);
  }
  const different = pairs.filter(({same}) => !same).map(({step}) => step);
  return {
    compared: pairs.length,
    firstDifference: different.length > 0 ? Math.min(...different) : null,
    until,
    why,
  };
}
