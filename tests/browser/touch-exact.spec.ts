// attn-online-softmax, attn-tiles, attn-traffic and attn-timing: a dragged score, walks by keys, a
// pressed tile, a device by a press, lengths that are timed.
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
      await expect.poll(() => changes(page)).toBe(1);
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

test('tiles are walked by keys and met by a press; a window skips more of them', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-tiles', '?at=0');
  await widget.getByRole('slider', {name: '算到第几块'}).focus();
  await page.keyboard.press('ArrowRight');
  await expect(widget.locator('.says')).toContainText('第1块：第1到4个查询，第1到4个键');
  // The last of three tiles in the last row.
  await widget.locator('.view g.press').last().click();
  await expect(widget.locator('.says')).toContainText('算了6块，跳过3块');
  await widget.locator('.view g.press').nth(3).click();
  await expect(widget.locator('.says')).toContainText('第4块：第9到12个查询，第1到4个键');
  await widget.getByRole('radio', {name: '最近4个'}).click();
  await expect(widget).toHaveAttribute('pattern', 'window');
  await expect(widget.locator('.view g.press')).toHaveCount(5);
});

test('lengths are timed in the page; times of other settings are forgotten', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-timing', '?lengths=8,16&width=4');
  await expect(widget.locator('.says')).toContainText('按「量一量」');
  await widget.getByRole('button', {name: '量一量'}).click();
  await expect(widget.locator('.says')).toContainText('量到的时间是');
  await expect(widget.getByRole('button', {name: '量一量'})).toBeVisible();
  await widget.getByText('数据表').click();
  await expect(widget.locator('tbody tr').nth(1).locator('td').nth(2)).toHaveText(/^[\d.]+ ms$/);
  await widget.getByRole('textbox', {name: '头数'}).fill('2');
  await page.keyboard.press('Tab');
  await expect(widget.locator('.says')).toContainText('按「量一量」');
});
