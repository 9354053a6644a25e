// The only file that uses the raw module attn_core: page, worker and Node get their `Core` here.

import createModule, {
  type CoreCalls,
  type Entry,
  type WeighOptions,
  type WeighTrace,
} from '../build/wasm/attn_core.mjs';
import {callsOf} from './module.js';

export type * from '../build/wasm/attn_core.mjs';
export {matrix, rowsOf, type Matrix} from './matrix.js';
export {CoreError} from './module.js';

/** The numbers of entries; 0 where one is not 'ok'. */
export const valuesOf = (entries: readonly Entry[]): number[] => entries.map(({value}) => value);

/** The calls of the module. An option that is left out has the core's default. */
export interface Core extends Omit<CoreCalls, 'weigh' | 'weighDefaults'> {
  weigh(scores: readonly number[], options?: Partial<WeighOptions>): WeighTrace;
}

/** Starts the core from the bytes of attn_core.wasm; the same call in a page, a worker and Node. */
export async function loadCore({
  wasmBinary,
}: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Core> {
  const {weigh, weighDefaults, ...calls} = callsOf<CoreCalls>(await createModule({wasmBinary}));
  const defaults = weighDefaults();
  return {...calls, weigh: (scores, options) => weigh(scores, {...defaults, ...options})};
}
