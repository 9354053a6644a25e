// The shipped module, as tests in Node use it.

import {readFileSync} from 'node:fs';
import {loadCore, type Core} from '../../web/core.js';

export function coreFromBuild(): Promise<Core> {
  return loadCore({wasmBinary: readFileSync('build/wasm/attn_core.wasm')});
}
