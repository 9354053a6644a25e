// A widget on a page with scripts of its own: its keys, its state as a framework writes it, and the
// events that it sends.
import {readFileSync} from 'node:fs';
import {expect, test as base, type Page} from '@playwright/test';
import {serve} from '../../web/tools/serve.mjs';
import {documentOf, foreignPage} from './foreign.js';
import {dist} from './site.js';

const test = base.extend<{open: (body: string, script?: string) => Promise<void>}, {base: string}>({
  base: [
    async ({}, use) => {
      const course = await serve({folder: dist});
      await use(course.url);
      await course.close();
    },
    {scope: 'worker'},
  ],
  /** Opens a page whose script runs before the widgets'. */
  open: async ({page, base}, use) => {
    const opened: Awaited<ReturnType<typeof foreignPage>>[] = [];
    await use(async (body, script = '') => {
      const head = `<script>
        window.keys = [];
        for (const type of ['keydown', 'keypress', 'keyup'])
          document.addEventListener(type, ({key}) => keys.push(type + ' ' + key));
        window.events = [];
        for (const type of ['attn-ready', 'attn-change', 'attn-error'])
          document.addEventListener(type, ({detail}) =>
            events.push([type, detail.code ?? JSON.stringify(detail.state.scores)]));
        </script>
        <script type="module" src="${base}embed/attn.js"></script>`;
      const host = await foreignPage(documentOf(`${body}<script>${script}</script>`, head));
      opened.push(host);
      await page.goto(host.url);
      await page.locator('attn-softmax[ready]').first().waitFor();
    });
    await Promise.all(opened.map((host) => host.close()));
  },
});

interface Manifest {
  modules: {
    declarations: {
      tagName: string;
      attributes: {name: string}[];
      members: {name: string; attribute?: string}[];
    }[];
  }[];
}
const {modules} = JSON.parse(
  readFileSync(`${dist}/embed/custom-elements.json`, 'utf8'),
) as Manifest;
/** Attributes that are no fields of the state. */
const COMMON = new Set(['theme', 'lang']);

interface Softmax extends HTMLElement {
  state: Record<string, unknown>;
  scores: readonly number[];
  temperature: number;
  reset: () => void;
  updateComplete: Promise<unknown>;
}

type Seen = Window & {keys: string[]; events: [string, string][]};
const keysOf = (page: Page) => page.evaluate(() => (window as unknown as Seen).keys.splice(0));
const eventsOf = (page: Page) => page.evaluate(() => (window as unknown as Seen).events.splice(0));

test('keys that a control uses stay in the widget, the others reach the page', async ({
  page,
  open,
}) => {
  await open('<attn-softmax></attn-softmax>');
  const widget = page.locator('attn-softmax');
  await widget.locator('.exact > summary').focus();
  await page.keyboard.press('Enter');
  await widget.locator('.boxes .number input').first().focus();
  await keysOf(page);
  for (const key of ['n', '7', '/', 'ArrowLeft', 'Home', ' ', '?']) await page.keyboard.press(key);
  await widget.getByRole('slider').first().focus();
  for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'End', 'PageUp'])
    await page.keyboard.press(key);
  await widget.getByText('还原').focus();
  for (const key of [' ', 'Enter']) await page.keyboard.press(key);
  expect(await keysOf(page)).toEqual([]);
  // A button has no use for an arrow or a letter, and Escape and Tab always leave.
  for (const key of ['ArrowRight', 'n', 'Escape', 'Tab']) await page.keyboard.press(key);
  expect((await keysOf(page)).filter((key) => key.startsWith('keydown'))).toEqual([
    'keydown ArrowRight',
    'keydown n',
    'keydown Escape',
    'keydown Tab',
  ]);
});

test('one event for each change, whoever makes it; none for an equal state', async ({
  page,
  open,
}) => {
  await open('<attn-softmax scores="1,1"></attn-softmax>');
  expect(await eventsOf(page)).toEqual([['attn-ready', '[1,1]']]);
  const changed = (make: (widget: Softmax) => void) =>
    page.locator('attn-softmax').evaluate(async (element, make) => {
      const widget = element as Softmax;
      (new Function('widget', `(${make})(widget)`) as (widget: Softmax) => void)(widget);
      await widget.updateComplete;
      await new Promise((done) => setTimeout(done, 50));
      return (window as unknown as Seen).events.splice(0);
    }, make.toString());
  expect(await changed((widget) => (widget.state = {...widget.state}))).toEqual([]);
  expect(await changed((widget) => (widget.scores = [2, 3]))).toEqual([['attn-change', '[2,3]']]);
  expect(await changed((widget) => (widget.scores = [2, 3]))).toEqual([]);
  expect(await changed((widget) => widget.setAttribute('scores', '4,5'))).toEqual([
    ['attn-change', '[4,5]'],
  ]);
  expect(
    await changed((widget) => {
      widget.scores = [6, 7];
      widget.temperature = 2;
      widget.setAttribute('scores', '8,9');
    }),
  ).toEqual([['attn-change', '[8,9]']]);
  expect(await changed((widget) => widget.reset())).toEqual([['attn-change', '[1,1]']]);
  expect(await changed((widget) => widget.reset())).toEqual([]);
});

test('a page that writes back each state that it is told gets one event a change', async ({
  page,
  open,
}) => {
  await open(
    '<attn-softmax></attn-softmax>',
    `document.addEventListener('attn-change', ({target, detail}) => {
       target.state = {...detail.state};
       Promise.resolve().then(() => { target.state = {...detail.state}; });
     });`,
  );
  await eventsOf(page);
  const slider = page.locator('attn-softmax').getByRole('slider').first();
  await slider.focus();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowUp');
  const scores = (await slider.getAttribute('aria-valuenow')) ?? '';
  const events = await eventsOf(page);
  expect(events.map(([type]) => type)).toEqual(['attn-change', 'attn-change', 'attn-change']);
  expect(JSON.parse(events.at(-1)?.[1] ?? '[]')).toContain(Number(scores));
});

test('a state set before the tag is known or put on the page is the first one', async ({
  page,
  open,
}) => {
  await open(
    '<attn-softmax></attn-softmax>',
    `const early = document.createElement('attn-softmax');
     early.id = 'early';
     early.state = {scores: [1, 2]};
     early.temperature = 2;
     document.body.append(early);`,
  );
  await page.locator('#early[ready]').waitFor();
  const stateOf = (id: string) =>
    page.locator(id).evaluate((element) => {
      const {scores, temperature} = (element as Softmax).state;
      return [scores, temperature];
    });
  expect(await stateOf('#early')).toEqual([[1, 2], 2]);
  expect(await page.locator('#early').getAttribute('scores')).toBe('1,2');
  await page.evaluate(() => {
    const late = document.createElement('attn-softmax') as Softmax;
    late.id = 'late';
    late.scores = [3, 4];
    document.body.append(late);
  });
  await page.locator('#late[ready]').waitFor();
  expect(await stateOf('#late')).toEqual([[3, 4], 1]);
  // Resetting returns to what the page gave.
  await page.locator('#late').evaluate(async (element) => {
    const widget = element as Softmax;
    widget.scores = [5, 6];
    await widget.updateComplete;
    widget.reset();
  });
  expect(await stateOf('#late')).toEqual([[3, 4], 1]);
  expect((await eventsOf(page)).filter(([type]) => type === 'attn-error')).toEqual([]);
});

test('an object in an attribute gives a sentence, and the picture of the other fields', async ({
  page,
  open,
}) => {
  await open(
    `<attn-softmax state="[object Object]" scores="1,1"></attn-softmax>
     <attn-softmax labels="[object Object]"></attn-softmax>`,
  );
  const [first, second] = [
    page.locator('attn-softmax').first(),
    page.locator('attn-softmax').last(),
  ];
  await expect(first.locator('.trouble')).toContainText('property');
  await expect(first).toContainText('50.0 %');
  await expect(second.locator('.trouble')).toContainText('labels');
  const errors = (await eventsOf(page)).filter(([type]) => type === 'attn-error');
  expect(errors).toEqual([
    ['attn-error', 'state-attribute'],
    ['attn-error', 'object'],
  ]);
});

test('every field that the manifest declares is a property of its widget', async ({page, open}) => {
  const declared = modules.flatMap(({declarations}) => declarations);
  await open(declared.map(({tagName}) => `<${tagName}></${tagName}>`).join(''));
  for (const {tagName, attributes, members} of declared) {
    const fields = members.flatMap(({name, attribute}) => (attribute ? [name] : []));
    const names = attributes.map(({name}) => name).filter((name) => !COMMON.has(name));
    const onEveryElement = await page.evaluate(
      (names) => names.filter((name) => name in HTMLElement.prototype),
      names,
    );
    expect([...fields, ...onEveryElement].sort()).toEqual(names.sort());
    await page.locator(`${tagName}[ready]`).waitFor({state: 'attached'});
    const values = await page.locator(tagName).evaluate((element, fields) => {
      const widget = element as Softmax & Record<string, unknown>;
      const valuesIn = (from: Record<string, unknown>) =>
        Object.fromEntries(fields.map((name) => [name, from[name]]));
      return {properties: valuesIn(widget), state: valuesIn(widget.state)};
    }, fields);
    expect(values.properties, tagName).toEqual(values.state);
  }
});

test('the text style of the page around a widget does not enter, but hiding does', async ({
  page,
  open,
}) => {
  const loud = `font: italic 900 42px/1 cursive; letter-spacing: 5px; word-spacing: 9px;
    text-align: center; text-indent: 3em; text-transform: uppercase; white-space: pre;
    direction: rtl; color: red; word-break: break-all; text-shadow: 1px 1px red; hyphens: auto`;
  await open(
    `<style>.slide { ${loud} } attn-softmax { display: block; width: 600px; margin: 0 }
       .slide * { letter-spacing: 5px; direction: rtl; font-size: 42px }</style>
     <div><attn-softmax></attn-softmax></div>
     <div class="slide"><attn-softmax></attn-softmax></div>`,
  );
  const widgets = page.locator('attn-softmax');
  await expect(widgets.last()).toHaveAttribute('ready');
  const stylesOf = (at: number) =>
    widgets.nth(at).evaluate((element) =>
      [...(element.shadowRoot?.querySelectorAll('.widget, .widget *') ?? [])].map((part) => {
        const style = getComputedStyle(part);
        // Places on the page differ, and so do the names of references.
        return [...style]
          .filter((name) => !/origin|inset|^(top|bottom|left|right|perspective)/.test(name))
          .map((name) => `${name}: ${style.getPropertyValue(name)}`)
          .join('; ');
      }),
    );
  const [plain, inSlide] = [await stylesOf(0), await stylesOf(1)];
  expect(plain.length).toBeGreaterThan(100);
  expect(inSlide).toEqual(plain);
  await page.locator('.slide').evaluate((slide: HTMLElement) => {
    slide.style.visibility = 'hidden';
  });
  await expect(widgets.last().locator('.title')).toBeHidden();
});
