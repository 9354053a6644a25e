// Loads the built modules, for tests in Node.

import {readFileSync} from 'node:fs';
import {loadCache} from '../../web/cache.js';
import {loadCore, type Core} from '../../web/core.js';
import {loadScaling} from '../../web/scaling.js';
import {loadSequence} from '../../web/sequence.js';
import {teachingWorld} from '../../web/shared/course-data.js';
import type {Resources} from '../../web/shared/runtime.js';

const bytes = (name: string) => ({wasmBinary: readFileSync(`build/wasm/attn_${name}.wasm`)});

export function coreFromBuild(): Promise<Core> {
  return loadCore(bytes('core'));
}

/** Everything that a widget computes with. */
export async function resourcesFromBuild(): Promise<Resources> {
  const [core, cache, scaling, sequence] = await Promise.all([
    coreFromBuild(),
    loadCache(bytes('cache')),
    loadScaling(bytes('scaling')),
    loadSequence(bytes('sequence')),
  ]);
  return {core, cache, scaling, sequence, world: teachingWorld};
}
