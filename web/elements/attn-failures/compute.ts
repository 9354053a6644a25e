// Results of <attn-failures>: symptoms of the recorded runs, and one row worked out both ways.

import {type Core, valuesOf} from '../../core.js';
import type {FailureRecord, FailuresContent} from '../../shared/content.js';
import type {Resources} from '../../shared/runtime.js';
import {diagnose} from './rules.js';
import type {Example, FailuresResult, FailuresState, Symptoms} from './state.js';
import type {Mistake} from './variants.js';

/** Standard deviation of the untrained weights. */
const SIGMA = 0.02;

const LAST = 50;

function symptomsOf(
  {attention, losses, gradientNorms, diagnostics, finalLoss, validationLoss}: FailureRecord,
  steps: number,
): Symptoms {
  const norms = gradientNorms.filter(([step]) => step >= steps - LAST).map(([, norm]) => norm);
  const first = diagnostics[0];
  const last = diagnostics.at(-1);
  if (!first || !last) throw new Error(`${attention}: a record without diagnostics`);
  return {
    attention,
    start: losses[0]?.[1] ?? 0,
    loss: finalLoss,
    validationLoss,
    gradientNorm: norms.reduce((sum, norm) => sum + norm, 0) / norms.length,
    entropy: last.entropy,
    deviation: last.logitDeviation,
    firstDeviation: first.logitDeviation,
    jacobian: last.jacobianNorm,
    diagonal: last.diagonal,
    largestRowSum: last.largestRowSum,
  };
}

/** Three keys that may be seen and one that comes later, d = 16. */
export const ROW = {products: [8, 3, -2], later: 5, d: 16, large: 50};

function exampleOf(core: Core, variant: Mistake): Example {
  const {products, d, large} = ROW;
  const softmax = (scores: readonly number[], temperature: number, stable = true) =>
    core.weigh(scores, {temperature, precision: stable ? 'float64' : 'float32', stable}).weights;
  const root = Math.sqrt(d);
  const right = [...valuesOf(softmax(products, root)), 0];
  switch (variant) {
    case 'hidden-as-zero':
      return {right, wrong: valuesOf(softmax([...products, 0], root))};
    case 'scaled-after-softmax':
      return {right, wrong: [...softmax(products, 1).map(({value}) => value / root), 0]};
    case 'divided-by-width':
      return {right, wrong: [...valuesOf(softmax(products, d)), 0]};
    case 'no-max-subtraction': {
      // The same row with larger scores.
      const grown = valuesOf(softmax(products, root / large));
      return {
        right: [...grown, 0],
        wrong: [
          ...softmax(products, root / large, false).map(({value, status}) =>
            status === 'ok' ? value : null,
          ),
          0,
        ],
      };
    }
  }
}

export function compute(
  {core}: Resources,
  state: FailuresState,
  content: FailuresContent,
): FailuresResult {
  return {
    content,
    rows: content.records.map((record) => symptomsOf(record, content.steps)),
    example: exampleOf(core, state.variant),
    expectedDeviation: content.dModel * SIGMA * SIGMA,
    findings: diagnose(state),
  };
}
