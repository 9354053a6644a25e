// attn-float: a bit by mouse and by keys, the number dragged by mouse, finger and keys.
import {expect} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, dragTo, open, shown} from './touching.js';

test.use({hasTouch: true});

test('a bit turned over by mouse, finger and keys gives one state, link and digits', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-float');
    const bit = widget.getByRole('button', {name: '第16位，小数，2⁻¹⁰', exact: true});
    await expect(bit).toHaveAttribute('aria-pressed', 'true');
    if (way === 'mouse') await bit.click();
    else if (way === 'touch') await bit.tap();
    else {
      await bit.focus();
      await page.keyboard.press('Enter');
    }
    // Without its last bit the number is 1.
    await expect(widget.locator('.says')).toContainText('正好有这个数');
    await expect(widget).toHaveAttribute('bits', '3c00');
    await widget.getByRole('button', {name: '复制链接'}).click();
    results.push(`${await shown(widget)} ${page.url()}`);
  }
  expect(new Set(results).size).toBe(1);
});

test('the number moves to a neighbour; the sum and the scale follow their sliders', async ({
  page,
  site,
}) => {
  for (const way of ['mouse', 'touch'] as const) {
    const widget = await open(page, site, 'attn-float', '?value=1');
    const handle = widget.getByRole('slider', {name: '要存的数', exact: true});
    await handle.scrollIntoViewIfNeeded();
    const from = await centre(handle.locator('circle'));
    const box = (await widget.locator('svg[role=group]').nth(1).boundingBox())!;
    // The picture shows 1.5 steps on both sides: steps of 2⁻¹¹ below 1, of 2⁻¹⁰ above.
    await dragTo(page, way, from, {x: box.x + 0.98 * box.width, y: from.y});
    await expect.poll(() => changes(page)).toBe(1);
    const value = Number(await widget.getAttribute('value'));
    expect(value).toBeGreaterThan(1 + 2 ** -10);
    expect(value).toBeLessThan(1 + 2 ** -9);
  }
  const widget = await open(page, site, 'attn-float');
  await widget.getByRole('button', {name: '小梯度', exact: true}).click();
  await expect(widget.locator('.says')).toContainText('成了0');
  await widget.getByRole('slider', {name: '先乘', exact: true}).fill('10');
  await expect(widget).toHaveAttribute('scale', '1024');
  await expect(widget.locator('.says')).toContainText('得1.001×10⁻⁸');
  await widget.getByRole('slider', {name: '加几项', exact: true}).fill('8');
  await expect(widget).toHaveAttribute('terms', '256');
  await expect(widget.locator('.says')).toContainText('逐项加256个，得1。');
});
