// The sentence of the home page: a token is chosen by mouse, finger and keys; the playhead moves
// the picture alone.
import {expect, type Locator, type Page} from '@playwright/test';
import {test, type Site} from './site.js';

test.use({hasTouch: true});

async function open(page: Page, site: Site, query = ''): Promise<Locator> {
  await page.goto(`${site.url}embed/attn-sentence.html${query}`);
  const widget = page.locator('attn-sentence');
  await expect(widget).toHaveAttribute('ready', '');
  return widget;
}

const chip = (widget: Locator, name: string) =>
  widget.locator('svg.wide').getByRole('button', {name: new RegExp(`^${name}`)});

/** State and digits. */
const shown = (widget: Locator) =>
  widget.evaluate((element) => {
    const {state, result} = element as HTMLElement & {state: object; result: object};
    return JSON.stringify({state, result});
  });

const picture = (widget: Locator) =>
  widget.locator('svg.wide').evaluate((svg) => svg.textContent.replace(/\s+/g, ' '));

test('a token chosen by mouse, finger and keys gives the same state and digits', async ({
  page,
  site,
}) => {
  const states: string[] = [];
  const choices: ((widget: Locator) => Promise<unknown>)[] = [
    (widget) => chip(widget, '苹果').click(),
    (widget) => chip(widget, '苹果').tap(),
    async (widget) => {
      await chip(widget, '给了').focus();
      await page.keyboard.press('ArrowLeft');
      await expect(chip(widget, '苹果')).toBeFocused();
    },
  ];
  for (const choose of choices) {
    const widget = await open(page, site);
    await choose(widget);
    await expect(chip(widget, '苹果')).toHaveAttribute('aria-pressed', 'true');
    await expect(widget).toHaveAttribute('token', '苹果');
    states.push(await shown(widget));
  }
  expect(new Set(states).size).toBe(1);
  const opened = await open(page, site, '?token=苹果');
  expect(await shown(opened)).toBe(states[0]);
});

test('reduced motion steps through every stop, and the last one is the output', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, '?at=0');
  const texts = [await picture(widget)];
  for (let stop = 1; stop <= 5; stop++) {
    await widget.getByRole('button', {name: '播放'}).click();
    await expect(widget).toHaveAttribute('at', stop === 5 ? '1' : String(stop / 5));
    texts.push(await picture(widget));
  }
  // Each stop prints other numbers: vectors, keys, scores, the hidden token, shares, the output.
  expect(new Set(texts).size).toBe(6);
});

test('at rest the live picture is that of the build', async ({page, site}) => {
  await page.goto(`${site.url}index.html`);
  const widget = page.locator('attn-sentence');
  const built = await picture(widget);
  await expect(widget).toHaveAttribute('ready', '');
  expect(await picture(widget)).toBe(built);
});
