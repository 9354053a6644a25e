// The only file that uses the raw module attn_sequence: positions, recurrence, grouped queries, and
// other functions of a sequence.

import createModule, {type Sequence} from '../build/wasm/attn_sequence.mjs';
import {callsOf} from './module.js';

export type * from '../build/wasm/attn_sequence.mjs';

/** Starts the module from the bytes of attn_sequence.wasm, in a page, a worker and Node alike. */
export async function loadSequence({
  wasmBinary,
}: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Sequence> {
  return callsOf<Sequence>(await createModule({wasmBinary}));
}
