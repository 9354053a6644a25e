// Any state that a widget can be given, for tests of what must hold for all.

import {InputError} from '../../web/shared/input.js';
import {keysOf, type Field, type Schema} from '../../web/shared/schema.js';

export type State = Record<string, unknown>;

/** Fields that take a name out of an open set, of which nearly all are none of the course's. */
const NAMES: State = {
  question: 'c3-l03/ratio-two',
  model: 'deepseek-v3.2',
  compare: [],
  config: '',
};

/** mulberry32: small, and the same numbers in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function accepted(field: Field<unknown>, value: unknown): boolean {
  try {
    field.read(field.write(value));
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** A value that the field takes. Some fields take less than the kind of field they are made of. */
function valid(tag: string, key: string, field: Field<unknown>, random: () => number): unknown {
  if (!field.about) throw new Error(`${tag}: the field "${key}" says nothing about itself`);
  if (random() < 0.2) return field.fallback;
  for (let tries = 0; tries < 200; tries++) {
    const value = field.about.sample(random);
    if (accepted(field, value)) return value;
  }
  throw new Error(`${tag}: the field "${key}" refuses 200 samples of its own`);
}

export function randomState(tag: string, schema: Schema<State>, random: () => number): State {
  return Object.fromEntries(
    keysOf(schema).map((key) => [key, valid(tag, key, schema[key] as Field<unknown>, random)]),
  );
}

/** The same with names that the course knows: the widget gets what it needs to draw. */
export function randomKnownState(tag: string, schema: Schema<State>, random: () => number): State {
  const state = randomState(tag, schema, random);
  for (const key of Object.keys(NAMES)) if (key in state) state[key] = NAMES[key];
  return state;
}
