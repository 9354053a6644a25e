// The trained model on its page: it is loaded on demand and reads any text.
import {expect, type Locator, type Page} from '@playwright/test';
import {dist, serveStrictly, test} from './site.js';

const says = (widget: Locator) => widget.locator('.says');
const textBox = (widget: Locator) => widget.getByRole('textbox', {name: '一段话'});

async function open(page: Page, url: string, hash = ''): Promise<Locator> {
  await page.goto(`${url}case/heads/${hash}`);
  const widget = page.locator('#w-heads');
  await expect(widget).toHaveAttribute('ready', '');
  return widget;
}

/** The names of loaded files that only the model needs. The list grows while the page is open. */
function fetched(page: Page): string[] {
  const names: string[] = [];
  page.on('request', (request) => {
    const name = request.url().split('/').at(-1) ?? '';
    if (/^(attn_train|small-scaled)-.*\.(wasm|weights)$/.test(name)) names.push(name);
  });
  return names;
}

test('the model loads on demand, draws the same picture, and then another head', async ({
  page,
  site,
}) => {
  const names = fetched(page);
  const widget = await open(page, site.url);
  const drawn = await says(widget).textContent();
  expect(drawn).toContain('L0H1在这24个字上');
  expect(names).toEqual([]);
  await widget.getByRole('button', {name: /载入模型/}).click();
  await expect(widget.getByRole('button', {name: /载入模型/})).toBeHidden();
  expect(names).toHaveLength(2);
  // The module in the page computes the digits that the build printed.
  await widget.getByRole('button', {name: 'L1H3', exact: true}).click();
  await expect(says(widget)).toContainText('L1H3在这24个字上');
  await widget.getByRole('button', {name: '大图画L0H1'}).click();
  await expect(says(widget)).toHaveText(drawn ?? '');
  expect(names).toHaveLength(2);
});

test('the first change loads the model; simplified characters give a hint', async ({
  page,
  site,
}) => {
  const widget = await open(page, site.url);
  await textBox(widget).fill('床前明月光，林间不见人。魑');
  await expect(says(widget)).toContainText('在这13个字上');
  await expect(widget.getByText('简体的床、间、见它没见过')).toBeVisible();
  await expect(widget.getByText('魑不在模型的词表里')).toBeVisible();
  await widget.getByRole('button', {name: /换成繁体/}).click();
  await expect(textBox(widget)).toHaveValue('牀前明月光，林間不見人。\n魑');
  await expect(widget.getByText('它没见过')).toBeHidden();
  await expect(widget).toHaveAttribute('text', '牀前明月光，林間不見人。魑');
});

test('a text is not read during composition', async ({page, site}) => {
  const widget = await open(page, site.url);
  await textBox(widget).fill('明月');
  await expect(says(widget)).toContainText('在这2个字上');
  await textBox(widget).press('End');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', {text: 'song', selectionStart: 4, selectionEnd: 4});
  await expect(textBox(widget)).toHaveValue('明月song');
  await expect(widget).toHaveAttribute('text', '明月');
  await session.send('Input.insertText', {text: '松'});
  await expect(widget).toHaveAttribute('text', '明月松');
  await expect(says(widget)).toContainText('在这3个字上');
});

test('a long text, an empty one, greedy writing', async ({page, site}) => {
  const widget = await open(page, site.url);
  await textBox(widget).fill('春'.repeat(70));
  await expect(widget.getByText('只读了最后64个，前面的6个没有读')).toBeVisible();
  await textBox(widget).fill('');
  await expect(widget.getByRole('alert')).toContainText('这里还空着');
  await expect(says(widget)).toContainText('在这64个字上');
  await textBox(widget).fill('明月');
  await expect(widget.getByRole('alert')).toBeHidden();
  await widget.getByRole('textbox', {name: '温度'}).fill('0');
  await expect(widget.getByText('现在是贪心')).toBeVisible();
});

test('a link restores text and head', async ({page, site}) => {
  const widget = await open(
    page,
    site.url,
    `#w-heads?text=${encodeURIComponent('春風')}&layer=1&head=2`,
  );
  await expect(says(widget)).toContainText('L1H2在这2个字上');
});

test('missing weights give a message, and the picture stays', async ({page}) => {
  let broken = true;
  const fault = (path: string) =>
    broken && path.endsWith('.weights') ? {status: 404, body: '404'} : undefined;
  const site = await serveStrictly(dist, {fault});
  try {
    const widget = await open(page, site.url);
    await widget.getByRole('button', {name: 'L1H0', exact: true}).click();
    await expect(widget.getByRole('alert')).toContainText('模型载入失败');
    await expect(says(widget)).toContainText('L0H1');
    broken = false;
    await widget.getByRole('button', {name: 'L1H0', exact: true}).click();
    await expect(says(widget)).toContainText('L1H0');
    await expect(widget.getByRole('alert')).toBeHidden();
  } finally {
    await site.close();
  }
});

test('a page without a built picture loads the model on demand', async ({page, site}) => {
  await page.goto(`${site.url}c3/l07/`);
  await expect(page.locator('attn-heads').first()).toHaveAttribute('ready', '');
  await page.evaluate(() => {
    const widget = document.createElement('attn-heads');
    widget.id = 'later';
    widget.setAttribute('source', 'trained');
    widget.setAttribute('text', '江水');
    document.querySelector('main')?.prepend(widget);
  });
  await expect(says(page.locator('#later'))).toContainText('L0H1在这2个字上');
});
