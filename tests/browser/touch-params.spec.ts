// attn-params: a part by mouse, finger and keys; a changed number, a pasted and a refused config.
import {expect} from '@playwright/test';
import {test} from './site.js';
import {open, shown} from './touching.js';

test.use({hasTouch: true});

test('a part pressed by mouse, finger and keys gives one state, link and digits', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-params');
    const part = widget.getByRole('button', {name: '放宽，65,536个参数', exact: true});
    if (way === 'mouse') await part.click();
    else if (way === 'touch') await part.tap();
    else {
      await part.focus();
      await page.keyboard.press('Enter');
    }
    // Two layers of 128 × 256.
    await expect(widget.locator('.says')).toContainText('2×128×256＝65,536');
    await expect(part).toHaveAttribute('aria-pressed', 'true');
    await widget.getByRole('button', {name: '复制链接'}).click();
    results.push(`${await shown(widget)} ${page.url()}`);
  }
  expect(new Set(results).size).toBe(1);
});

test('other numbers and other configs change the account; a refused one leaves it', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-params');
  const says = widget.locator('.says');
  await widget.getByRole('combobox', {name: '模型'}).selectOption('llama-3.1-8b');
  await expect(says).toContainText('一共8,030,261,248个参数');
  // One layer less: two norms, Q and O of 4096², K and V of 4096 · 1024, three of 4096 · 14336.
  await widget.getByRole('textbox', {name: '层数'}).fill('31');
  const layer = 2 * 4096 + 2 * 4096 ** 2 + 2 * 4096 * 1024 + 3 * 4096 * 14336;
  const left = (8030261248 - layer).toLocaleString('en-US');
  await expect(says).toContainText(`粘贴的配置一共${left}个参数`);
  const text = widget.getByRole('textbox', {name: 'config.json'});
  await text.fill('{"model_type": "bert"}');
  await expect(widget.locator('#trouble')).toContainText('图仍是上一次的');
  await expect(says).toContainText(left);
  await text.fill('');
  await expect(says).toContainText('一共8,030,261,248个参数');
});
