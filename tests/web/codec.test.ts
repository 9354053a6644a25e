// The text form of every widget's state: a state written into an address is read back unchanged.
import {render} from '@lit-labs/ssr';
import {collectResult} from '@lit-labs/ssr/lib/render-result.js';
import {describe, expect, it} from 'vitest';
import {TAGS, widgetClass} from '../../web/elements/registry.js';
import {readFields, readQuery, writeQuery} from '../../web/shared/link.js';
import {defaults, keysOf, sampleText, type Field, type Schema} from '../../web/shared/schema.js';
import {declarationOf} from '../../web/site/declarations.js';
import {resourcesFromBuild} from './load-core.js';
import {accepted, randomFrom, randomState, type State} from './random-state.js';

const STATES = 300;

describe.each(TAGS)('%s', (tag) => {
  it(`${STATES} states survive the way through an address`, async () => {
    const {schema} = (await widgetClass(tag)).spec as {schema: Schema<State>};
    const random = randomFrom(20261129);
    for (let i = 0; i < STATES; i++) {
      const state = randomState(tag, schema, random);
      const query = writeQuery(schema, state);
      const reading = readQuery(schema, query);
      expect(reading, query).toEqual({state, problem: null});
      expect(writeQuery(schema, reading.state)).toBe(query);
      // The same through a parsed address, and on top of another state.
      expect(readQuery(schema, new URL(`http://host/?${query}`).search).state).toEqual(state);
      const base = randomState(tag, schema, random);
      expect(readQuery(schema, writeQuery(schema, state, base), base).state).toEqual(state);
      // The same through attributes.
      const attributes = Object.fromEntries(
        keysOf(schema).map((key) => [key, (schema[key] as Field<unknown>).write(state[key])]),
      );
      expect(readFields(schema, (key) => attributes[key] ?? null).state).toEqual(state);
    }
  });

  it('any text gives a state, quickly, and at most one sentence', async () => {
    const {schema} = (await widgetClass(tag)).spec as {schema: Schema<State>};
    const random = randomFrom(7);
    const keys = [...keysOf(schema), 'version', 'constructor', '__proto__'];
    for (let i = 0; i < STATES; i++) {
      const query = keys
        .map(
          (key) => `${key}=${i % 2 ? encodeURIComponent(sampleText(random)) : sampleText(random)}`,
        )
        .join('&');
      const {state, problem} = readQuery(schema, query);
      expect(Object.keys(state)).toEqual(keysOf(schema));
      const wrong = keysOf(schema).filter((key) => {
        const field = schema[key] as Field<unknown>;
        return state[key] !== field.fallback && !accepted(field, state[key]);
      });
      expect(wrong, query).toEqual([]);
      if (problem) expect(problem.message).toMatch(/^[^\n]+。$/);
    }
  });

  it('no text takes long to read', async () => {
    const {schema} = (await widgetClass(tag)).spec as {schema: Schema<State>};
    const began = process.cpuUsage();
    // Texts of this kind can make a backtracking pattern run for hours.
    for (const letter of ['1', ',', '-', 'e', '.', ' ', 'a', '甲']) {
      for (const key of keysOf(schema)) readQuery(schema, `${key}=${letter.repeat(200_000)}x`);
    }
    // Processor time in microseconds, which does not depend on other programs.
    expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
  });

  it('describes each field and its values in Chinese', async () => {
    for (const {name, what, takes} of declarationOf(await widgetClass(tag)).fields) {
      expect(what, `${tag} ${name}`).toMatch(/\p{Script=Han}/u);
      expect(takes, `${tag} ${name}`).toMatch(/\p{Script=Han}/u);
    }
  });
});

describe('the text form', () => {
  it('of another version is refused', async () => {
    const {schema} = (await widgetClass('attn-softmax')).spec as {schema: Schema<State>};
    const {state, problem} = readQuery(schema, 'scores=1,2&version=2');
    expect(state).toEqual(defaults(schema));
    expect(problem).toEqual({code: 'other-version', message: expect.stringMatching(/^[^。]+。$/)});
    expect(readQuery(schema, 'scores=1,2&version=1').state['scores']).toEqual([1, 2]);
  });

  it('survives half of a surrogate pair', async () => {
    const {schema} = (await widgetClass('attn-softmax')).spec as {schema: Schema<State>};
    expect(writeQuery(schema, {...defaults(schema), labels: ['\ud83d']})).toBe('labels=%EF%BF%BD');
  });

  it('is short and readable', async () => {
    const {schema} = (await widgetClass('attn-softmax')).spec as {schema: Schema<State>};
    expect(writeQuery(schema, {...defaults(schema), scores: [1, -2.5, 1e21]})).toBe(
      'scores=1,-2.5,1e%2B21',
    );
  });
});

describe('texts with markup', () => {
  const hostile = '<img src=x onerror=alert(1)>,"><script>alert(1)</script>,${1},{{1}}';

  it.each(['attn-softmax', 'attn-mask'])('%s shows them as text', async (tag) => {
    const {spec} = await widgetClass(tag);
    const field = tag === 'attn-softmax' ? 'labels' : 'tokens';
    const {state} = readFields(spec.schema, (key) => (key === field ? hostile : null));
    const markup = await collectResult(
      render(spec.view(state, spec.compute(await resourcesFromBuild(), state, undefined))),
    );
    expect(markup).toContain('&lt;');
    expect(markup).not.toMatch(/<(img|script)/);
  });
});
