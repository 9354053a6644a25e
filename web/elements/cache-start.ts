// The module about KV caches, for the widgets that need it; no other page loads it.

import wasmUrl from '../../build/wasm/attn_cache.wasm?url';
import {loadCache} from '../cache.js';
import {runtime} from '../shared/runtime.js';

export async function startCache(): Promise<void> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`${wasmUrl}: ${response.status}`);
  runtime.cache = await loadCache({wasmBinary: await response.arrayBuffer()});
}
