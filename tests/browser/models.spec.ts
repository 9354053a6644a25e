// The chart of the models' page: sorted by a press or a key, each row with a link and its bytes.
import {expect} from '@playwright/test';
import {test} from './site.js';

test('the chart is sorted with mouse and keys, keeps its rows, and links to the models', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}models/`);
  const rows = page.locator('.sizes ol > li');
  const names = () => rows.locator('.model > span').allTextContents();
  const bySize = await names();
  const press = (name: string) => page.getByRole('button', {name, exact: true});
  await expect(press('从小到大')).toHaveAttribute('aria-pressed', 'true');

  await press('从大到小').click();
  expect(await names()).toEqual([...bySize].reverse());
  await press('按机制').focus();
  await page.keyboard.press('Enter');
  await expect(press('按机制')).toHaveAttribute('aria-pressed', 'true');
  await expect(press('从大到小')).toHaveAttribute('aria-pressed', 'false');
  const kinds = (await names()).map((name) => name.split(' ').at(-1));
  expect([...new Set(kinds)]).toEqual(kinds.filter((kind, i) => kind !== kinds[i - 1]));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const byName = await names();
  expect(byName).toEqual([...byName].sort());
  expect([...byName].sort()).toEqual([...bySize].sort());

  // 12 layers · 2 · 8 heads · 64 · 2 B; the card gives the bytes and the key.
  const row = rows.filter({hasText: 'gpt-oss-20b'});
  const [growing, within] = [row.locator('.num').first(), row.locator('.num').last()];
  await expect(growing).toHaveText('24 KiB');
  await expect(within).toHaveText('48 KiB');
  await growing.focus();
  await expect(page.locator('#number-card')).toContainText('24,576 B');
  await expect(page.locator('#number-card')).toContainText('num_key_value_heads');
  // The table of all numbers is as wide as its fold.
  await page.getByText('全部的数').click();
  const box = page.locator('.box .models .scroll, .box .models').last();
  expect(await box.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  // The dot is part of the link.
  await row.locator('.mark').last().click();
  await expect(page).toHaveURL(/models\/gpt-oss-20b\/index\.html$/);
});

test('on a phone a row is tall enough for a finger', async ({page, site}) => {
  await page.setViewportSize({width: 360, height: 740});
  await page.goto(`${site.url}models/`);
  const heights = await page
    .locator('.sizes .model, .sizes button')
    .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});
