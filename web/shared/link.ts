// State ↔ text: the same codec for attributes, links and the query of an embed page.

import {InputError} from './input.js';
import {defaults, keysOf, type Schema} from './schema.js';

/** Version of the text form. A text with another version is not read. */
const VERSION = '1';

export interface Problem {
  code: string;
  message: string;
}

export interface Reading<S> {
  state: S;
  /** The first field that could not be read; the field has its default. */
  problem: Problem | null;
}

/** Reads every field for which `find` returns a text, on top of `base`. */
export function readFields<S>(
  schema: Schema<S>,
  find: (key: string) => string | null,
  base: S = defaults(schema),
): Reading<S> {
  const state = {...base};
  let problem: Problem | null = null;
  if ((find('version') ?? VERSION) !== VERSION)
    return {
      state,
      problem: {code: 'other-version', message: `这是另一版的写法，这里只认得第${VERSION}版。`},
    };
  for (const key of keysOf(schema)) {
    const text = find(key);
    if (text === null) continue;
    try {
      // An object that was written as a text.
      if (text.startsWith('[object ')) throw new InputError('object', '要写成文字，不能是对象。');
      state[key] = schema[key].read(text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problem ??= {code: error.code, message: `${key}：${error.message}`};
    }
  }
  return {state, problem};
}

/** The fields that differ from `base`, as a query without the question mark. */
export function writeQuery<S>(schema: Schema<S>, state: S, base: S = defaults(schema)): string {
  const parts: string[] = [];
  for (const key of keysOf(schema)) {
    const text = schema[key].write(state[key]);
    if (text !== schema[key].write(base[key]))
      parts.push(
        `${key}=` +
          `${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('%2C', ',')}`,
      );
  }
  return parts.join('&');
}

export function readQuery<S>(schema: Schema<S>, query: string, base?: S): Reading<S> {
  const fields = new URLSearchParams(query);
  return readFields(schema, (key) => fields.get(key), base);
}
