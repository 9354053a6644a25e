// The models of attn-kv-cache as the page gives them, and its refusals, for tests in Node.

import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {assumed, doubts, refused, variants} from '../../lessons/data/cache-words.json';
import type {Cache} from '../../web/cache.js';
import {parseConfig} from '../../web/config-json.js';
import type {ModelsContent} from '../../web/shared/content.js';
import {InputError} from '../../web/shared/input.js';

const folder = fileURLToPath(new URL('../../lessons/models/', import.meta.url));

export const textOf = (id: string): string => readFileSync(`${folder}${id}.json`, 'utf8');

export function contentOf(cache: Cache, ids: readonly string[]): ModelsContent {
  const models = ids.map((id) => {
    const {model, config} = parseConfig(textOf(id)) as {model: string; config: unknown};
    const read = cache.readConfig(config);
    const parameters = 'refused' in read ? null : cache.countParameters(config, read.layout);
    return {id, model, cache: read, ...(parameters && {parameters: Number(parameters)})};
  });
  return {models, assumed, variants, refused, doubts};
}

/** The message of the refusal with which a call ends, or null. */
export function problemIn(call: () => unknown): string | null {
  try {
    call();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return null;
}
