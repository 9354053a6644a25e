// The recorded runs of the injected mistakes, as <attn-failures> gets them.

import {existsSync} from 'node:fs';
import type {FailureRecord, FailuresContent} from '../shared/content.js';
import {readData} from './data-files.js';

const NEEDED_BY = '失败模式的小工具';

/** A record's name is a mistake's name followed by the kind of attention. */
const KINDS = [
  'scaled',
  'hidden-as-zero',
  'scaled-after-softmax',
  'no-max-subtraction',
  'divided-by-width',
] as const;

/** A record also has fields that only other pages show. */
type Recorded = FailureRecord & {
  config: {dModel: number; nHeads: number; vocabSize: number};
  seed: number;
  stepsDone: number;
};

export function failuresContent(): FailuresContent {
  const all = KINDS.map(
    (kind) => readData(`lessons/case/failure-${kind}.json`, NEEDED_BY).value as Recorded,
  );
  const [first] = all;
  if (!first) throw new Error('no kinds of attention');
  const {
    config: {dModel, nHeads, vocabSize},
    seed,
    stepsDone,
  } = first;
  return {
    seed,
    steps: stepsDone,
    dModel,
    headDim: dModel / nHeads,
    vocabSize,
    trainable: existsSync('lessons/case/training/index.md'),
    records: all.map(
      ({attention, finalLoss, validationLoss, losses, gradientNorms, diagnostics}) => ({
        attention,
        finalLoss,
        validationLoss,
        losses,
        gradientNorms,
        diagnostics: diagnostics.map(
          ({step, entropy, logitDeviation, jacobianNorm, diagonal, largestRowSum}) => ({
            step,
            entropy,
            logitDeviation,
            jacobianNorm,
            diagonal,
            largestRowSum,
          }),
        ),
      }),
    ),
  };
}
