// The only file that uses the raw module attn_train: page, worker and Node train models through it.

import createOneThread, {
  type GptConfig,
  type ParameterCount,
  type RunCalls,
  type RunHandle,
  type TrainCalls,
  type TrainingSettings,
  type TrainModule,
} from '../build/wasm/attn_train.mjs';
import {callsOf} from './module.js';

export type {
  AttentionKind,
  Diagnostics,
  Forward,
  GptConfig,
  HeadPortrait,
  TrainingSettings,
  TrainModule,
} from '../build/wasm/attn_train.mjs';

/** A model that reads and writes. Every method throws CoreError and leaves the model as it was. */
export interface Model extends Pick<
  RunCalls,
  | 'encode'
  | 'vocabulary'
  | 'sample'
  | 'forward'
  | 'attentionMap'
  | 'portraits'
  | 'tokenLosses'
  | 'tokenLossesWithout'
  | 'parameterHash'
> {
  /** Frees the model's memory; no method may be called afterwards. */
  close(): void;
}

/** A model that was trained elsewhere. */
export interface TrainedModel extends Model {
  readonly config: GptConfig;
}

/** One model and the text it learns. */
export interface Run extends Model, Omit<RunCalls, keyof Model | 'config' | 'sizes'> {
  readonly settings: TrainingSettings;
  readonly trainingTokens: number;
  /** 0 when the rest of the text is too short to measure on. */
  readonly validationTokens: number;
  readonly parameterCount: ParameterCount;
}

export interface Train {
  /** The settings of the case study; attention is 'scaled'. */
  preset(name: 'small' | 'large'): TrainingSettings;
  /** The first nine tenths of the lines of `text` train the model; the rest measures it. */
  open(settings: TrainingSettings, text: string): Run;
  /** Reads a model from the bytes of a .weights file. */
  openTrained(weights: Uint8Array): TrainedModel;
  /** The number of threads that train a run. */
  readonly threads: number;
  /** Bytes of the module's memory, which never shrinks. */
  memoryBytes(): number;
}

/** Starts the module from the bytes of attn_train.wasm, in a page, a worker and Node alike. */
export async function loadTrain({
  wasmBinary,
}: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Train> {
  return trainWith(await createOneThread({wasmBinary}));
}

/** Wraps a module that the caller has started. */
export function trainWith(raw: TrainModule): Train {
  const module = callsOf<TrainCalls>(raw);
  const opened = (handle: RunHandle) => ({
    ...callsOf<RunCalls>(handle),
    close: () => handle.delete(),
  });
  return {
    preset: module.preset,
    open: (settings, text) => {
      const {sizes, ...run} = opened(module.create(settings, text));
      const {parameters: parameterCount, ...tokens} = sizes();
      return {...run, ...tokens, parameterCount, settings};
    },
    openTrained: (weights) => {
      const run = opened(module.openModel(weights));
      return {...run, config: run.config()};
    },
    threads: module.threads(),
    memoryBytes: module.memoryBytes,
  };
}
