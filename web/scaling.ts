// The only file that uses the raw module attn_scaling: the experiments behind ÷√d.

import createModule, {type Scaling as Calls} from '../build/wasm/attn_scaling.mjs';
import {callsOf} from './module.js';
import {runsOf, type RunOptions, type VarianceRuns} from './variance-runs.js';

export type * from '../build/wasm/attn_scaling.mjs';
export type {VarianceRuns} from './variance-runs.js';

export interface Scaling extends Calls {
  /** Everything that a picture of attn-variance shows. */
  varianceRuns(options: RunOptions): VarianceRuns;
}

/** Starts the module from the bytes of attn_scaling.wasm, in a page, a worker and Node alike. */
export async function loadScaling({
  wasmBinary,
}: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Scaling> {
  const calls = callsOf<Calls>(await createModule({wasmBinary}));
  return {...calls, varianceRuns: runsOf(calls)};
}
