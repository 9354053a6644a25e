// The sentence of the home page: a token is chosen by mouse, finger and keys; the playhead moves
// the picture alone.
import {expect, type Locator} from '@playwright/test';
import {test} from './site.js';
import {open, shown} from './touching.js';

test.use({hasTouch: true});

const chip = (widget: Locator, name: string) =>
  widget.locator('svg.wide').getByRole('button', {name: new RegExp(`^${name}`)});

const printed = (widget: Locator) =>
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
    const widget = await open(page, site, 'attn-sentence');
    await choose(widget);
    await expect(chip(widget, '苹果')).toHaveAttribute('aria-pressed', 'true');
    await expect(widget).toHaveAttribute('token', '苹果');
    states.push(await shown(widget));
  }
  expect(new Set(states).size).toBe(1);
  const opened = await open(page, site, 'attn-sentence', '?token=苹果');
  expect(await shown(opened)).toBe(states[0]);
});

test('reduced motion steps through every stop, and the last one is the output', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-sentence', '?at=0');
  const texts = [await printed(widget)];
  for (let stop = 1; stop <= 5; stop++) {
    await widget.getByRole('button', {name: '播放'}).click();
    await expect(widget).toHaveAttribute('at', stop === 5 ? '1' : String(stop / 5));
    texts.push(await printed(widget));
  }
  // Each stop prints other numbers: vectors, keys, scores, the hidden token, shares, the output.
  expect(new Set(texts).size).toBe(6);
});

test('at rest the live picture is that of the build', async ({page, site}) => {
  await page.goto(`${site.url}index.html`);
  const widget = page.locator('attn-sentence');
  const built = await printed(widget);
  await expect(widget).toHaveAttribute('ready', '');
  expect(await printed(widget)).toBe(built);
});
