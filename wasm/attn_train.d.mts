// The module that trains; web/train.ts alone sees it. It is meant for a worker: a step of the case
// model takes a fifth of a second.
import type {CreateModule, Matrix, Raw} from './raw.mjs';

export type AttentionKind =
  | 'scaled'
  | 'unscaled'
  // Mistakes that raise no error.
  | 'hidden-as-zero'
  | 'scaled-after-softmax'
  | 'no-max-subtraction'
  | 'divided-by-width';

export interface GptConfig {
  vocabSize: number;
  /** Positions. */
  blockSize: number;
  nLayers: number;
  nHeads: number;
  dModel: number;
  dFf: number;
}

export interface TrainingSettings {
  config: GptConfig;
  attention: AttentionKind;
  /** 0 to 2³² − 1: parameters and batches follow from it. */
  seed: number;
  batchSize: number;
  /** Where the learning rate has come down to a tenth; a run may go on. */
  steps: number;
  warmupSteps: number;
  /** The peak of the schedule. */
  learningRate: number;
}

/** Parameters by part; layers count all layers together. */
export interface ParameterCount {
  tokenEmbedding: number;
  positionEmbedding: number;
  attention: number;
  feedForward: number;
  layerNorms: number;
  finalNorm: number;
  total: number;
}

export interface Sizes {
  trainingTokens: number;
  /** 0 when too little of the text is left over to measure on. */
  validationTokens: number;
  parameters: ParameterCount;
}

/** How far a run is. */
export interface Progress {
  steps: number;
  diverged: boolean;
}

export interface Steps {
  /** Done since the beginning. */
  steps: number;
  /** A loss or gradient was not finite: that step does not count and nothing moves any more. */
  diverged: boolean;
  /** One a step of this call, in nats; before the update. */
  losses: number[];
  /** Before clipping. */
  gradientNorms: number[];
  learningRates: number[];
}

/** Of the last step's batch, before its update. */
export interface Diagnostics {
  /** 0 to 1: divided by ln of the visible positions. */
  entropy: number;
  logitDeviation: number;
  largestLogit: number;
  jacobianNorm: number;
  queryDeviation: number;
  keyDeviation: number;
  qkvNorm: number;
  diagonal: number;
  largestRowSum: number;
}

export interface SamplingSettings {
  /** At least one character; those outside the vocabulary are read as <unk>. */
  prompt: string;
  /** Characters to write, up to 100,000. */
  count: number;
  /** 0 takes the most likely character every time. */
  temperature: number;
  /** 0: no limit. */
  topK: number;
  /** Keep keys and values of earlier positions; the characters are the same without. */
  cached: boolean;
  seed: number;
}

export interface Encoded {
  ids: number[];
  characters: string[];
}

export interface Sample {
  text: string;
  ids: number[];
  characters: string[];
  unknownInPrompt: number;
  /** The text outgrew the block, so for its end the window was run anew with each character. */
  beyondBlock: boolean;
}

export interface AttentionMap {
  /** (T, T): row i is how position i looks. */
  weights: Matrix;
  characters: string[];
  /** Characters at the beginning that did not fit the block. */
  skipped: number;
}

export interface HeadPortrait {
  entropy: number;
  diagonal: number;
  previous: number;
  distance: number;
}

export interface Portraits {
  layers: HeadPortrait[][];
  /** What a head without a preference would have on a text of this length. */
  uniform: HeadPortrait;
  skipped: number;
}

/** The calls of a run. One that fails leaves the run as it was. */
export interface RunCalls {
  config(): GptConfig;
  sizes(): Sizes;
  step(steps: number): Steps;
  /** The peak of the schedule, from the next step on. */
  setLearningRate(learningRate: number): void;
  /** Of the last step's batch, before its update. */
  diagnostics(layer: number): Diagnostics;
  /** Mean over `passes` times eight windows of the text kept aside, the same ones at every call. */
  validationLoss(passes: number): number;
  /** The same without one head. */
  validationLossWithout(layer: number, head: number, passes: number): number;
  /** How the model reads a text. */
  encode(text: string): Encoded;
  sample(settings: SamplingSettings): Sample;
  attentionMap(text: string, layer: number, head: number): AttentionMap;
  portraits(text: string): Portraits;
  /** −ln of each character's probability, in nats: from the second on that fits the block. */
  tokenLosses(text: string): number[];
  /** The same without one head. */
  tokenLossesWithout(text: string, layer: number, head: number): number[];
  /** 16 hexadecimal digits over the bits of all parameters. */
  parameterHash(): string;
  parameters(): Float32Array;
  setParameters(parameters: Float32Array): void;
  /** Everything needed to go on in the same bits, except the text. */
  save(): Uint8Array;
  /** Into a run created with the same settings and text. */
  load(state: Uint8Array): Progress;
}

/** A model in the module's memory, until delete(). */
export interface RunHandle extends Raw<RunCalls> {
  delete(): void;
}

/** The calls of the module. */
export interface TrainCalls {
  /** The settings of the case study; attention is 'scaled'. */
  preset(name: 'small' | 'large'): TrainingSettings;
  /** `text` is what the model learns: its first nine tenths of lines, the rest to measure on. */
  create(settings: TrainingSettings, text: string): RunHandle;
  /** A trained model from the bytes of a .weights file: it reads and writes, but does not learn. */
  openModel(weights: Uint8Array): RunHandle;
  /** The threads that a run learns with: 2 in attn_train_threads, which has room for one such run. */
  threads(): number;
  /** Bytes of the module's memory, which never shrinks. */
  memoryBytes(): number;
}

export type TrainModule = Raw<TrainCalls>;

declare const createModule: CreateModule<TrainModule>;
export default createModule;

/**
 * The default export of attn_train_threads.js, the same module with two threads: it starts only in a
 * worker of an isolated page.
 */
export type CreateThreads = (options: {
  wasmBinary: ArrayBuffer | Uint8Array;
  /** Where that script is, for its helper. */
  mainScriptUrlOrBlob: string;
  /** Where a file is that it asks for by name. */
  locateFile: (name: string) => string;
}) => Promise<TrainModule>;
