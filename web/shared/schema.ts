// The fields of a widget's state: one declaration for each field, from which attributes, links and
// the gallery's tables follow. The meaning of a field is a comment in the widget's State, so it
// adds no bytes to a page.

import {plain} from './format.js';
import {InputError, normalise, readNumber, readNumbers} from './input.js';

/** One field of a widget's state and the text form it has in an attribute or a link. */
export interface Field<T> {
  readonly fallback: T;
  /** Throws InputError. */
  readonly read: (text: string) => T;
  readonly write: (value: T) => string;
  /**
   * For the gallery and the tests, `import.meta.env.SSR ? … : undefined`: absent from a page's
   * script.
   */
  readonly about?: About<T> | undefined;
}

export interface About<T> {
  /** The accepted values, in words. */
  readonly takes: string;
  /** A random value that `read` can return; `random` is uniform in [0, 1). */
  readonly sample: (random: () => number) => T;
}

export type Schema<S> = {readonly [K in keyof S]: Field<S[K]>};

export function defaults<S>(schema: Schema<S>): S {
  const state = {} as S;
  for (const key of keysOf(schema)) state[key] = schema[key].fallback;
  return state;
}

export function keysOf<S>(schema: Schema<S>): (keyof S & string)[] {
  return Object.keys(schema) as (keyof S & string)[];
}

export interface NumberRange {
  min?: number;
  max?: number;
  integer?: boolean;
}

export function numberField(fallback: number, range: NumberRange = {}): Field<number> {
  return {
    fallback,
    read: (text) => readNumber(text, range),
    write: asciiNumber,
    about: import.meta.env.SSR
      ? {takes: `一个${rangeWords(range)}`, sample: (random) => sampleNumber(random, range)}
      : undefined,
  };
}

export function numbersField(
  fallback: readonly number[],
  limit: number,
  range: NumberRange = {},
): Field<readonly number[]> {
  return {
    fallback,
    read: (text) => readNumbers(text, limit, range),
    write: (values) => values.map(asciiNumber).join(','),
    about: import.meta.env.SSR
      ? {
          takes: `至多${limit}个${rangeWords(range)}，用逗号隔开`,
          sample: (random) => sampleList(random, limit, () => sampleNumber(random, range)),
        }
      : undefined,
  };
}

/** A list that may be empty. */
export function orEmpty(field: Field<readonly number[]>): Field<readonly number[]> {
  return {...field, read: (text) => (normalise(text) === '' ? [] : field.read(text))};
}

const MOST_LETTERS = 12;

/** Short texts separated by commas; full-width commas count. */
export function textsField(fallback: readonly string[], limit: number): Field<readonly string[]> {
  return {
    fallback,
    read: (text) => {
      const parts = text.split(/[,，]/).map((part) => part.trim());
      if (parts.length > limit)
        throw new InputError('too-many', `最多${limit}个词，这里有${parts.length}个。`);
      return parts.length === 1 && parts[0] === ''
        ? []
        : parts.map((part) => [...part].slice(0, MOST_LETTERS).join('').trim());
    },
    write: (values) => values.join(','),
    about: import.meta.env.SSR
      ? {
          takes: `至多${limit}个词，用逗号隔开，每个至多${MOST_LETTERS}个字`,
          // One empty text has the same text form as no text.
          sample: (random) =>
            sampleList(random, limit, () => sampleText(random)).filter(
              (text, _i, all) => text !== '' || all.length > 1,
            ),
        }
      : undefined,
  };
}

export function choiceField<T extends string>(fallback: T, options: readonly T[]): Field<T> {
  return {
    fallback,
    read: (text) => {
      const found = options.find((option) => option === text.trim().toLowerCase());
      if (found === undefined)
        throw new InputError('not-an-option', `这里只能是${options.join('、')}之一。`);
      return found;
    },
    write: (value) => value,
    about: import.meta.env.SSR
      ? {takes: `${options.join('、')}之一`, sample: (random) => pick(random, options)}
      : undefined,
  };
}

/** An attribute that is present or absent; in a link, 1 or 0. */
export function flagField(fallback: boolean): Field<boolean> {
  return {
    fallback,
    read: (text) => {
      const clean = normalise(text).toLowerCase();
      if (['', '1', 'true', 'yes', 'on'].includes(clean)) return true;
      if (['0', 'false', 'no', 'off'].includes(clean)) return false;
      throw new InputError('not-a-flag', '这里只能是1或0。');
    },
    write: (value) => (value ? '1' : '0'),
    about: import.meta.env.SSR ? {takes: '1或0', sample: (random) => random() < 0.5} : undefined,
  };
}

/** A name from an open set: a lesson, a question, a term. */
export function nameField(fallback: string): Field<string> {
  return {
    fallback,
    read: (text) => {
      if (!/^[\w./-]{0,80}$/.test(text))
        throw new InputError('not-a-name', '这个名字里有不认识的字符。');
      return text;
    },
    write: (value) => value,
    about: import.meta.env.SSR
      ? {
          takes: '一个名字',
          sample: (random) =>
            Array.from({length: Math.floor(12 * random())}, () =>
              pick(random, [...'abcXYZ019_./-']),
            ).join(''),
        }
      : undefined,
  };
}

/** In attributes and links the minus is ASCII, so that they survive every program. */
function asciiNumber(value: number): string {
  return plain(value).replace('−', '-');
}

export function rangeWords({min, max, integer}: NumberRange): string {
  const what = integer ? '整数' : '数';
  if (min === undefined && max === undefined) return what;
  if (max === undefined) return `${what}，不小于${asciiNumber(min ?? 0)}`;
  return `${asciiNumber(min ?? -Infinity)}到${asciiNumber(max)}的${what}`;
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** Numbers of all sizes in the range, and its ends. */
export function sampleNumber(
  random: () => number,
  {min = -1e300, max = 1e300, integer = false}: NumberRange,
): number {
  const kind = random();
  const size = 10 ** (integer ? 12 * random() : 24 * random() - 12);
  const wild =
    kind < 0.1
      ? min
      : kind < 0.2
        ? max
        : kind < 0.6
          ? min + random() * (Math.min(max, 1e6) - min)
          : random() < 0.5
            ? size
            : -size;
  const inside = Math.min(max, Math.max(min, wild));
  const value = integer
    ? Math.min(Math.floor(max), Math.max(Math.ceil(min), Math.round(inside)))
    : inside;
  return value === 0 ? 0 : value;
}

export function sampleList<T>(random: () => number, most: number, item: () => T): T[] {
  return Array.from({length: 1 + Math.floor(random() * most)}, item);
}

/** Characters that are hard for texts: markup, signs of addresses, other scripts. */
export function sampleText(random: () => number): string {
  const letters = [...'苹果明月aZ09 &=?#%+<>"\'/\\`${}é😀\u200b\u202e\0'];
  return Array.from({length: Math.floor(MOST_LETTERS * random())}, () => pick(random, letters))
    .join('')
    .trim();
}
