// The module about KV caches with the calculation of <attn-kv-cache>, for the widgets that need it;
// no other page loads them.

import wasmUrl from '../../build/wasm/attn_cache.wasm?url';
import {loadCache} from '../cache.js';
import {bytesOf} from '../shared/file-bytes.js';
import {runtime} from '../shared/runtime.js';
import {provideCompute} from './attn-kv-cache.js';
import {compute} from './attn-kv-cache/compute.js';

export async function start(): Promise<void> {
  provideCompute(compute);
  runtime.cache = await loadCache({wasmBinary: await bytesOf(wasmUrl)});
}
