// The module of the experiments behind ÷√d, for the widgets that need it; no other page loads it.

import wasmUrl from '../../build/wasm/attn_scaling.wasm?url';
import {loadScaling} from '../scaling.js';
import {bytesOf} from '../shared/file-bytes.js';
import {runtime} from '../shared/runtime.js';

export async function start(): Promise<void> {
  runtime.scaling = await loadScaling({wasmBinary: await bytesOf(wasmUrl)});
}
