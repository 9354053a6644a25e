// The same course in Chromium, Firefox and WebKit: the same pictures, texts and digits.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {widgetClass} from '../../web/elements/registry.js';
import type {Schema} from '../../web/shared/schema.js';
import * as check from '../browser/checks.js';
import {addressOf, checkedPages, dist, serveStrictly, type Site} from '../browser/site.js';
import {randomFrom, randomKnownState, type State} from '../web/random-state.js';
import type {Engine} from './engine.js';
import {changes, drawn, inkBetweenDigits, texts} from './looks.js';
import {openChromium, openFirefox} from './puppeteer.js';
import {openWebKit} from './webkit.js';

const PATIENCE_MS = 60_000;
/** The number of states of each widget. */
const STATES = 12;
const TRAINING_STEPS = 20;
const TRAINED_WITHIN_MS = 240_000;

let engines: Engine[];
let site: Site;
/** A site without scripts: pages as they are before their scripts have loaded. */
let still: Site;

beforeAll(async () => {
  site = await serveStrictly(dist);
  still = await serveStrictly(dist, {
    fault: (path) => (path.endsWith('.js') ? {body: ''} : undefined),
  });
  engines = await Promise.all([openChromium(), openFirefox(), openWebKit()]);
  console.log(engines.map(({version}) => version).join(', '));
});

afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  await site.close();
  await still.close();
});

/** The result of `look` in every engine, with the engine's name; the first is Chromium. */
async function inAll<T>(look: (engine: Engine) => Promise<T>): Promise<[string, T][]> {
  return Promise.all(
    engines.map(async (engine): Promise<[string, T]> => [engine.name, await look(engine)]),
  );
}

/** Expects that every engine gives the result of Chromium. */
function expectSame<T>(given: readonly [string, T][]): void {
  for (const [name, other] of given.slice(1)) expect(other, name).toEqual(given[0]![1]);
}

async function awake({page}: Engine): Promise<void> {
  expect(await check.widgetsReady(page, PATIENCE_MS)).toEqual([]);
}

describe('every page', () => {
  it.each(checkedPages())('%s', async (file) => {
    // On a foreign page a tag has no picture from the build before its widget starts.
    const html = readFileSync(join(dist, file), 'utf8');
    const hasWidgets = /<attn-/.test(html) && html.includes('<template shadowrootmode');
    const given = await inAll(async (engine) => {
      const {name, page} = engine;
      await engine.resize(1280, 900);
      if (hasWidgets) await engine.open(addressOf(still, file));
      const before = hasWidgets ? await drawn(page) : [];
      engine.complaints();
      await engine.open(addressOf(site, file));
      await awake(engine);
      const moved = hasWidgets ? changes(before, await drawn(page)) : [];
      expect.soft(moved, `${name}: waking changes nothing that is drawn`).toEqual([]);
      expect.soft(await check.unresolved(page), `${name}: every number is one`).toEqual([]);
      const shown = await texts(page);
      await check.unfold(page);
      for (const width of [1280, 360]) {
        await engine.resize(width, 900);
        expect.soft(await check.sideways(page), `${name}: fits ${width} px`).toEqual([]);
        expect.soft(await check.overlaps(page), `${name}: readable at ${width} px`).toEqual([]);
      }
      expect.soft(engine.complaints(), `${name}: console`).toEqual([]);
      // A reader's answers would be stored for later visits.
      await page.evaluate(() => localStorage.clear());
      return shown;
    });
    expectSame(given);
  });
});

const tags = readdirSync(`${dist}/embed`)
  .filter((name) => /^attn-.*\.html$/.test(name))
  .map((name) => name.replace('.html', ''));

/**
 * Runs in the page: sets the widget's state, and returns the code of the error if it is refused.
 */
async function take({tag, state}: {tag: string; state: State}): Promise<string> {
  const widget = document.querySelector(tag) as Element & {
    state: State;
    updateComplete: Promise<unknown>;
  };
  const answer = new Promise<string>((resolve) => {
    widget.addEventListener('attn-change', () => resolve(''), {once: true});
    widget.addEventListener(
      'attn-error',
      (event) => resolve((event as CustomEvent<{code: string}>).detail.code),
      {once: true},
    );
  });
  const foldNow = () => widget.shadowRoot?.querySelector<HTMLDetailsElement>('details.answer');
  const before = foldNow();
  const wasOpen = before?.open;
  const toggled = new Promise((resolve) =>
    widget.shadowRoot?.addEventListener('toggle', resolve, {capture: true, once: true}),
  );
  // An equal state fires no event.
  const present = JSON.stringify(widget.state);
  const isEqual = JSON.stringify({...widget.state, ...state}) === present;
  widget.state = state;
  const code = isEqual ? '' : await answer;
  await widget.updateComplete;
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  // A fold that opens or closes fires its event later, and that event is a change as well.
  const after = foldNow();
  if (after && after.open !== (after === before && wasOpen))
    await Promise.race([toggled, wait(5000)]);
  await wait(after ? 250 : 50);
  await widget.updateComplete;
  return code;
}

describe('random states of every widget', () => {
  // The records of a run load some time after its state is set; the test of training compares their
  // digits.
  it.each(tags.filter((tag) => tag !== 'attn-train'))('%s', async (tag) => {
    const {schema} = (await widgetClass(tag)).spec;
    const random = randomFrom(20261130);
    const states = Array.from({length: STATES}, () =>
      randomKnownState(tag, schema as Schema<State>, random),
    );
    const given = await inAll(async (engine) => {
      await engine.resize(1280, 900);
      await engine.open(`${site.url}embed/${tag}.html`);
      await awake(engine);
      const shown: string[][] = [];
      for (const state of states) {
        const objection = await engine.page.evaluate(take, {tag, state});
        shown.push([objection, ...(await texts(engine.page, tag))]);
      }
      return shown;
    });
    expectSame(given);
    expect(given[0]![1].some(([objection]) => objection === '')).toBe(true);
  });
});

it(`${TRAINING_STEPS} steps of training give the same losses`, async () => {
  const given = await inAll(async (engine) => {
    await engine.open(`${site.url}embed/attn-train.html?steps=${TRAINING_STEPS}`);
    await awake(engine);
    return engine.page.evaluate(async (patience) => {
      type Run = {phase: string; curve: {losses: number[]}};
      const widget = document.querySelector('attn-train') as Element & {result?: {live?: Run}};
      const began = Date.now();
      let started = false;
      while (Date.now() - began < patience) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const start = [...(widget.shadowRoot?.querySelectorAll('button') ?? [])].find(
          (button) => button.textContent?.trim() === '开始',
        );
        if (start && !started) {
          started = true;
          start.click();
        }
        const says = widget.shadowRoot?.querySelector('.says')?.textContent?.trim() ?? '';
        const live = widget.result?.live;
        if (live?.phase === 'done' && says.includes('练完'))
          return {says, losses: live.curve.losses};
      }
      throw new Error('the run did not end');
    }, TRAINED_WITHIN_MS);
  });
  const {losses, says} = given[0]![1];
  expect(losses).toHaveLength(TRAINING_STEPS);
  // The record was made by the native program.
  expect(says).toContain('✓ 与记录逐位相同');
  expectSame(given);
}, 300_000);

it('no digit is drawn over its neighbour', async () => {
  for (const path of ['index.html', 'embed/attn-softmax.html']) {
    const given = await inAll(async (engine) => {
      await engine.resize(1280, 900);
      await engine.open(addressOf(site, path));
      return inkBetweenDigits(engine.page, engine.screenshot);
    });
    for (const [name, columns] of given) {
      const where = `${name} ${path}`;
      expect(columns.some(Boolean), `${where}: digits are drawn`).toBe(true);
      expect(
        columns.some((ink) => !ink),
        `${where}: there is a gap between them`,
      ).toBe(true);
    }
  }
});
