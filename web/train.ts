// The one file that sees the raw module attn_train: page, worker and Node train through it.

import createOneThread, {
  type AttentionMap,
  type Created,
  type Diagnostics,
  type GptConfig,
  type Portraits,
  type Refusal,
  type Sample,
  type SamplingSettings,
  type Steps,
  type TrainingSettings,
  type TrainModule,
} from '../build/wasm/attn_train.mjs';
import {CoreError} from './buffer.js';

export type {
  AttentionKind,
  AttentionMap,
  Created,
  Diagnostics,
  GptConfig,
  HeadPortrait,
  Portraits,
  Sample,
  SamplingSettings,
  Steps,
  TrainingSettings,
  TrainModule,
} from '../build/wasm/attn_train.mjs';

/** A model that reads and writes. Every method throws CoreError and leaves the model as it was. */
export interface Model {
  encode(text: string): {ids: number[]; characters: string[]};
  sample(settings: SamplingSettings): Sample;
  attentionMap(text: string, layer: number, head: number): AttentionMap;
  portraits(text: string): Portraits;
  /** How badly each character was foreseen, in nats: from the second on that fits the block. */
  tokenLosses(text: string): number[];
  /** The same while one head says nothing. */
  tokenLossesWithout(text: string, layer: number, head: number): number[];
  /** 16 hexadecimal digits over the bits of all parameters. */
  parameterHash(): string;
  /** Frees its memory; nothing may be called afterwards. */
  close(): void;
}

/** One that was trained elsewhere. */
export interface TrainedModel extends Model {
  readonly config: GptConfig;
}

/** One model and the text it learns. */
export interface Run extends Model, Omit<Created, 'run' | 'parameters'> {
  /** By part; layers count all layers together. */
  readonly parameterCount: Created['parameters'];
  readonly settings: TrainingSettings;
  step(steps: number): Steps;
  /** The peak of the schedule, from the next step on. */
  setLearningRate(rate: number): void;
  /** Of the last step's batch, before its update. */
  diagnostics(layer: number): Diagnostics;
  /** Mean over `passes` times eight windows of the text kept aside, the same ones at every call. */
  validationLoss(passes: number): number;
  validationLossWithout(layer: number, head: number, passes: number): number;
  parameters(): Float32Array;
  setParameters(parameters: Float32Array): void;
  /** Everything needed to go on in the same bits, but for the text. */
  save(): Uint8Array;
  load(state: Uint8Array): {steps: number; diverged: boolean};
}

export interface Train {
  /** The settings of the case study; attention is 'scaled'. */
  preset(name: 'small' | 'large'): TrainingSettings;
  /** `text` is what is learnt: its first nine tenths of lines, the rest to measure on. */
  open(settings: TrainingSettings, text: string): Run;
  /** From the bytes of a .weights file. */
  openTrained(weights: Uint8Array): TrainedModel;
  /** That a run learns with. */
  readonly threads: number;
  /** Of the module; it never shrinks. */
  memoryBytes(): number;
}

/** The result of a raw call; throws the error that it may stand for. */
function good<T>(result: T | Refusal): T {
  if (typeof result === 'object' && result !== null && 'error' in result) {
    const {code, message} = (result as Refusal).error;
    throw new CoreError(code, message);
  }
  return result as T;
}

/** Starts the module from the bytes of attn_train.wasm; the same call in a page, a worker and Node. */
export async function loadTrain({
  wasmBinary,
}: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Train> {
  return trainWith(await createOneThread({wasmBinary}));
}

/** With a module that was started otherwise. */
export function trainWith(raw: TrainModule): Train {
  const model = (run: number): Model => ({
    encode: (text) => good(raw.encode(run, text)),
    sample: (how) => good(raw.sample(run, how)),
    attentionMap: (text, layer, head) => good(raw.attentionMap(run, text, layer, head)),
    portraits: (text) => good(raw.portraits(run, text)),
    tokenLosses: (text) => good(raw.tokenLosses(run, text)),
    tokenLossesWithout: (text, layer, head) => good(raw.tokenLossesWithout(run, text, layer, head)),
    parameterHash: () => good(raw.parameterHash(run)),
    close: () => void good(raw.remove(run)),
  });
  return {
    preset: (name) => good(raw.preset(name)),
    open: (settings, text) => {
      const {run, parameters: parameterCount, ...created} = good(raw.create({...settings, text}));
      return {
        ...model(run),
        ...created,
        parameterCount,
        settings,
        step: (steps) => good(raw.step(run, steps)),
        setLearningRate: (rate) => void good(raw.setLearningRate(run, rate)),
        diagnostics: (layer) => good(raw.diagnostics(run, layer)),
        validationLoss: (passes) => good(raw.validationLoss(run, passes)),
        validationLossWithout: (layer, head, passes) =>
          good(raw.validationLossWithout(run, layer, head, passes)),
        parameters: () => good(raw.parameters(run)),
        setParameters: (parameters) => void good(raw.setParameters(run, parameters)),
        save: () => good(raw.save(run)),
        load: (state) => good(raw.load(run, state)),
      };
    },
    openTrained: (weights) => {
      const {run, config} = good(raw.openModel(weights));
      return {...model(run), config};
    },
    threads: raw.threads(),
    memoryBytes: () => raw.memoryBytes(),
  };
}
