// The sentence and the table of each widget, in any state, against a slow second computation.
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import {CoreError} from '../../web/core.js';
import {useModel} from '../../web/elements/attn-heads/trained-model.js';
import {TAGS, widgetClass} from '../../web/elements/registry.js';
import {InputError} from '../../web/shared/input.js';
import type {Resources} from '../../web/shared/runtime.js';
import type {Schema} from '../../web/shared/schema.js';
import {Contents} from '../../web/site/contents.js';
import {Course} from '../../web/site/course.js';
import {loadTrain} from '../../web/train.js';
import {resourcesFromBuild} from './load-core.js';
import {OPINIONS} from './opinions/all.js';
import type {Shown} from './opinions/reading.js';
import {randomFrom, randomKnownState, type State} from './random-state.js';
import {trainBytes} from './training-run.js';

/** States of each widget, drawn or refused; `npm run fuzz` draws more. */
const STATES = Number(process.env['ATTN_STATES'] ?? 40);
const SEED = Number(process.env['ATTN_SEED'] ?? 20261130);
/** A wrong sentence tends to come many times. */
const MOST_SHOWN = 5;
/** The fields of a state in a message. */
const LONGEST = 400;
const CHANGED_STATES = 6;
const EVERY = 3;

/** The text with the last digit of one of its numbers changed by five, for each number. */
function withOtherDigits(text: string): string[] {
  return [...text.matchAll(/\d(?!\d|[.,]\d)/g)].map(
    ({index, 0: digit}) =>
      text.slice(0, index) + ((Number(digit) + 5) % 10) + text.slice(index + 1),
  );
}

let contents: Map<string, unknown>;

let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
  contents = new Contents(new Course(resources)).all();
  const train = await loadTrain({wasmBinary: trainBytes()});
  useModel(train.openTrained(readFileSync('lessons/case/small-scaled.weights')));
});

/** States of a widget that are told, with what it says of them. */
async function* toldStates(tag: string, states: number) {
  const {spec} = await widgetClass(tag);
  const {sample, happens} = OPINIONS[tag]!;
  const random = randomFrom(SEED);
  for (let i = 0; i < states; i++) {
    const any = randomKnownState(tag, spec.schema as Schema<State>, random);
    const state = sample ? sample(any, random, contents) : any;
    const content = contents.get(spec.content?.(state) ?? '');
    let result: unknown;
    try {
      result = spec.compute(resources, state, content);
    } catch (error) {
      if (error instanceof InputError || error instanceof CoreError) continue;
      throw error;
    }
    if (happens) result = happens(state as never, result as never);
    yield {
      state,
      shown: {says: spec.says(state, result), rows: spec.table(state, result).rows} as Shown,
    };
  }
}

const judge = (tag: string, state: State, shown: Shown) =>
  OPINIONS[tag]!.opinion(state as never, shown, resources.world, contents);

it('has an opinion on every widget', () => {
  expect(Object.keys(OPINIONS)).toEqual(TAGS);
});

describe.each(Object.keys(OPINIONS))('%s', (tag) => {
  it('says what a slow computation finds', async () => {
    const wrong: string[] = [];
    let told = 0;
    for await (const {state, shown} of toldStates(tag, STATES)) {
      told++;
      const [first] = judge(tag, state, shown);
      if (first !== undefined) wrong.push(`${first}; ${JSON.stringify(state).slice(0, LONGEST)}`);
      if (wrong.length >= MOST_SHOWN) break;
    }
    expect(wrong).toEqual([]);
    expect(told, 'some states are told').toBeGreaterThan(STATES / 20);
  });

  it('would be found out with another digit', async () => {
    let changed = 0;
    const missed: string[] = [];
    for await (const {state, shown} of toldStates(tag, CHANGED_STATES)) {
      const {says, rows} = shown;
      const others = [
        ...withOtherDigits(says).map((text) => ({says: text, rows})),
        ...rows.flatMap((row, i) =>
          row.flatMap((cell, j) =>
            withOtherDigits(cell).map((text) => ({
              says,
              rows: rows.with(i, row.with(j, text)),
            })),
          ),
        ),
      ];
      for (const other of others.filter((_, i) => i % EVERY === 0)) {
        changed++;
        if (judge(tag, state, other).length === 0)
          missed.push(other.says === says ? 'table' : other.says);
      }
    }
    // Numbers that the wording has of itself, as in BF16, say nothing of the state.
    expect(missed.length / changed, String(missed.slice(0, 4))).toBeLessThan(0.35);
    expect(changed).toBeGreaterThan(0);
  });
});
