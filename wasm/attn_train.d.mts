// The module that trains: meant for a worker, since a step of the case model takes a fifth of a
// second. A run lives in the module under a number from create() until remove().

/** What a call gives when it refuses: the run is as it was. */
export interface Refusal {
  error: {code: 'invalid_argument' | 'internal'; message: string};
}

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

export interface Created {
  run: number;
  trainingTokens: number;
  /** 0 when too little of the text is left over to measure on. */
  validationTokens: number;
  /** Parameters by part; layers count all layers together. */
  parameters: {
    tokenEmbedding: number;
    positionEmbedding: number;
    attention: number;
    feedForward: number;
    layerNorms: number;
    finalNorm: number;
    total: number;
  };
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
  weights: {data: Float64Array; rows: number; cols: number};
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

export interface TrainModule {
  /** The settings of the case study; attention is 'scaled'. */
  preset(name: 'small' | 'large'): TrainingSettings | Refusal;
  /** `text` is what is learnt: its first nine tenths of lines, the rest for validationLoss(). */
  create(settings: TrainingSettings & {text: string}): Created | Refusal;
  /** A trained model from the bytes of a .weights file: it reads and writes, but does not learn. */
  openModel(bytes: Uint8Array): {run: number; config: GptConfig} | Refusal;
  remove(run: number): object | Refusal;
  step(run: number, steps: number): Steps | Refusal;
  /** The peak of the schedule, from the next step on. */
  setLearningRate(run: number, learningRate: number): object | Refusal;
  diagnostics(run: number, layer: number): Diagnostics | Refusal;
  /** Mean over `passes` times eight windows of the text kept aside, the same ones at every call. */
  validationLoss(run: number, passes: number): number | Refusal;
  /** The same while one head says nothing. */
  validationLossWithout(run: number, layer: number, head: number, passes: number): number | Refusal;
  /** How the model reads a text. */
  encode(run: number, text: string): {ids: number[]; characters: string[]} | Refusal;
  sample(run: number, settings: SamplingSettings): Sample | Refusal;
  attentionMap(run: number, text: string, layer: number, head: number): AttentionMap | Refusal;
  portraits(run: number, text: string): Portraits | Refusal;
  /** How badly each character was foreseen, in nats: from the second on that fits the block. */
  tokenLosses(run: number, text: string): number[] | Refusal;
  /** The same while one head says nothing. */
  tokenLossesWithout(run: number, text: string, layer: number, head: number): number[] | Refusal;
  /** 16 hexadecimal digits over the bits of all parameters. */
  parameterHash(run: number): string | Refusal;
  parameters(run: number): Float32Array | Refusal;
  setParameters(run: number, parameters: Float32Array): object | Refusal;
  /** Everything needed to go on in the same bits, but for the text. */
  save(run: number): Uint8Array | Refusal;
  /** Into a run created with the same settings and text. */
  load(run: number, state: Uint8Array): {steps: number; diverged: boolean} | Refusal;
  /** That a run learns with: 1, and 2 in attn_train_threads. That module has room for one such run. */
  threads(): number;
  /** Of the module; it never shrinks. */
  memoryBytes(): number;
}

/** Starts the module from the bytes of attn_train.wasm. */
export default function createModule(options: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<TrainModule>;

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
