// Results of <attn-failures>: symptoms of the recorded runs, and one row worked out both ways.

import type {Scaling} from '../../scaling.js';
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

function exampleOf(scaling: Scaling, variant: Mistake): Example {
  const {d, large} = ROW;
  // Only large scores overflow.
  const factor = variant === 'no-max-subtraction' ? large : 1;
  const products = ROW.products.map((product) => factor * product);
  return {
    right: scaling.rowWeights(products, 'scaled', d),
    wrong: scaling.rowWeights(products, variant, d),
  };
}

export function compute(
  {scaling}: Resources,
  state: FailuresState,
  content: FailuresContent,
): FailuresResult {
  return {
    content,
    rows: content.records.map((record) => symptomsOf(record, content.steps)),
    example: exampleOf(scaling, state.variant),
    expectedDeviation: content.dModel * SIGMA * SIGMA,
    findings: diagnose(state),
  };
}
