// What a lesson's numbers.ts and questions.ts are given, for tests in Node.

import {readFile} from 'node:fs/promises';
import {loadCache} from '../../web/cache.js';
import {loadCore} from '../../web/core.js';
import type {TeachingWorld} from '../../web/shared/world.js';
import {readData} from '../../web/site/data-files.js';
import {numberContext, type NumberContext} from '../../web/site/numbers.js';

const bytes = (name: string) => readFile(new URL(`../../build/wasm/${name}.wasm`, import.meta.url));

export async function authorsContext(): Promise<NumberContext> {
  const core = await loadCore({wasmBinary: await bytes('attn_core')});
  const cache = await loadCache({wasmBinary: await bytes('attn_cache')});
  const world = readData('lessons/data/teaching-world.json', 'test').value as TeachingWorld;
  const model = (id: string) => {
    const file = readData(`lessons/models/${id}.json`, 'test');
    const {model: name, config} = file.value as {model: string; config: Record<string, unknown>};
    return {id, model: name, config, file};
  };
  return numberContext({core, cache, world, model}, 'test');
}
