// attn-backward: a number dragged by mouse, finger and keys gives one state, and the walk's picture
// at rest is the build's.
import {expect} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, dragTo, open, shown} from './touching.js';

test.use({hasTouch: true});

test('a number of K dragged by mouse, finger and keys gives one state, link and digits', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-backward', '?at=0.8');
    const cell = widget.getByRole('slider', {name: 'K第1行第2列', exact: true});
    await cell.scrollIntoViewIfNeeded();
    const before = Number(await cell.getAttribute('aria-valuenow'));
    if (way === 'keys') {
      await cell.focus();
      await page.keyboard.press('Shift+ArrowRight');
      for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowLeft');
    } else {
      // Four pixels for each of eight tenths.
      const {x, y} = await centre(cell);
      await dragTo(page, way, {x, y}, {x: x + 32, y});
      await expect.poll(() => changes(page)).toBe(1);
    }
    await expect(cell).toHaveAttribute('aria-valuenow', String(Number((before + 0.8).toFixed(1))));
    await expect(widget.locator('.reading').last()).toContainText('✓ 核对相符');
    await widget.getByRole('button', {name: '复制链接'}).click();
    results.push(`${await shown(widget)} ${page.url()}`);
  }
  expect(new Set(results).size).toBe(1);
});

test('a cell of a result is chosen by a tap and by arrows, and a mistake shows at once', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-backward');
  await widget.getByRole('button', {name: /^dS第2行第3列/}).tap();
  await expect(widget).toHaveAttribute('row', '2');
  await expect(widget.locator('.verse')).toContainText('dS第2行第3列：');
  await page.keyboard.press('ArrowUp');
  await expect(widget.getByRole('button', {name: /^dS第1行第3列/})).toBeFocused();
  await expect(widget.locator('.verse')).toContainText('dS第1行第3列：');
  await widget.getByRole('button', {name: '忘了减均值'}).click();
  await expect(widget.locator('.reading').last()).toContainText('✗ 核对不符');
  await expect(widget.locator('.says')).toContainText('一核对就看出来');
  // The playhead's stops by keys.
  await widget.getByRole('slider', {name: '走到哪一步'}).focus();
  await page.keyboard.press('ArrowRight');
  await expect(widget).toHaveAttribute('at', '0.8');
});
