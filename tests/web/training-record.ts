// A made-up recorded run, and a live run that agrees with it.
import {AttnTrain} from '../../web/elements/attn-train.js';
import type {TrainState} from '../../web/elements/attn-train/state.js';
import {defaults} from '../../web/shared/schema.js';
import type {Live} from '../../web/training/desk.js';
import {emptyCurve} from '../../web/training/protocol.js';
import type {CaseRecord} from '../../web/training/records.js';

/** A run of 1,500 steps, with losses n ÷ 1000 + 4 and the diagnostics of two steps. */
const loss = (step: number) => 7 - step / 1000;
export function record(changes: Partial<CaseRecord> = {}): CaseRecord {
  const at = (step: number) => ({
    step,
    entropy: 1 - step / 3000,
    logitDeviation: 0.05 * (step + 1),
    largestLogit: 1,
    jacobianNorm: 0.2 / (step + 1),
    queryDeviation: 1,
    keyDeviation: 1,
    qkvNorm: 1,
    diagonal: 0.1,
    largestRowSum: 1,
  });
  return {
    experiment: 'small-scaled',
    command: 'npm run case -- small-scaled',
    corpus: 'f'.repeat(64),
    preset: 'small',
    attention: 'scaled',
    seed: 20261014,
    steps: 1500,
    warmupSteps: 100,
    learningRate: 0.003,
    parameters: 425984,
    vocabulary: 1200,
    stepsDone: 1500,
    finalLoss: 5.5,
    firstLosses: Array.from({length: 20}, (_, step) => loss(step)),
    losses: [
      ...Array.from({length: 150}, (_, i): [number, number] => [10 * i, loss(10 * i)]),
      [1499, loss(1499)],
    ],
    diagnostics: [at(0), at(74), at(1499)],
    parameterHash: '0123456789abcdef',
    validationLoss: 5.6,
    poem: {prompt: '春', text: '風<unk>。\n月'},
    course: null,
    ...changes,
  };
}
export const unscaled = record({
  experiment: 'small-unscaled',
  attention: 'unscaled',
  finalLoss: 5.7,
});

export const state = (changes: Partial<TrainState> = {}): TrainState => ({
  ...defaults<TrainState>(AttnTrain.spec.schema),
  ...changes,
});
export function curveOf(steps: number, changes: Partial<Live['curve']> = {}): Live['curve'] {
  const losses = Array.from({length: steps}, (_, step) => loss(step));
  const diagnostics = record().diagnostics.filter(({step}) => step < steps);
  return {
    ...emptyCurve(0.003),
    losses,
    gradientNorms: losses,
    learningRates: losses,
    diagnostics,
    ...changes,
  };
}
