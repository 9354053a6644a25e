// attn-position as it is touched: both places on a line, hands of clocks, seats of tokens.
import {expect, type Locator} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, dragTo, open, shown} from './touching.js';

test.use({hasTouch: true});

const handle = (widget: Locator, name: string) =>
  widget.getByRole('slider', {name, exact: true}).first();

test('the key moved with mouse, finger and keys gives one state and the same digits', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-position');
    const key = handle(widget, 'k的位置');
    if (way === 'keys') {
      await key.focus();
      // The first key loads the module.
      await page.keyboard.press('PageUp');
      await expect(widget).toHaveAttribute('at', '10');
      for (const press of ['PageUp', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
        await page.keyboard.press(press);
    } else {
      const from = await centre(key);
      const to = await centre(handle(widget, 'q再往后'));
      // The handles are 3 places apart: 7 times as far is place 21.
      await dragTo(page, way, from, {x: from.x + 7 * (to.x - from.x), y: from.y}, async () =>
        expect(await changes(page)).toBe(0),
      );
    }
    await expect(widget).toHaveAttribute('at', '21');
    await expect(widget.locator('.says')).toContainText('k在21、q在24，分数0.308。');
    results.push(await shown(widget));
  }
  expect(new Set(results).size).toBe(1);
});

test('the query is dragged away from its key, and the clock’s hand turns both', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-position', '?at=10');
  const query = handle(widget, 'q再往后');
  await query.focus();
  await page.keyboard.press('ArrowRight');
  await expect(widget).toHaveAttribute('offset', '4');
  await expect(widget).toHaveAttribute('at', '10');
  // The hand of the first pair turns by one radian a place: the fourth part of a circle is 1.57.
  const hand = handle(widget, 'k的指针，每步1弧度');
  await hand.focus();
  await page.keyboard.press('ArrowRight');
  await expect(widget).toHaveAttribute('at', '11');
  await expect(widget).toHaveAttribute('offset', '4');
  const clock = await widget.locator('svg.wide circle[fill=none]').first().boundingBox();
  const from = await centre(hand);
  const middle = {x: clock!.x + clock!.width / 2, y: clock!.y + clock!.height / 2};
  // A quarter turn against the clock, as angles grow: the screen’s y points down.
  const [dx, dy] = [from.x - middle.x, from.y - middle.y];
  await dragTo(page, 'mouse', from, {x: middle.x + dy, y: middle.y - dx});
  await expect(widget).toHaveAttribute('at', '13');
});

test('a token is dragged to another seat, the others move up', async ({page, site}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const query = '?kind=none&order=1,2,3,4,5';
    const widget = await open(page, site, 'attn-position', query);
    const seat = handle(widget, '小明的座位');
    if (way === 'keys') {
      await seat.focus();
      await page.keyboard.press('ArrowRight');
      await expect(widget).toHaveAttribute('order', '2,1,3,4,5');
      await page.keyboard.press('ArrowRight');
    } else {
      await dragTo(page, way, await centre(seat), await centre(handle(widget, '苹果的座位')));
    }
    await expect(widget).toHaveAttribute('order', '2,3,1,4,5');
    await expect(seat).toHaveAttribute('aria-valuenow', '3');
    await expect(widget.locator('.says')).toContainText('一个数都没变');
    results.push(await shown(widget));
  }
  expect(new Set(results).size).toBe(1);
});

test('the walk with reduced motion stops at each named place', async ({page, site}) => {
  const widget = await open(page, site, 'attn-position');
  for (const place of ['31', '63', '95']) {
    await widget.getByRole('button', {name: '播放'}).click();
    await expect(widget).toHaveAttribute('at', place);
  }
  await expect(widget.locator('.says')).toContainText('分数0.308。');
});
