// The small attention widgets as a reader uses them, by keyboard and by link.
import {expect, type Locator, type Page} from '@playwright/test';
import {test, type Site} from './site.js';

async function open(
  page: Page,
  site: Site,
  lesson: string,
  id: string,
  query = '',
): Promise<Locator> {
  // The link opens what is veiled.
  await page.goto(`${site.url}c3/${lesson}/${query || `#${id}`}`);
  const widget = page.locator(`#${id}`);
  await expect(widget).toHaveAttribute('ready', '');
  return widget;
}

const says = (widget: Locator) => widget.locator('.says');

test('Q, K and V follow the keyboard, from the presets to single numbers', async ({page, site}) => {
  const widget = await open(page, site, 'l05', 'w-qkv');
  await expect(says(widget)).toContainText('(1.267, 0.733)');
  await widget.getByRole('checkbox', {name: /除以√2/}).focus();
  await page.keyboard.press('Space');
  await expect(says(widget)).toContainText('(1.203, 0.797)');
  await widget.getByRole('button', {name: '只让自己可见'}).focus();
  await page.keyboard.press('Enter');
  await expect(says(widget)).toContainText('单位矩阵');
  await widget.getByRole('button', {name: '正文那个例子'}).focus();
  await page.keyboard.press('Enter');
  // k₁ from (1, 0) to (2, 0), half a step at a time.
  await widget.getByRole('textbox', {name: 'K第1行第1列'}).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(widget).toHaveAttribute('k', '2,0,0,1,1,1');
  // e^(2/√2), 1, e^(1/√2) = 4.113, 1, 2.028 over 7.141
  await expect(says(widget)).toContainText('57.6 %、14.0 %、28.4 %');
});

test('an invalid matrix gives a message, and the picture stays', async ({page, site}) => {
  const widget = await open(page, site, 'l05', 'w-qkv');
  const box = widget.getByRole('textbox', {name: 'V第1行第1列'});
  for (const [text, words] of [
    ['', '空着'],
    ['2e6', '最大'],
    ['月', '不是一个数'],
  ] as const) {
    await box.fill(text);
    await expect(widget.getByRole('alert')).toContainText(words);
    await expect(says(widget)).toContainText('(1.267, 0.733)');
  }
  await box.fill('－１，０、0;1 2 ３');
  await expect(widget).toHaveAttribute('v', '-1,0,0,1,2,3');
});

test('the hard lookup jumps and the soft one changes smoothly', async ({page, site}) => {
  const widget = await open(page, site, 'l05', 'w-lookup');
  await expect(says(widget)).toContainText('硬查表只认「甲」');
  await widget.getByRole('textbox', {name: '推动甲'}).fill('1.4');
  await expect(says(widget)).toContainText('硬查表只认「乙」，取回20');
  await widget.getByRole('textbox', {name: '推动甲'}).fill('1.5');
  await expect(says(widget)).toContainText('2条并列最高');
});

test('a head shows the chosen row, and a link restores it', async ({page, site}) => {
  const widget = await open(page, site, 'l07', 'w-heads');
  await expect(says(widget)).toContainText('头A最看「小明」，89.5 %');
  await widget.getByRole('button', {name: '苹果'}).focus();
  await page.keyboard.press('Enter');
  await expect(says(widget)).toContainText('「苹果」这一行');
  const again = await open(page, site, 'l07', 'w-heads', '?again#w-heads?source=example');
  await expect(says(again)).toContainText('(0.330, 0.670, 0.330, 0.670)');
});
