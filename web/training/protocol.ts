// What the page and the learner say to each other. The learner sits in a worker, or, where workers
// are refused, in the page itself; the messages are the same.

import type {AttentionKind, Diagnostics} from '../train.js';

export type Preset = 'small' | 'large';

/** All that a run follows from, with the text. */
export interface Settings {
  preset: Preset;
  attention: AttentionKind;
  /** Unsigned 32-bit. */
  seed: number;
  /** Where it ends by itself, and where the learning rate has come down to a tenth. */
  steps: number;
  /** The peak of the learning rate. */
  rate: number;
}

/** What to show of the model while it learns. */
export interface Look {
  /** Read for the attention map; empty: no map. */
  text: string;
  /** From 0. */
  layer: number;
  head: number;
  /** What a poem begins with; empty: a new line. */
  prompt: string;
  /** 0 takes the most likely character every time. */
  temperature: number;
}

/** Of layer 0 on the batch of a step, before that step's update. */
export interface DiagnosticsAt extends Diagnostics {
  /** From 0. */
  step: number;
}

/** What a run left behind, one entry a step. */
export interface Curve {
  losses: number[];
  gradientNorms: number[];
  learningRates: number[];
  /** Of some steps only. */
  diagnostics: DiagnosticsAt[];
  /** Peaks of the learning rate and the step from which each held; the first at 0. */
  peaks: {step: number; rate: number}[];
}

export interface Shape {
  parameters: number;
  layers: number;
  heads: number;
  /** Positions that the model can see. */
  block: number;
}

/** The model as it is after so many steps. What has no finite numbers any more is null. */
export interface Sight {
  steps: number;
  poem: string | null;
  map: {characters: string[]; rows: number[][]; layer: number; head: number} | null;
}

export type Command =
  | {kind: 'start'; text: string; settings: Settings; look: Look; saved: boolean}
  | {kind: 'pause'}
  | {kind: 'resume'}
  | {kind: 'rate'; rate: number}
  | {kind: 'look'; look: Look}
  | {kind: 'save'};

export type Report =
  /** `curve` is what a saved run had done already; empty for a new one. */
  | {kind: 'begun'; shape: Shape; threads: number; curve: Curve}
  /** What was added to the curve since the last report. */
  | {kind: 'progress'; added: Omit<Curve, 'peaks'>; seconds: number; memory: number}
  | {kind: 'peak'; step: number; rate: number}
  | {kind: 'sight'; sight: Sight}
  | {kind: 'paused'}
  | {kind: 'resumed'}
  /** null: this browser keeps nothing. */
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

/** The same run: the same digits until somebody changes the learning rate. */
export const sameRun = (a: Settings, b: Settings): boolean =>
  a.preset === b.preset && a.attention === b.attention && a.seed === b.seed && a.steps === b.steps;
