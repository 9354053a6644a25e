// The planes of attn-qkv: an arrow dragged by mouse, finger and keys gives one state.
import {expect, type Locator} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, open, shown} from './touching.js';

test.use({hasTouch: true});

async function handleCentre(widget: Locator, name: string): Promise<{x: number; y: number}> {
  const handle = widget.getByRole('slider', {name, exact: true});
  await handle.scrollIntoViewIfNeeded();
  return centre(handle.locator('circle'));
}

test('a key dragged by mouse, finger and keys gives one state, link and digits', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-qkv');
    // k₂ = (0, 1) and k₃ = (1, 1) are one apart on the page, across.
    const [from, second] = [await handleCentre(widget, 'k₃'), await handleCentre(widget, 'k₂')];
    const unit = from.x - second.x;
    // To (0.5, −0.5): straight, then down, as no page scrolls under a held arrow.
    const [x, y] = [from.x - unit / 2, from.y + 1.5 * unit];
    if (way === 'mouse') {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x - 1, y, {steps: 4});
      expect(await changes(page)).toBe(0);
      await page.mouse.move(x, y, {steps: 4});
      await page.mouse.up();
    } else if (way === 'touch') {
      const cdp = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: {x: number; y: number}) =>
        cdp.send('Input.dispatchTouchEvent', {type, touchPoints: at ? [at] : []});
      await touch('touchStart', from);
      for (let i = 1; i <= 8; i++)
        await touch('touchMove', {x: from.x, y: from.y + ((y - from.y) * i) / 8});
      for (let i = 1; i <= 4; i++)
        await touch('touchMove', {x: from.x + ((x - from.x) * i) / 4, y});
      await touch('touchEnd');
    } else {
      await widget.getByRole('slider', {name: 'k₃', exact: true}).focus();
      // A step is 0.05, with Shift ten of them.
      await page.keyboard.press('Shift+ArrowLeft');
      for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowDown');
    }
    await expect(widget).toHaveAttribute('k', '1,0,0,1,0.5,-0.5');
    if (way !== 'keys') expect(await changes(page)).toBe(1);
    await widget.getByRole('button', {name: '复制链接'}).click();
    results.push(`${await shown(widget)} ${page.url()}`);
  }
  expect(new Set(results).size).toBe(1);
});

test('the scale stays under a held arrow, and fits again once it is let go', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-qkv');
  const {x, y} = await handleCentre(widget, 'v₁');
  const zero = {x: (await handleCentre(widget, 'v₂')).x, y};
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(zero.x + (x - zero.x) / 4, y, {steps: 6});
  const held = await handleCentre(widget, 'v₂');
  expect(Math.abs(held.x - zero.x)).toBeLessThan(1);
  await page.mouse.up();
  await expect(widget).toHaveAttribute('v', '0.5,0,0,2,1,1');
});

test('a swipe beside the arrows scrolls the page', async ({page, site}) => {
  await page.setViewportSize({width: 360, height: 500});
  await page.goto(`${site.url}c3/l05/#w-qkv`);
  const widget = page.locator('#w-qkv');
  await widget.scrollIntoViewIfNeeded();
  await expect(widget).toHaveAttribute('ready', '');
  const {x, y} = await handleCentre(widget, 'k₃');
  const before = await page.evaluate(() => scrollY);
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at === undefined ? [] : [{x: x - 180, y: at}],
    });
  await touch('touchStart', y + 20);
  for (let i = 1; i <= 12; i++) await touch('touchMove', y + 20 - 10 * i);
  await touch('touchEnd');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before + 60);
  await expect(widget).toHaveAttribute('scaled', '0');
  await expect(widget).not.toHaveAttribute('k', /./);
});

test('another row asks: its query and its output are drawn', async ({page, site}) => {
  const widget = await open(page, site, 'attn-qkv');
  await expect(widget.getByRole('slider', {name: 'q₃'})).toBeVisible();
  await widget.getByRole('button', {name: 'q₂'}).click();
  await expect(widget).toHaveAttribute('asks', '2');
  await expect(widget.getByRole('slider', {name: 'q₂'})).toBeVisible();
  await expect(widget.locator('.says')).toContainText('第2行');
});
