// The one file that sees the raw module attn_train: page, worker and Node train through it.

import createModule, {
  type AttentionMap,
  type Created,
  type Diagnostics,
  type Portraits,
  type Refusal,
  type Sample,
  type SamplingSettings,
  type Steps,
  type TrainingSettings,
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
} from '../build/wasm/attn_train.mjs';

/** One model and the text it learns. Every method throws CoreError and leaves the run as it was. */
export interface Run extends Omit<Created, 'run' | 'parameters'> {
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
  encode(text: string): {ids: number[]; characters: string[]};
  sample(settings: SamplingSettings): Sample;
  attentionMap(text: string, layer: number, head: number): AttentionMap;
  portraits(text: string): Portraits;
  /** 16 hexadecimal digits over the bits of all parameters. */
  parameterHash(): string;
  parameters(): Float32Array;
  setParameters(parameters: Float32Array): void;
  /** Everything needed to go on in the same bits, but for the text. */
  save(): Uint8Array;
  load(state: Uint8Array): {steps: number; diverged: boolean};
  /** Frees its memory; nothing may be called afterwards. */
  close(): void;
}

export interface Train {
  /** The settings of the case study; attention is 'scaled'. */
  preset(name: 'small' | 'large'): TrainingSettings;
  /** `text` is what is learnt: its first nine tenths of lines, the rest to measure on. */
  open(settings: TrainingSettings, text: string): Run;
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
export async function loadTrain(source: {wasmBinary: ArrayBuffer | Uint8Array}): Promise<Train> {
  const raw = await createModule({wasmBinary: source.wasmBinary});
  return {
    preset: (name) => good(raw.preset(name)),
    open: (settings, text) => {
      const {run, parameters: parameterCount, ...created} = good(raw.create({...settings, text}));
      return {
        ...created,
        parameterCount,
        settings,
        step: (steps) => good(raw.step(run, steps)),
        setLearningRate: (rate) => void good(raw.setLearningRate(run, rate)),
        diagnostics: (layer) => good(raw.diagnostics(run, layer)),
        validationLoss: (passes) => good(raw.validationLoss(run, passes)),
        validationLossWithout: (layer, head, passes) =>
          good(raw.validationLossWithout(run, layer, head, passes)),
        encode: (given) => good(raw.encode(run, given)),
        sample: (how) => good(raw.sample(run, how)),
        attentionMap: (given, layer, head) => good(raw.attentionMap(run, given, layer, head)),
        portraits: (given) => good(raw.portraits(run, given)),
        parameterHash: () => good(raw.parameterHash(run)),
        parameters: () => good(raw.parameters(run)),
        setParameters: (parameters) => void good(raw.setParameters(run, parameters)),
        save: () => good(raw.save(run)),
        load: (state) => good(raw.load(run, state)),
        close: () => void good(raw.remove(run)),
      };
    },
    memoryBytes: () => raw.memoryBytes(),
  };
}
