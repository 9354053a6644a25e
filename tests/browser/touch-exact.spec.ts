// attn-online-softmax and attn-traffic: a dragged score, the walk by keys, a device by a press.
import {expect} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, dragTo, open, shown} from './touching.js';

test.use({hasTouch: true});

test('a score dragged by mouse, finger and keys gives one state, link and digits', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-online-softmax');
    const handle = widget.getByRole('slider', {name: '第3个分数', exact: true});
    await handle.scrollIntoViewIfNeeded();
    if (way === 'keys') {
      await handle.focus();
      // The first key loads the module.
      await page.keyboard.press('Shift+ArrowRight');
      await expect(widget).toHaveAttribute('scores', '1,3,3,5,4,0');
      await page.keyboard.press('Shift+ArrowRight');
    } else {
      // The fifth score is 4, and the third, 2, goes below it.
      const from = await centre(handle.locator('circle'));
      const goal = widget.getByRole('slider', {name: '第5个分数', exact: true});
      const {x} = await centre(goal.locator('circle'));
      await dragTo(page, way, from, {x, y: from.y});
      expect(await changes(page)).toBe(1);
    }
    await expect(widget).toHaveAttribute('scores', '1,3,4,5,4,0');
    await widget.getByRole('button', {name: '复制链接'}).click();
    results.push(`${await shown(widget)} ${page.url()}`);
  }
  expect(new Set(results).size).toBe(1);
});

test('the walk stops block by block; a larger block needs fewer stops', async ({page, site}) => {
  const widget = await open(page, site, 'attn-online-softmax', '?at=0');
  await widget.getByRole('slider', {name: '读到第几块'}).focus();
  await page.keyboard.press('ArrowRight');
  await expect(widget.locator('.says')).toContainText('第1块：最大的是3');
  await page.keyboard.press('ArrowRight');
  await expect(widget.locator('.says')).toContainText('m从3变成它');
  await widget.getByRole('textbox', {name: '每块'}).fill('6');
  await page.keyboard.press('Tab');
  await expect(widget.locator('.stop')).toHaveCount(1);

  const traffic = await open(page, site, 'attn-traffic');
  await traffic.getByRole('button', {name: '一台笔记本'}).click();
  await expect(traffic).toHaveAttribute('tera', '1');
  await expect(traffic.locator('.says')).toContainText('慢在算');
});
