// The module about tokens in a row, for the widgets that need it; no other page loads it.

import wasmUrl from '../../build/wasm/attn_sequence.wasm?url';
import {loadSequence} from '../sequence.js';
import {bytesOf} from '../shared/file-bytes.js';
import {runtime} from '../shared/runtime.js';

export async function start(): Promise<void> {
  runtime.sequence = await loadSequence({wasmBinary: await bytesOf(wasmUrl)});
}
