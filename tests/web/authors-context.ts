// The arguments that a lesson's numbers.ts and questions.ts get, for tests in Node.

import {readFileSync} from 'node:fs';
import {loadCache} from '../../web/cache.js';
import {loadCore} from '../../web/core.js';
import {loadScaling} from '../../web/scaling.js';
import {loadSequence} from '../../web/sequence.js';
import type {TeachingWorld} from '../../web/shared/world.js';
import {readData} from '../../web/site/data-files.js';
import {numberContext, type NumberContext, type NumberSpec} from '../../web/site/numbers.js';

const bytes = (name: string) => ({
  wasmBinary: readFileSync(new URL(`../../build/wasm/${name}.wasm`, import.meta.url)),
});

/** Makes such arguments, optionally with changes to the anchor's config. */
export async function authorsContexts(): Promise<
  (change?: Record<string, number>) => NumberContext
> {
  const core = await loadCore(bytes('attn_core'));
  const cache = await loadCache(bytes('attn_cache'));
  const scaling = await loadScaling(bytes('attn_scaling'));
  const sequence = await loadSequence(bytes('attn_sequence'));
  return (change = {}) => {
    const world = readData('lessons/data/teaching-world.json', 'test').value as TeachingWorld;
    const model = (id: string) => {
      const file = readData(`lessons/models/${id}.json`, 'test');
      const {model: name, config} = file.value as {model: string; config: Record<string, unknown>};
      if (id === 'anchor-model') Object.assign(config, change);
      return {id, model: name, config, file};
    };
    return numberContext({core, cache, scaling, sequence, world, model}, 'test');
  };
}

export async function authorsContext(): Promise<NumberContext> {
  return (await authorsContexts())();
}

/** Looks up numbers by their ids: the printed texts, or a value. */
export const printed = (numbers: Record<string, NumberSpec>) => ({
  texts: (...ids: string[]) => ids.map((id) => numbers[id]?.text),
  value: (id: string) => Number(numbers[id]?.value),
});
