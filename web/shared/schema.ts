// What a widget can be given: one declaration a field, from which attributes, links and the
// gallery's tables follow.

import {plain} from './format.js';
import {InputError, normalise, readNumber, readNumbers} from './input.js';

/** One field of a widget's state and the text form it has in an attribute or a link. */
export interface Field<T> {
  readonly fallback: T;
  /** Throws InputError. */
  readonly read: (text: string) => T;
  readonly write: (value: T) => string;
  /** What it is, for the gallery (Chinese). */
  readonly about: string;
  /** The values it takes, for the gallery. */
  readonly accepts: string;
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

function rangeText(range: NumberRange): string {
  const kind = range.integer ? '整数' : '数';
  if (range.min !== undefined && range.max !== undefined) return `${kind}，${range.min} 到 ${range.max}`;
  if (range.min !== undefined) return `${kind}，不小于 ${range.min}`;
  if (range.max !== undefined) return `${kind}，不大于 ${range.max}`;
  return kind;
}

export function numberField(fallback: number, about: string, range: NumberRange = {}): Field<number> {
  return {fallback, about, accepts: rangeText(range), read: (text) => readNumber(text, range), write: asciiNumber};
}

export function numbersField(fallback: readonly number[], about: string, limit: number, range: NumberRange = {}): Field<readonly number[]> {
  return {
    fallback,
    about,
    accepts: `用逗号分开的${rangeText(range)}，最多 ${limit} 个`,
    read: (text) => readNumbers(text, limit, range),
    write: (values) => values.map(asciiNumber).join(','),
  };
}

/** Short texts separated by commas; full-width commas count. */
export function textsField(fallback: readonly string[], about: string, limit: number): Field<readonly string[]> {
  return {
    fallback,
    about,
    accepts: `用逗号分开的词，最多 ${limit} 个`,
    read: (text) => {
      const parts = text.split(/[,，]/).map((part) => part.trim());
      if (parts.length > limit) throw new InputError('too-many', `最多 ${limit} 个词，这里有 ${parts.length} 个。`);
      return parts.length === 1 && parts[0] === '' ? [] : parts.map((part) => [...part].slice(0, 12).join(''));
    },
    write: (values) => values.join(','),
  };
}

export function choiceField<T extends string>(fallback: T, about: string, options: readonly T[]): Field<T> {
  return {
    fallback,
    about,
    accepts: options.join(' · '),
    read: (text) => {
      const found = options.find((option) => option === text.trim().toLowerCase());
      if (found === undefined) throw new InputError('not-an-option', `这里只能是 ${options.join('、')} 之一。`);
      return found;
    },
    write: (value) => value,
  };
}

/** An attribute that is there or not; in a link, 1 or 0. */
export function flagField(fallback: boolean, about: string): Field<boolean> {
  return {
    fallback,
    about,
    accepts: '1 或 0',
    read: (text) => {
      const clean = normalise(text).toLowerCase();
      if (['', '1', 'true', 'yes', 'on'].includes(clean)) return true;
      if (['0', 'false', 'no', 'off'].includes(clean)) return false;
      throw new InputError('not-a-flag', '这里只能是 1 或 0。');
    },
    write: (value) => (value ? '1' : '0'),
  };
}

/** A name out of an open set: a lesson, a question, a term. */
export function nameField(fallback: string, about: string): Field<string> {
  return {
    fallback,
    about,
    accepts: '名字',
    read: (text) => {
      if (!/^[\w./-]{0,80}$/.test(text)) throw new InputError('not-a-name', '这个名字里有不认识的字符。');
      return text;
    },
    write: (value) => value,
  };
}

/** In attributes and links the minus is ASCII, so that they survive every program. */
function asciiNumber(value: number): string {
  return plain(value).replace('−', '-');
}
