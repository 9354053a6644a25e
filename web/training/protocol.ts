// The messages between the page and the learner. The learner runs in a worker, or in the page
// itself if workers are refused; the messages are the same.

import type {AttentionKind, Diagnostics} from '../train.js';
import type {Slot} from './slot.js';

export type Preset = 'small' | 'large' | 'own';

/** The sizes of a model; its feed-forward layer is twice as wide as the model. */
export interface Sizes {
  layers: number;
  heads: number;
  /** d_model, a multiple of the heads. */
  width: number;
  /** Positions that the model can see. */
  window: number;
}

/** The two models of the case study, as the core has them. */
export const PRESETS: Record<Exclude<Preset, 'own'>, Sizes> = {
  small: {layers: 2, heads: 4, width: 128, window: 64},
  large: {layers: 2, heads: 1, width: 256, window: 64},
};

/** The whole configuration of a run, with the text. */
export interface Settings extends Sizes {
  /** The sizes of a preset are those of PRESETS. */
  preset: Preset;
  attention: AttentionKind;
  /** Unsigned 32-bit. */
  seed: number;
  /** The last step, at which the learning rate has decayed to a tenth. */
  steps: number;
  /** The peak of the learning rate. */
  rate: number;
}

/** The views of the model during training. */
export interface Look {
  /** The text of the attention map; empty: no map. */
  text: string;
  /** Index from 0. */
  layer: number;
  head: number;
  /** The beginning of a poem; empty: a new line. */
  prompt: string;
  /** 0 takes the most likely character every time. */
  temperature: number;
}

/** Diagnostics of layer 0 on the batch of a step, before that step's update. */
export interface DiagnosticsAt extends Diagnostics {
  /** Index from 0. */
  step: number;
}

/** The results of a run, one entry for each step. */
export interface Curve {
  losses: number[];
  gradientNorms: number[];
  learningRates: number[];
  /** Entries of some steps only. */
  diagnostics: DiagnosticsAt[];
  /** Peaks of the learning rate with the step from which each applies; the first at 0. */
  peaks: {step: number; rate: number}[];
}

export interface Shape {
  parameters: number;
  layers: number;
  heads: number;
  /** Positions that the model can see. */
  block: number;
}

/** The model after a number of steps. A value that is not finite is null. */
export interface Sight {
  steps: number;
  poem: string | null;
  map: {characters: string[]; rows: number[][]; layer: number; head: number} | null;
}

export type Command =
  /** `saved`: continues the run that the slot of the store holds, if it is this one. */
  | {kind: 'start'; text: string; settings: Settings; look: Look; slot: Slot; saved: boolean}
  | {kind: 'pause'}
  | {kind: 'resume'}
  | {kind: 'rate'; rate: number}
  | {kind: 'look'; look: Look}
  | {kind: 'save'};

export type Report =
  /** `curve` holds the results of a saved run; it is empty for a new one. */
  | {kind: 'begun'; shape: Shape; threads: number; curve: Curve}
  /** The new part of the curve since the last report, and the number of threads that is quicker. */
  | {
      kind: 'progress';
      added: Omit<Curve, 'peaks'>;
      seconds: number;
      quicker: number;
      memory: number;
    }
  | {kind: 'peak'; step: number; rate: number}
  | {kind: 'sight'; sight: Sight}
  | {kind: 'paused'}
  | {kind: 'resumed'}
  /** null: this browser saves nothing. */
  | {kind: 'saved'; steps: number | null}
  /** All steps done; the loss on the text kept aside, and the bits of all parameters. */
  | {kind: 'done'; validationLoss: number | null; hash: string}
  | {kind: 'diverged'; step: number}
  | {kind: 'failed'; code: string; message: string};

export const emptyCurve = (rate: number): Curve => ({
  losses: [],
  gradientNorms: [],
  learningRates: [],
  diagnostics: [],
  peaks: [{step: 0, rate}],
});

/** The settings of a run: equal ones give equal digits until the learning rate is changed. */
export const sameRun = (a: Settings, b: Settings): boolean =>
  a.preset === b.preset &&
  a.attention === b.attention &&
  a.seed === b.seed &&
  a.steps === b.steps &&
  (a.preset !== 'own' ||
    (a.layers === b.layers && a.heads === b.heads && a.width === b.width && a.window === b.window));

/** The reason for which training is not available. */
export type Failure = 'no-module' | 'no-corpus' | 'wrong-corpus' | 'crashed';

/** Thrown if the training text is missing, or is another one. */
export class Missing extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}
