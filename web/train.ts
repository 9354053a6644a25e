// The one file that sees the raw module attn_train: page, worker and Node train through it.

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
  GptConfig,
  HeadPortrait,
  TrainingSettings,
  TrainModule,
} from '../build/wasm/attn_train.mjs';

/** A model that reads and writes. Every method throws CoreError and leaves the model as it was. */
export interface Model extends Pick<
  RunCalls,
  | 'encode'
  | 'sample'
  | 'attentionMap'
  | 'portraits'
  | 'tokenLosses'
  | 'tokenLossesWithout'
  | 'parameterHash'
> {
  /** Frees its memory; nothing may be called afterwards. */
  close(): void;
}

/** One that was trained elsewhere. */
export interface TrainedModel extends Model {
  readonly config: GptConfig;
}

/** One model and the text it learns. */
export interface Run extends Model, Omit<RunCalls, keyof Model | 'config' | 'sizes'> {
  readonly settings: TrainingSettings;
  readonly trainingTokens: number;
  /** 0 when too little of the text is left over to measure on. */
  readonly validationTokens: number;
  readonly parameterCount: ParameterCount;
}

export interface Train {
  /** The settings of the case study; attention is 'scaled'. */
  preset(name: 'small' | 'large'): TrainingSettings;
  /** `text` is what the model learns: its first nine tenths of lines, the rest to measure on. */
  open(settings: TrainingSettings, text: string): Run;
  /** From the bytes of a .weights file. */
  openTrained(weights: Uint8Array): TrainedModel;
  /** The threads that a run learns with. */
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

/** With a module that was started otherwise. */
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
