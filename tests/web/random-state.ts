// Random states of widgets, for tests of properties that hold for all states.

import {InputError} from '../../web/shared/input.js';
import {keysOf, type Field, type Schema} from '../../web/shared/schema.js';

export type State = Record<string, unknown>;

/** Fields with a name from an open set, in which nearly all random names are unknown. */
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

/**
 * A random value that the field accepts. Some fields accept fewer values than others of their kind.
 */
function valid(tag: string, key: string, field: Field<unknown>, random: () => number): unknown {
  if (!field.about) throw new Error(`${tag}: the field "${key}" has no description`);
  if (random() < 0.2) return field.fallback;
  for (let tries = 0; tries < 200; tries++) {
    const value = field.about.sample(random);
    if (accepted(field, value)) return value;
  }
  throw new Error(`${tag}: the field "${key}" refused 200 of its own samples`);
}

export function randomState(tag: string, schema: Schema<State>, random: () => number): State {
  return Object.fromEntries(
    keysOf(schema).map((key) => [key, valid(tag, key, schema[key] as Field<unknown>, random)]),
  );
}

/** A random state with known names, so that the widget has the data to draw. */
export function randomKnownState(tag: string, schema: Schema<State>, random: () => number): State {
  const state = randomState(tag, schema, random);
  for (const key of Object.keys(NAMES)) if (key in state) state[key] = NAMES[key];
  return state;
}
