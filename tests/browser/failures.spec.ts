// The mistakes that raise no error, and the readings, as a reader uses them.
import {expect, type Locator, type Page} from '@playwright/test';
import {test, type Site} from './site.js';

async function open(page: Page, site: Site, id: string): Promise<Locator> {
  await page.goto(`${site.url}case/failures/`);
  const widget = page.locator(id);
  await expect(widget).toHaveAttribute('ready', '');
  return widget;
}

test('each mistake shows its code, its run and its symptom', async ({page, site}) => {
  const widget = await open(page, site, '#w-failures');
  await expect(widget.locator('.says')).toContainText('末50步的损失比写对的低');
  await widget.getByRole('button', {name: /softmax之后才/}).click();
  await expect(widget.locator('.says')).toContainText('行和只有0.1768');
  await expect(widget.getByText('softmax(q @ k.T) / sqrt(d)')).toBeVisible();
  await expect(widget).toHaveAttribute('variant', 'scaled-after-softmax');
  await widget.getByRole('button', {name: /不减最大值/}).click();
  await expect(widget.getByText('nan').first()).toBeVisible();
});

test('readings are checked in order; an invalid one gives a message and changes nothing', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, '#w-diagnosis');
  const box = (name: string) => widget.getByRole('textbox', {name});
  await expect(widget.locator('.says')).toContainText('没有缩放');
  await box('‖J‖').fill('０.0000１');
  await expect(widget.locator('.says')).toContainText('2条里先查这一条');
  await box('熵H').fill('1.5');
  await expect(widget.getByRole('alert')).toContainText('这里最大是1');
  await expect(widget.locator('.says')).toContainText('没有缩放');
  await box('熵H').fill('0.7');
  await expect(widget.locator('.says')).toContainText('对不上');
  for (const name of ['熵H', '分数的标准差', '‖J‖']) await box(name).fill('');
  await expect(widget.locator('.says')).toContainText('把自己模型的读数填进来');
  await widget.getByRole('combobox', {name: '症状'}).selectOption('出现nan');
  await expect(widget.getByText('梯度裁剪救不了')).toBeVisible();
  await expect(widget).toHaveAttribute('symptom', 'nan');
});
