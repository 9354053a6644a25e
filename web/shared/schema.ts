// What a widget can be given: one declaration a field, from which attributes and links follow. What a
// field is, stands as a comment in the widget's State, where it costs a page nothing.

import {plain} from './format.js';
import {InputError, normalise, readNumber, readNumbers} from './input.js';

/** One field of a widget's state and the text form it has in an attribute or a link. */
export interface Field<T> {
  readonly fallback: T;
  /** Throws InputError. */
  readonly read: (text: string) => T;
  readonly write: (value: T) => string;
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
  return {fallback, read: (text) => readNumber(text, range), write: asciiNumber};
}

export function numbersField(fallback: readonly number[], limit: number, range: NumberRange = {}): Field<readonly number[]> {
  return {
    fallback,
    read: (text) => readNumbers(text, limit, range),
    write: (values) => values.map(asciiNumber).join(','),
  };
}

/** Short texts separated by commas; full-width commas count. */
export function textsField(fallback: readonly string[], limit: number): Field<readonly string[]> {
  return {
    fallback,
    read: (text) => {
      const parts = text.split(/[,，]/).map((part) => part.trim());
      if (parts.length > limit) throw new InputError('too-many', `最多${limit}个词，这里有${parts.length}个。`);
      return parts.length === 1 && parts[0] === '' ? [] : parts.map((part) => [...part].slice(0, 12).join(''));
    },
    write: (values) => values.join(','),
  };
}

export function choiceField<T extends string>(fallback: T, options: readonly T[]): Field<T> {
  return {
    fallback,
    read: (text) => {
      const found = options.find((option) => option === text.trim().toLowerCase());
      if (found === undefined) throw new InputError('not-an-option', `这里只能是${options.join('、')}之一。`);
      return found;
    },
    write: (value) => value,
  };
}

/** An attribute that is there or not; in a link, 1 or 0. */
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
  };
}

/** A name out of an open set: a lesson, a question, a term. */
export function nameField(fallback: string): Field<string> {
  return {
    fallback,
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
