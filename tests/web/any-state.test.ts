// A widget draws any state that it is given, or refuses it with a sentence: it never crashes and
// never shows an internal word, and every equation that it prints holds as printed.
import {beforeAll, expect, it} from 'vitest';
import {CoreError} from '../../web/core.js';
import {TAGS, widgetClass} from '../../web/elements/registry.js';
import {InputError} from '../../web/shared/input.js';
import {resources} from '../../web/shared/runtime.js';
import type {Schema} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {blocksOf} from './page-text.js';
import {equationsIn, holds} from './printed-equations.js';
import {randomFrom, randomKnownState, type State} from './random-state.js';
import {openCourse} from './whole-course.js';

/** The number of states of each widget, drawn or refused. */
const STATES = 45;
/** In the other states, labels are random texts, in which anything may look like an equation. */
const PLAIN_LABELS = 4 / 5;
/** At least so many widgets have pictures whose axes are found. */
const LEAST_WITH_AXES = 8;

const withAxes = new Set<string>();
let contents: Map<string, unknown>;

beforeAll(async () => {
  contents = await openCourse();
});

/** The labels of each axis in a picture. */
function axesIn(drawn: string): string[][] {
  return [...drawn.replaceAll(/<!--.*?-->/gs, '').matchAll(/<g class="ticks">(.*?)<\/g>/gs)].map(
    ([, labels = '']) =>
      [...labels.matchAll(/<text[^>]*>([^<]*)</g)].map(([, label = '']) => label),
  );
}

it.each(TAGS)('%s', async (tag) => {
  const {spec} = await widgetClass(tag);
  const random = randomFrom(20261129);
  let drawn = 0;
  for (let i = 0; i < STATES; i++) {
    const state = randomKnownState(tag, spec.schema as Schema<State>, random);
    const plain = !('labels' in state) || i < PLAIN_LABELS * STATES;
    if (plain && 'labels' in state) state['labels'] = [];
    const content = contents.get(spec.content?.(state) ?? '');
    let result: unknown;
    try {
      result = spec.compute(resources, state, content);
    } catch (error) {
      if (error instanceof InputError) expect(error.message).toMatch(/^[^\n]+。$/);
      else if (!(error instanceof CoreError)) throw error;
      continue;
    }
    drawn++;
    const says = spec.says(state, result);
    const pictures = [
      await drawTemplate(spec.view(state, result)),
      spec.steps ? await drawTemplate(spec.steps(state, result)) : '',
    ];
    const texts = [
      typeof spec.title === 'string' ? spec.title : spec.title(state, result),
      says,
      JSON.stringify(spec.table(state, result)),
      ...pictures,
    ];
    const words = texts.flatMap(
      (text) => /(?:NaN|undefined|Infinity|\[object|null).{0,40}/.exec(text)?.[0] ?? [],
    );
    expect(words, JSON.stringify(state)).toEqual([]);
    if (plain)
      for (const each of [says, ...pictures.flatMap(blocksOf)].flatMap(equationsIn))
        expect(holds(each), `${JSON.stringify(state)}: ${each.text}`).toBe(true);
    for (const axis of axesIn(texts.join(''))) {
      expect(axis, JSON.stringify(state)).toEqual([...new Set(axis)]);
      withAxes.add(tag);
    }
  }
  expect(drawn).toBeGreaterThan(0);
});

it('axes with numbers are found', () => {
  expect(withAxes.size).toBeGreaterThanOrEqual(LEAST_WITH_AXES);
});
