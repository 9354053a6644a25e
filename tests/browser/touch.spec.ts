// Touchable pictures: mouse, finger and keys lead to one state, and playing changes nothing else.
import {expect, type Locator} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, open, shown} from './touching.js';

test.use({hasTouch: true});

const handle = (widget: Locator, name: string) =>
  widget.locator('svg.wide').getByRole('slider', {name, exact: true});

/**
 * The pixels of one score: the default row has 7 and 8. Measured when the layout no longer changes.
 */
async function pixelsPerScore(widget: Locator): Promise<number> {
  const measure = async () => {
    const [seven, eight] = [handle(widget, '乙的分数'), handle(widget, '甲的分数')];
    return (await centre(eight)).x - (await centre(seven)).x;
  };
  let last = NaN;
  await expect
    .poll(async () => {
      const now = await measure();
      const same = now === last;
      last = now;
      return same;
    })
    .toBe(true);
  return last;
}

test('a score moved with mouse, finger and keys gives the same state and digits', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-softmax');
    const unit = await pixelsPerScore(widget);
    const from = await centre(handle(widget, '甲的分数'));
    // The drag starts beside the handle's centre; the offset is kept during the drag.
    const [x, y] = [from.x + 5, from.y + 3];
    if (way === 'mouse') {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + unit, y, {steps: 4});
      expect(await changes(page)).toBe(0);
      await page.mouse.move(x + 2 * unit, y, {steps: 4});
      await page.mouse.up();
    } else if (way === 'touch') {
      const cdp = await page.context().newCDPSession(page);
      const touch = (type: string, at?: number) =>
        cdp.send('Input.dispatchTouchEvent', {
          type: type as 'touchStart',
          touchPoints: at === undefined ? [] : [{x: at, y}],
        });
      await touch('touchStart', x);
      for (let i = 1; i <= 8; i++) await touch('touchMove', x + (i / 4) * unit);
      await touch('touchEnd');
    } else {
      await handle(widget, '甲的分数').focus();
      await page.keyboard.press('Shift+ArrowRight');
      for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight');
    }
    await expect(widget).toHaveAttribute('scores', '10,7,9');
    expect(await changes(page)).toBe(way === 'keys' ? 11 : 1);
    results.push(await shown(widget));
  }
  expect(new Set(results).size).toBe(1);
});

test('a vertical swipe that starts on a handle scrolls the page', async ({page, site}) => {
  await page.setViewportSize({width: 360, height: 500});
  await page.goto(`${site.url}c3/l03/#w-softmax`);
  const widget = page.locator('#w-softmax');
  await expect(widget).toHaveAttribute('ready', '');
  const grip = widget.locator('svg.narrow .handle').first();
  await grip.scrollIntoViewIfNeeded();
  const {x, y} = await centre(grip);
  const before = await page.evaluate(() => scrollY);
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: string, at?: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: at === undefined ? [] : [{x, y: at}],
    });
  await touch('touchStart', y);
  for (let i = 1; i <= 12; i++) await touch('touchMove', y - 10 * i);
  await touch('touchEnd');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before + 60);
  await expect(widget).toHaveAttribute('scores', '8,7,9');
});

test('Home and End move a handle to the ends of the axis', async ({page, site}) => {
  const widget = await open(page, site, 'attn-softmax');
  await handle(widget, '丙的分数').focus();
  await page.keyboard.press('Home');
  await expect(widget).toHaveAttribute('scores', '8,7,-6');
  await page.keyboard.press('End');
  await expect(widget).toHaveAttribute('scores', '8,7,12');
});

test('after playing to the end and a reset, the picture is the built one', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'no-preference'});
  const widget = await open(page, site, 'attn-softmax');
  const picture = () => widget.locator('svg.wide').evaluate((element) => element.textContent);
  const built = await picture();
  await widget.getByRole('button', {name: '播放'}).click();
  await expect(widget).toHaveAttribute('temperature', '10', {timeout: 10_000});
  expect(await changes(page)).toBe(1);
  expect(await picture()).not.toBe(built);
  await widget.getByRole('button', {name: '还原'}).click();
  expect(await picture()).toBe(built);
});

test('with reduced motion ▶ moves to the next stop, and skips none', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'reduce'});
  const widget = await open(page, site, 'attn-softmax', '?temperature=0.1');
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    await widget.getByRole('button', {name: '播放'}).click();
    seen.push((await widget.getAttribute('temperature')) ?? '1');
  }
  // 10 to the power of −0.5, 0, 0.5 and 1, to three digits.
  expect(seen).toEqual(['0.316', '1', '3.16', '10']);
});
