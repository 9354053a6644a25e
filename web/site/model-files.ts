// Files of lessons/models. Every mistake in one stops the build with the line of its key.

import {findNodeAtLocation} from 'jsonc-parser';
import type {Cache, ModelCache, Refusal} from '../cache.js';
import {refusalSentence} from '../shared/cache-json.js';
import {refusalWords} from '../shared/course-data.js';
import {mistakeAt, placeOf, readData, valueAt, type DataFile} from './data-files.js';
import type {Model} from './model-numbers.js';
import type {ModelFile} from './numbers.js';

export const MODELS_FOLDER = 'lessons/models';

type Keys = readonly string[];
type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string' && value !== '';
const isObject: Test = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLength: Test = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const isQuoted: Test = (value) => typeof value === 'string' && /^\d+(\.\d+%|%)?$/.test(value);

/**
 * The keys that a file may have, each with the test of its value and its description. `*` is any
 * key.
 */
const FORM: Record<string, readonly [Test, string]> = {
  model: [isText, '模型的名字'],
  origin: [isText, '一段文字，说明这份配置从哪里来'],
  config: [isObject, '一个对象：config.json里的键'],
  refused: [isText, '一个代码，说明为什么这份配置不算'],
  provenance: [isObject, '一个对象：config里的键和它的出处'],
  'provenance.*': [isText, '一段文字，说明出处'],
  quoted: [isObject, '一个对象：别人报的数'],
  'quoted.*': [isObject, '一个对象，有value和source'],
  'quoted.*.value': [isQuoted, '照抄的数，写成文字，如"890"或"93.3%"'],
  'quoted.*.source': [isText, '一段文字，说明出处'],
  context: [isObject, '一个对象，有value和source'],
  'context.value': [isLength, '公布的上下文长度，一个正整数'],
  'context.source': [isText, '一段文字，说明出处'],
};

/** The keys that an object must have, for the objects that the file contains. */
const NEEDED: Record<string, Keys> = {
  '': ['model', 'origin', 'config', 'provenance'],
  'quoted.*': ['value', 'source'],
  context: ['value', 'source'],
};

const formOf = (keys: Keys) => keys.map((key, i) => (i === 1 && keys[0] !== 'context' ? '*' : key));

/** Throws BuildError, with its line, for a key or value that FORM does not allow. */
function checkForm(file: DataFile, value: unknown, neededBy: string, keys: Keys = []): void {
  const mistake = (message: string) =>
    mistakeAt(file, keys, `${message}（${neededBy}需要这个文件）`);
  const form = formOf(keys).join('.');
  if (keys.length > 0) {
    const [fits, expected] = FORM[form] ?? [];
    if (!fits || !expected) throw mistake(`模型文件里没有叫「${keys.join('.')}」的键`);
    if (!fits(value))
      throw mistake(`「${keys.join('.')}」应是${expected}，现在是${JSON.stringify(value)}`);
  }
  for (const key of NEEDED[form] ?? []) valueAt(file, [...keys, key], neededBy);
  if (form === 'config' || !isObject(value)) return;
  for (const [key, item] of Object.entries(value as object))
    checkForm(file, item, neededBy, [...keys, key]);
}

/** Reads one file by its name without ending; throws BuildError where it is not a model's file. */
export function modelFile(id: string, neededBy: string, folder = MODELS_FOLDER): ModelFile {
  const file = readData(`${folder}/${id}.json`, neededBy);
  checkForm(file, file.value, neededBy);
  const {model, config, provenance} = file.value as {
    model: string;
    config: Record<string, unknown>;
    provenance: Record<string, string>;
  };
  for (const key of Object.keys(provenance))
    if (!(key in config))
      throw mistakeAt(
        file,
        ['provenance', key],
        `config里没有「${key}」，不用写出处（${neededBy}需要这个文件）`,
      );
  return {id, model, config, file};
}

/** "text_config.layer_types[3]" → its keys; for "a + b" the keys of a. */
const keysIn = (path: string): string[] =>
  (path.split(/ [*+/] /)[0] ?? '').split(/[.[\]]+/).filter((key) => key !== '');

const has = ({root}: DataFile, keys: Keys) =>
  findNodeAtLocation(root, ['config', ...keys.map(placeOf)]) !== undefined;

/**
 * The path of a refusal's key. If the file lacks that key: the path of the second key, or of the
 * object that should contain the key.
 */
function keysOfRefusal({file}: ModelFile, {field, other}: Refusal): Keys {
  const found = [field, other].map(keysIn).find((keys) => keys.length > 0 && has(file, keys));
  const [, ...outer] = keysIn(field).reverse();
  const around = outer.reverse();
  return ['config', ...(found ?? (has(file, around) ? around : []))];
}

/** The cache of a model whose config must be readable; throws BuildError where it is not. */
export function mustRead(cache: Cache, model: ModelFile, neededBy = '课程'): ModelCache {
  const read = cache.readConfig(model.config);
  if (!('refused' in read)) return read;
  throw mistakeAt(
    model.file,
    keysOfRefusal(model, read.refused),
    `${refusalSentence(refusalWords, read.refused)}（${neededBy}需要它）`,
  );
}

/**
 * A model with its cache, or with the reason why there is none. Throws BuildError for a config that
 * is refused, unless the file names that reason under `refused`.
 */
export function readModel(cache: Cache, file: ModelFile, neededBy: string): Model {
  const {id, model} = file;
  const {refused} = file.file.value as {refused?: string};
  if (refused === undefined) {
    const kept = mustRead(cache, file, neededBy);
    const parameters = cache.countParameters(file.config, kept.layout);
    return {
      id,
      model,
      cache: kept,
      file,
      ...(parameters !== null && {parameters: Number(parameters)}),
    };
  }
  const read = cache.readConfig(file.config);
  const found = 'refused' in read ? read.refused.reason : '';
  if (found === refused) return {id, model, cache: read, file};
  throw mistakeAt(
    file.file,
    ['refused'],
    `「refused」是"${refused}"，这份配置` +
      (found === '' ? '却算得出来，应删去这一行' : `不算的原因却是"${found}"`),
  );
}
