// The comparison of a live run with its record.

import type {Curve, Settings} from './protocol.js';
import {type CaseRecord, recordedLosses} from './records.js';

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
