// attn-variance as it is touched: one rail for d, one for the draws, cells that choose a walk.
import {expect, type Locator, type Page} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, dragTo, open, picture, shown} from './touching.js';

test.use({hasTouch: true});

const rail = (widget: Locator, name: string) => widget.getByRole('slider', {name, exact: true});
/** A point of the rail, whose thumb is 22 px wide. */
async function pointOf(rail: Locator, at: number): Promise<{x: number; y: number}> {
  const {y} = await centre(rail);
  const box = await rail.boundingBox();
  if (!box) throw new Error('not drawn');
  return {x: box.x + 11 + at * (box.width - 22), y};
}

async function play(page: Page, widget: Locator, name: string): Promise<void> {
  await widget
    .locator('.playhead')
    .filter({has: page.getByRole('slider', {name, exact: true})})
    .getByRole('button', {name: '播放'})
    .click();
}

test('d moved with mouse, finger and keys gives one state, same digits and link', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-variance');
    const dims = rail(widget, '维数d');
    if (way === 'keys') {
      await dims.focus();
      await page.keyboard.press('ArrowLeft');
    } else {
      // From 256 to 64: 8 and 6 octaves of 12.
      await dragTo(page, way, await pointOf(dims, 8 / 12), await pointOf(dims, 6 / 12), async () =>
        expect(await changes(page)).toBe(0),
      );
    }
    await expect(widget).toHaveAttribute('d', '64');
    await expect.poll(() => changes(page)).toBe(1);
    await expect(widget.locator('.says')).toContainText('d＝64，不缩放');
    results.push((await shown(widget)) + (await picture(widget)));
  }
  expect(new Set(results).size).toBe(1);
});

test('with Shift d goes in quarters of an octave, and Home and End reach its ends', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-variance');
  await rail(widget, '维数d').focus();
  // 256 · 2^¼ = 304.4
  await page.keyboard.press('Shift+ArrowRight');
  await expect(widget).toHaveAttribute('d', '304');
  await page.keyboard.press('Home');
  await expect(widget).toHaveAttribute('d', '1');
  await page.keyboard.press('End');
  await expect(widget).toHaveAttribute('d', '4096');
});

test('the draws played to their end give the picture that was built', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'no-preference'});
  const widget = await open(page, site, 'attn-variance');
  const built = await picture(widget);
  // Playing from the start takes eleven seconds, from there two.
  const {x, y} = await pointOf(rail(widget, '抽样'), 0.8);
  await page.mouse.click(x, y);
  await expect.poll(() => changes(page)).toBe(1);
  await play(page, widget, '抽样');
  await expect.poll(() => picture(widget)).not.toBe(built);
  await expect.poll(() => changes(page), {timeout: 60_000}).toBe(2);
  expect(await picture(widget)).toBe(built);
});

test('without motion ▶ goes from stop to stop of both rails, and loses none', async ({
  page,
  site,
}) => {
  await page.emulateMedia({reducedMotion: 'reduce'});
  const widget = await open(page, site, 'attn-variance', '?at=0');
  const seen: string[] = [];
  for (const stop of ['一对', '一千', '全部']) {
    await play(page, widget, '抽样');
    await expect(widget.locator('.stop[aria-current="step"]').last()).toHaveText(stop);
    seen.push(await picture(widget));
  }
  expect(new Set(seen).size).toBe(3);
  const dims: (string | null)[] = [];
  for (let i = 0; i < 3; i++) {
    await play(page, widget, '维数d');
    dims.push(await widget.getAttribute('d'));
  }
  // From 256 on, and from the end back to the start.
  expect(dims).toEqual(['1024', '4096', '1']);
});

test('a cell of the row chooses its walk, by mouse and by key', async ({page, site}) => {
  const widget = await open(page, site, 'attn-variance');
  const cell = (i: number) =>
    widget.locator('svg.wide').getByRole('button', {name: `描粗第${i}对`, exact: true});
  await cell(3).click();
  await expect(widget).toHaveAttribute('pair', '3');
  await expect(cell(3)).toHaveAttribute('aria-pressed', 'true');
  await cell(5).press('Enter');
  await expect(widget).toHaveAttribute('pair', '5');
});

test('another divisor keeps the draws and changes the axis', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'no-preference'});
  const widget = await open(page, site, 'attn-variance');
  const ticks = () =>
    widget
      .locator('svg.wide > .ticks > text')
      .evaluateAll((texts) => texts.map((element) => element.textContent));
  expect(await ticks()).toContain('100');
  // The first touch fetches the module; the state follows.
  await widget.getByRole('radio', {name: '÷√d'}).click();
  await expect(widget).toHaveAttribute('divisor', 'root');
  await expect.poll(ticks).toEqual(['−4', '−2', '0', '2', '4']);
  await expect(widget.locator('svg.wide')).toContainText('10,000个点积');
});

test('every column of the table is in sight on a phone', async ({page, site}) => {
  await page.setViewportSize({width: 360, height: 700});
  const widget = await open(page, site, 'attn-variance');
  const scroll = widget.locator('.scroll').filter({has: page.locator('.sides')});
  expect(await scroll.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  expect(await scroll.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
});
