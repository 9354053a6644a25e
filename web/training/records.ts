// Recorded runs of the case study for widgets.

import type {DiagnosticsAt, Preset, Settings} from './protocol.js';
import type {AttentionKind} from '../train.js';
import type {Moment, Moments} from './moments.js';

/** A file of lessons/case, without the entries that no picture shows. */
export interface CaseRecord {
  experiment: string;
  /** The program and the build that made it. */
  command: string;
  /** SHA-256 of the text. */
  corpus: string;
  preset: Exclude<Preset, 'own'>;
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
  /** Recorded moments: their steps and the last of them; the others are a file of their own. */
  course: (Omit<Moments, 'moments'> & {steps: number[]; last: Moment}) | null;
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
  {preset, attention, seed, steps}: Pick<Settings, 'preset' | 'attention' | 'seed' | 'steps'>,
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
