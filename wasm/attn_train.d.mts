// The module that trains; only web/train.ts uses it. It is meant for a worker: a step of the case
// model takes a fifth of a second.
import type {AttentionKind, CreateModule, Matrix, Raw} from './raw.mjs';

export type {AttentionKind};

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
  /** 0 to 2³² − 1: determines the parameters and the batches. */
  seed: number;
  batchSize: number;
  /** The step at which the learning rate has fallen to a tenth; a run may go on. */
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
  /** 0 when the rest of the text is too short to measure on. */
  validationTokens: number;
  parameters: ParameterCount;
}

/** The progress of a run. */
export interface Progress {
  steps: number;
  diverged: boolean;
}

export interface Steps {
  /** Steps since the beginning of the run. */
  steps: number;
  /** A loss or gradient was not finite: that step does not count, and training stops. */
  diverged: boolean;
  /** The loss of each step of this call in nats, before its update. */
  losses: number[];
  /** The gradient's norm before clipping. */
  gradientNorms: number[];
  learningRates: number[];
}

/** Statistics of the last step's batch, before its update. */
export interface Diagnostics {
  /** 0 to 1: entropy divided by ln of the number of visible positions. */
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
  /** 0 always takes the most likely character. */
  temperature: number;
  /** 0 means no limit. */
  topK: number;
  /** Uses a KV cache; the characters are the same without it. */
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
  /**
   * The text grew longer than the block, so the window was run again for each further character.
   */
  beyondBlock: boolean;
}

/** Matrices row by row, one row for each of the T positions. */
export interface ForwardLayer {
  /** (T, d_model) of the residual stream. */
  input: Float32Array;
  /** (T, d_model) */
  norm1: Float32Array;
  /** (T, 3 d_model): queries, keys, values side by side. */
  qkv: Float32Array;
  /** (n_heads, T, T) */
  weights: Float32Array;
  /** (T, d_model): the heads' outputs side by side. */
  heads: Float32Array;
  /** (T, d_model): residual stream after attention. */
  middle: Float32Array;
  /** (T, d_model) */
  norm2: Float32Array;
  /** (T, d_ff) before GELU. */
  up: Float32Array;
  /** (T, d_ff) after GELU. */
  active: Float32Array;
}

/** All values of one forward pass, the trainer's own. */
export interface ForwardTrace {
  /** (T, d_model): rows of the embedding table. */
  tokens: Float32Array;
  /** (T, d_model) */
  positions: Float32Array;
  layers: ForwardLayer[];
  /** (T, d_model): residual stream after the last layer. */
  output: Float32Array;
  /** (T, d_model) */
  norm: Float32Array;
  /** (T, vocabSize) */
  logits: Float32Array;
  /** (T, vocabSize) */
  probabilities: number[];
  /**
   * (2 nLayers + 1, T): standard deviation of the rows of the residual stream: input and middle of
   * each layer, then the output.
   */
  deviations: number[];
}

export interface Forward {
  ids: number[];
  characters: string[];
  trace: ForwardTrace;
}

export interface AttentionMap {
  /** (T, T): row i holds the weights of position i. */
  weights: Matrix;
  characters: string[];
  /** Characters at the beginning of the text that did not fit into the block. */
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
  /** The value of a head without a preference on a text of this length. */
  uniform: HeadPortrait;
  skipped: number;
}

/** The calls of a run. A failed call leaves the run unchanged. */
export interface RunCalls {
  config(): GptConfig;
  sizes(): Sizes;
  step(steps: number): Steps;
  /** Sets the peak of the schedule from the next step on. */
  setLearningRate(learningRate: number): void;
  /** Threads that compute from the next step on, 1 to threads(): the digits are the same. */
  setThreads(threads: number): void;
  /** Statistics of the last step's batch, before its update. */
  diagnostics(layer: number): Diagnostics;
  /**
   * Mean loss over `passes` times eight windows of the validation text, the same windows each time.
   */
  validationLoss(passes: number): number;
  /** The same loss with one head removed. */
  validationLossWithout(layer: number, head: number, passes: number): number;
  /** The attention weights and predictions of the model for a text. */
  encode(text: string): Encoded;
  /** The characters of all ids; '<pad>' and '<unk>' for those two and for ids without one. */
  vocabulary(): string[];
  sample(settings: SamplingSettings): Sample;
  /** All values of the pass over the text, or over its end if it does not fit into the block. */
  forward(text: string): Forward;
  attentionMap(text: string, layer: number, head: number): AttentionMap;
  portraits(text: string): Portraits;
  /**
   * −ln of each character's probability, in nats: from the second character that fits the block.
   */
  tokenLosses(text: string): number[];
  /** The same values with one head removed. */
  tokenLossesWithout(text: string, layer: number, head: number): number[];
  /** 16 hexadecimal digits over the bits of all parameters. */
  parameterHash(): string;
  parameters(): Float32Array;
  setParameters(parameters: Float32Array): void;
  /** The state from which a run continues with the same bits; the text is not included. */
  save(): Uint8Array;
  /** Loads a state into a run created with the same settings and text. */
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
  /** The first nine tenths of the lines of `text` train the model; the rest measures it. */
  create(settings: TrainingSettings, text: string): RunHandle;
  /** A trained model from the bytes of a .weights file: it reads and writes, but does not train. */
  openModel(weights: Uint8Array): RunHandle;
  /**
   * The number of threads that train a run: 2 in attn_train_threads, which has room for one such
   * run.
   */
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
  /** The script's own address, which its helper thread loads. */
  mainScriptUrlOrBlob: string;
  /** Gives the address of a file that the script loads by name. */
  locateFile: (name: string) => string;
}) => Promise<TrainModule>;
