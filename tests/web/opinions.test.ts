// The sentence and the table of each widget, in any state, against a slow second computation.
import {readFileSync} from 'node:fs';
import {beforeAll, expect, it} from 'vitest';
import {loadCache} from '../../web/cache.js';
import {CoreError, loadCore} from '../../web/core.js';
import {widgetClass} from '../../web/elements/registry.js';
import {loadSequence} from '../../web/sequence.js';
import {InputError} from '../../web/shared/input.js';
import {resources, runtime} from '../../web/shared/runtime.js';
import type {Schema} from '../../web/shared/schema.js';
import {contentsOf} from '../../web/site/contents.js';
import {Course} from '../../web/site/course.js';
import {OPINIONS} from './opinions/all.js';
import {randomFrom, randomKnownState, type State} from './random-state.js';

/** Of each widget, drawn or refused; `npm run fuzz` asks for more. */
const STATES = Number(process.env['ATTN_STATES'] ?? 60);
const SEED = Number(process.env['ATTN_SEED'] ?? 20261130);
/** A wrong sentence tends to come many times. */
const MOST_SHOWN = 5;
/** Of a state in a message. */
const LONGEST = 400;
let contents: Map<string, unknown>;

beforeAll(async () => {
  const bytes = (name: string) => ({wasmBinary: readFileSync(`build/wasm/attn_${name}.wasm`)});
  const core = await loadCore(bytes('core'));
  const cache = await loadCache(bytes('cache'));
  const sequence = await loadSequence(bytes('sequence'));
  const course = new Course({core, cache, sequence});
  Object.assign(runtime, {core, cache, sequence, world: course.world});
  contents = contentsOf(course);
});

it.each(Object.keys(OPINIONS))('%s says what a slow computation finds', async (tag) => {
  const {spec} = await widgetClass(tag);
  const {opinion, sample} = OPINIONS[tag]!;
  const random = randomFrom(SEED);
  const wrong: string[] = [];
  let told = 0;
  for (let i = 0; i < STATES && wrong.length < MOST_SHOWN; i++) {
    const any = randomKnownState(tag, spec.schema as Schema<State>, random);
    const state = sample ? sample(any, random) : any;
    const content = contents.get(spec.content?.(state) ?? '');
    let result: unknown;
    try {
      result = spec.compute(resources, state, content);
    } catch (error) {
      if (error instanceof InputError || error instanceof CoreError) continue;
      throw error;
    }
    told++;
    const shown = {says: spec.says(state, result), rows: spec.table(state, result).rows};
    const [first] = opinion(state as never, shown, resources.world);
    if (first !== undefined) wrong.push(`${first}; ${JSON.stringify(state).slice(0, LONGEST)}`);
  }
  expect(wrong).toEqual([]);
  expect(told, 'some states are told').toBeGreaterThan(STATES / 20);
});
