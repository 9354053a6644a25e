// The score-to-weight calculator as a reader uses it.
import {expect, type Locator, type Page} from '@playwright/test';
import * as check from './checks.js';
import {test, type Site} from './site.js';

const lesson = 'c3/l03/';

async function open(page: Page, site: Site, hash = '#w-softmax'): Promise<Locator> {
  await page.goto(`${site.url}${lesson}${hash}`);
  const widget = page.locator('#w-softmax');
  await expect(widget).toHaveAttribute('ready', '');
  await widget.locator('.exact > summary').click();
  return widget;
}

const picture = (widget: Locator) => widget.locator('[data-figure]');
const box = (widget: Locator, name: string) => widget.getByRole('textbox', {name: `${name}的分数`});

test('a typed score moves the picture, the sentence and the attribute', async ({page, site}) => {
  const widget = await open(page, site);
  await expect(picture(widget)).toHaveAccessibleName('权重：甲 24.5 %，乙 9.0 %，丙 66.5 %');
  await box(widget, '乙').fill('9');
  await expect(picture(widget)).toHaveAccessibleName(/乙 42\.2 %，丙 42\.2 %/);
  await expect(widget).toHaveAttribute('scores', '8,9,9');
});

test('invalid input gives a message, and the picture stays', async ({page, site}) => {
  const widget = await open(page, site);
  for (const [text, words] of [
    ['', '空着'],
    ['1e400', '双精度'],
    ['甲', '不是一个数'],
  ] as const) {
    await box(widget, '甲').fill(text);
    await expect(widget.getByRole('alert')).toContainText(words);
    await expect(box(widget, '甲')).toHaveAttribute('aria-invalid', 'true');
    await expect(picture(widget)).toHaveAccessibleName('权重：甲 24.5 %，乙 9.0 %，丙 66.5 %');
  }
  await box(widget, '甲').fill('－１．５');
  await expect(widget.getByRole('alert')).toBeHidden();
  await expect(widget).toHaveAttribute('scores', '-1.5,7,9');
});

test('a pasted list fills the row', async ({page, site}) => {
  const widget = await open(page, site);
  await box(widget, '甲').fill('１，２，３');
  await expect(widget).toHaveAttribute('scores', '1,2,3');
  await box(widget, '甲').fill(Array.from({length: 200}, (_, i) => i % 7).join(' '));
  await expect(widget.getByRole('textbox', {name: /的分数$/})).toHaveCount(200);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('extreme scores have weights when stable and a message otherwise', async ({page, site}) => {
  const widget = await open(page, site);
  await widget.getByRole('button', {name: '88.8 / 100 / 102'}).click();
  await expect(picture(widget)).toHaveAccessibleName(/丙 88\.1 %/);
  await widget.getByRole('checkbox', {name: /float32/}).check();
  await widget.getByRole('checkbox', {name: /先减最大值/}).uncheck();
  await expect(widget.locator('.says')).toContainText('溢出');
  await expect(widget.locator('.says')).toContainText('无定义');
  await expect(widget).not.toContainText('NaN');
  await widget.getByRole('button', {name: '还原'}).click();
  await expect(picture(widget)).toHaveAccessibleName('权重：甲 24.5 %，乙 9.0 %，丙 66.5 %');
  await expect(widget.getByRole('checkbox', {name: /先减最大值/})).toBeChecked();
});

test('a state set as soon as the tag exists replaces the built picture', async ({page, site}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.addInitScript(() => {
    void customElements.whenDefined('attn-softmax').then(() => {
      // One token more than in the built picture.
      for (const widget of document.querySelectorAll('attn-softmax'))
        Object.assign(widget, {state: {scores: [1, 1, 1, 1], method: 'softmax'}});
    });
  });
  await page.goto(site.url + lesson);
  await check.unfold(page);
  const widgets = page.locator('attn-softmax');
  for (const widget of await widgets.all()) {
    await expect(widget).toHaveAttribute('scores', '1,1,1,1');
    // Equal scores share equally: 1 ÷ 4.
    await expect(picture(widget)).toHaveAccessibleName(/25\.0 %(.*25\.0 %){3}/);
    await expect(widget.locator('.boxes .number input')).toHaveCount(4);
  }
  expect(await widgets.count()).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

test('a link restores its state, and a bad one gives a sentence', async ({page, site}) => {
  const widget = await open(page, site, '#w-softmax?scores=10,3,-4&method=share');
  await expect(picture(widget)).toHaveAccessibleName(/丙 −44\.4 %/);
  await page.goto(`${site.url}errata/`);
  await open(page, site, '#w-softmax?scores=%3Cimg%20src=x%3E');
  await expect(widget.getByRole('alert')).toContainText('链接有误，已用默认值');
  await expect(picture(widget)).toHaveAccessibleName('权重：甲 24.5 %，乙 9.0 %，丙 66.5 %');
});

test('the keyboard alone chooses the method', async ({page, site}) => {
  const widget = await open(page, site);
  await widget.getByRole('radio', {name: /softmax/}).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(widget).toHaveAttribute('method', 'shift');
  await expect(widget.locator('.says')).toContainText('总是得0');
});

test('the picture can be saved as a file', async ({page, site}) => {
  const widget = await open(page, site);
  const svg = await widget.evaluate((element) =>
    (element as HTMLElement & {toSVG(): Promise<string>}).toSVG(),
  );
  expect(svg).toContain('66.5 %');
  expect(svg).not.toMatch(/var\(|<!--|style=/);
});
