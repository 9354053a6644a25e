// The only file that uses the raw module attn_scaling: the experiments behind ÷√d.

import createModule, {type Scaling} from '../build/wasm/attn_scaling.mjs';
import {callsOf} from './module.js';

export type * from '../build/wasm/attn_scaling.mjs';

/** Starts the module from the bytes of attn_scaling.wasm, in a page, a worker and Node alike. */
export async function loadScaling({
  wasmBinary,
}: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Scaling> {
  return callsOf<Scaling>(await createModule({wasmBinary}));
}
