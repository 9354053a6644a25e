// The KV-cache calculator and the models' pages as a reader uses them.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect, type Locator, type Page} from '@playwright/test';
import {test, dist, type Site} from './site.js';

const modelFile = (id: string) =>
  fileURLToPath(new URL(`../../lessons/models/${id}.json`, import.meta.url));
const configOf = (id: string) => readFileSync(modelFile(id), 'utf8');

async function open(page: Page, site: Site, hash = ''): Promise<Locator> {
  await page.goto(`${site.url}models/${hash}`);
  const widget = page.locator('#w-kv-cache');
  await expect(widget).toHaveAttribute('ready', '');
  return widget;
}

const says = (widget: Locator) => widget.locator('.says');
const picker = (widget: Locator) => widget.getByRole('combobox', {name: '模型', exact: true});

test('another model, length, batch and format', async ({page, site}) => {
  const widget = await open(page, site);
  await picker(widget).selectOption('Gemma-4-26B-A4B');
  await widget.getByRole('textbox', {name: '上下文'}).fill('１０００');
  // 25 · 8 · 512 · 2 B + 5 · 2 · 1,024 · 2 B while the windows of 1,024 fill.
  await expect(says(widget)).toContainText('每多一个词元加225,280 B（220 KiB）');
  await widget.getByRole('textbox', {name: '上下文'}).fill('4096');
  await expect(says(widget)).toContainText('现在只加20,480 B（20 KiB）');
  await expect(says(widget)).toContainText('不是一个常数');
  await widget.getByRole('combobox', {name: '格式'}).selectOption('fp8');
  await expect(says(widget)).toContainText('现在只加10,240 B（10 KiB）');
  await expect(widget).toHaveAttribute('model', 'gemma-4-26b-a4b');
  await widget.getByRole('button', {name: '还原'}).click();
  await expect(picker(widget)).toHaveValue('anchor-model');
  await expect(says(widget)).toContainText('2,298,478,592 B');
});

test('the marker moves by a doubling with Shift and the arrow keys', async ({page, site}) => {
  const widget = await open(page, site);
  await widget.getByRole('slider', {name: '上下文'}).first().focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(widget).toHaveAttribute('context', '65536');
});

test('a pasted config is read; a bad one gives a reason and stays', async ({page, site}) => {
  const widget = await open(page, site);
  await widget.getByText('粘贴或拖入config.json').click();
  const area = widget.getByRole('textbox', {name: 'config.json'});
  await area.fill(configOf('nemotron-h-56b'));
  await expect(says(widget)).toContainText('粘贴的配置读到32,768个词元');
  await expect(says(widget)).toContainText('每多一个词元加40,960 B（40 KiB）');
  await expect(picker(widget)).toHaveValue('');

  const broken = '{"n_layer": 2, "n_head": 1, "head_dim": 8, "mamba_flavour": 1}';
  await area.fill(broken);
  await expect(widget.getByRole('alert')).toContainText('没有见过mamba_flavour这个键');
  await expect(area).toHaveValue(broken);
  await expect(says(widget)).toContainText('40,960 B');

  await area.fill('');
  await expect(widget.getByRole('alert')).toBeHidden();
  await expect(says(widget)).toContainText('Qwen3.8-27B');
});

test('a doubtful key is listed beside the number until the reader dismisses it', async ({
  page,
  site,
}) => {
  const widget = await open(page, site);
  await widget.getByText('粘贴或拖入config.json').click();
  await widget
    .getByRole('textbox', {name: 'config.json'})
    .fill('{"n_layer": 2, "n_head": 1, "head_dim": 8, "attention_flavour": 1}');
  const doubt = widget.getByRole('listitem').filter({hasText: 'attention_flavour ＝ 1：没有见过'});
  await expect(doubt).toBeVisible();
  // 2 layers · K and V · 1 head · 8 numbers · 2 bytes.
  await expect(says(widget)).toContainText('每多一个词元加64 B');
  await widget.getByRole('button', {name: '不理会这一项：attention_flavour'}).click();
  await expect(doubt).toHaveCount(0);
  await expect(says(widget)).toContainText('每多一个词元加64 B');
  await widget.getByRole('button', {name: '都算进来（1）'}).click();
  await expect(doubt).toBeVisible();
});

test('malformed files give a sentence, and the page still works', async ({page, site}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const widget = await open(page, site);
  const give = (buffer: Buffer) =>
    widget
      .locator('input[type=file]')
      .setInputFiles({name: 'config.json', mimeType: 'application/json', buffer});
  const alert = widget.getByRole('alert');
  await give(Buffer.from('['.repeat(5000) + ']'.repeat(5000)));
  await expect(alert).toContainText('嵌套得太深，超过了64层');
  await give(Buffer.alloc(9 << 20, ' '));
  await expect(alert).toContainText('文件太大，有9437184字节');
  await give(Buffer.from('{"n_layer": 2, "n_layer": 3}'));
  await expect(alert).toContainText('n_layer这个键写了两次');
  await give(Buffer.from('{\n  "n_layer": ?\n}'));
  await expect(alert).toContainText('第2行第14列不该是「?」');
  const text = '\uFEFF{"n_layer": 2, "n_head": 1, "head_dim": 8}';
  await give(Buffer.from(text, 'utf16le'));
  await expect(alert).toBeHidden();
  await expect(says(widget)).toContainText('每多一个词元加64 B');
  expect(errors).toEqual([]);
});

test('a file can be opened or dropped', async ({page, site}) => {
  const widget = await open(page, site);
  await widget.locator('input[type=file]').setInputFiles(modelFile('gpt2'));
  await expect(says(widget)).toContainText('每多一个词元加36,864 B（36 KiB）');
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'config.json', {type: 'application/json'}));
    return data;
  }, configOf('chatglm3-6b'));
  await widget.getByRole('combobox', {name: '格式'}).dispatchEvent('drop', {dataTransfer: dropped});
  await expect(says(widget)).toContainText('每多一个词元加28,672 B（28 KiB）');
});

test('an unreadable model gives a message and changes nothing', async ({page, site}) => {
  const widget = await open(page, site);
  await picker(widget).selectOption('deepseek-v4-flash');
  await expect(widget.getByRole('alert')).toContainText('compress_ratios');
  await expect(picker(widget)).toHaveValue('anchor-model');
  await expect(says(widget)).toContainText('2,298,478,592 B');
});

test('a model’s page links to the calculator with its state', async ({page, site}) => {
  await page.goto(`${site.url}models/gpt-oss-20b/`);
  await page.getByRole('link', {name: '计算器'}).click();
  const widget = page.locator('#w-kv-cache');
  await expect(widget).toHaveAttribute('ready', '');
  await expect(says(widget)).toContainText('gpt-oss-20b读到131,072个词元');
});

test('an added widget shows the state of its attributes', async ({page, site}) => {
  await page.goto(`${site.url}models/`);
  await expect(page.locator('#w-kv-cache')).toHaveAttribute('ready', '');
  // The new widget has no result from the build, and the module is not loaded yet.
  await page.evaluate(() => {
    const late = document.createElement('attn-kv-cache');
    late.id = 'late';
    late.setAttribute('context', '1000');
    document.querySelector('main')?.append(late);
  });
  const late = page.locator('#late');
  await expect(late).toHaveAttribute('ready', '');
  await expect(says(late)).toContainText('1,000个词元');
});

test('the module for caches loads at the first change, and a failure gives a message', async ({
  page,
  site,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`${site.url}c3/l03/`);
  await expect(page.locator('#w-softmax')).toHaveAttribute('ready', '');
  expect(requested.filter((url) => /cache/.test(url))).toEqual([]);

  await page.route(/attn_cache.*\.wasm$/, (route) => route.fulfill({status: 404}));
  await page.goto(`${site.url}models/`);
  const widget = page.locator('#w-kv-cache');
  await expect(widget).toHaveAttribute('ready', '');
  expect(requested.filter((url) => /attn_cache.*wasm/.test(url))).toEqual([]);
  const before = await says(widget).textContent();
  await widget.evaluate((element: Element & {state?: object}) => {
    element.state = {batch: 2};
  });
  await expect(widget.locator('.trouble')).toContainText('载入失败');
  await expect(says(widget)).toHaveText(before ?? '');
  await expect(widget.locator('[data-figure]').first()).toBeVisible();
});

test('lessons, timeline and models’ pages print the same digits', () => {
  const {numbers} = JSON.parse(readFileSync(`${dist}/numbers.json`, 'utf8')) as {
    numbers: {id: string; page: string; value: number | string}[];
  };
  const valuesOf = (id: string, page: RegExp) =>
    numbers.filter((number) => number.id === id && page.test(number.page)).map(({value}) => value);
  const pairs = {
    gqa_token: 'anchor-model',
    llm67_token: 'deepseek-llm-67b',
    v2_token: 'deepseek-v2',
    v3_token: 'deepseek-v3',
    glm_token: 'glm-5.3',
  };
  for (const [lesson, model] of Object.entries(pairs)) {
    const here = valuesOf(lesson, /^c3\//);
    const there = valuesOf(`${model}.growing`, /^models\//);
    expect(here, lesson).not.toEqual([]);
    expect(there, model).not.toEqual([]);
    expect(new Set([...here, ...there]).size, lesson).toBe(1);
  }
});
