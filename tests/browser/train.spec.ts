// Live training: a few steps of the small model, in a worker under the strict policy.
import {expect as given, type Locator, type Page} from '@playwright/test';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';
import type {AttnTrain} from '../../web/elements/attn-train.js';
import {documentOf, foreignPage} from './foreign.js';
import {dist, heldBack, serveStrictly, test} from './site.js';

/** A step takes long on a busy machine. */
const expect = given.configure({timeout: 30_000});

async function open(page: Page, url: string, query = ''): Promise<Locator> {
  await page.goto(`${url}case/training/${query && `#w-train?${query}`}`);
  const widget = page.locator('#w-train');
  await expect(widget).toHaveAttribute('ready', '');
  return widget;
}

const says = (widget: Locator) => widget.locator('.says');
const button = (widget: Locator, name: string | RegExp) => widget.getByRole('button', {name});
const live = (widget: Locator) =>
  widget.evaluate((element: AttnTrain) => {
    const {live: run} = element.result ?? {};
    return run ? {phase: run.phase, where: run.where, losses: run.curve.losses} : null;
  });
const stepsOf = async (widget: Locator) => (await live(widget))?.losses.length ?? 0;

test('the record is replayed from moment to moment, by ▶, keys and address alike', async ({
  page,
  site,
}) => {
  await page.emulateMedia({reducedMotion: 'reduce'});
  const widget = await open(page, site.url);
  const drawn = () =>
    widget.locator('.view').evaluate((element) => element.innerHTML.replaceAll(/<!--.*?-->/gs, ''));
  const maps = widget.getByRole('img', {name: /注意力，行看列/});
  const built = await drawn();
  const rail = widget.getByRole('slider', {name: '回放到第几步'});
  await rail.press('ArrowLeft');
  // The moments are fetched at the first touch; the second one of the record is after 74 steps.
  await expect(maps).toHaveAccessibleName(/^记录的第1,480步/);
  await widget.evaluate((element: AttnTrain) => (element.state = {...element.state, at: 0}));
  await expect(maps).toHaveAccessibleName(/^记录的第0步：L0H0/);
  await button(widget, '播放').click();
  await expect(maps).toHaveAccessibleName(/^记录的第74步/);
  await expect(says(widget)).toContainText('第74步，共1,500步');
  const played = await drawn();
  await button(widget, '大图画L1H2').press('Enter');
  await expect(maps).toHaveAccessibleName(/^记录的第74步：L1H2/);
  await expect(widget).toHaveAttribute('layer', '1');
  await button(widget, '大图画L0H0').click();
  expect(await drawn()).toBe(played);
  await rail.focus();
  for (let stop = 2; stop < 22; stop++) await rail.press('ArrowRight');
  await expect(says(widget)).toContainText('记录的一次');
  expect(await drawn()).toBe(built);
});

test('three steps: the recorded losses and diagnostics, digit for digit, then the end', async ({
  page,
  site,
}) => {
  const widget = await open(page, site.url, 'steps=3');
  await button(widget, '开始').click();
  // Three losses, and entropy, logits and Jacobian of step 0.
  await expect(says(widget)).toContainText('练完了，3步');
  await expect(says(widget)).toContainText('✓ 与记录逐位相同：比了6个数。');
  expect(await live(widget)).toMatchObject({phase: 'done', where: 'worker'});
  await widget.getByText('数据表').click();
  const row = widget.getByRole('row', {name: /^2 /});
  const record = await widget.evaluate(
    (element: AttnTrain) => element.result?.record?.firstLosses[2],
  );
  await expect(row.getByRole('cell').nth(1)).toHaveText(String(record));
  await expect(row).toContainText('✓');
  // The trained model can be applied to text afterwards.
  await widget.getByRole('textbox', {name: '读哪一句'}).fill('床前');
  await expect(widget).toContainText('□是词表外的字');
  await widget.getByRole('textbox', {name: '读哪一句'}).fill('');
  await expect(widget).toContainText('写一句诗，就能看到它怎样读。');
  await widget.getByRole('textbox', {name: '读哪一句'}).fill('春'.repeat(10_000));
  await expect(widget.getByRole('img', {name: /注意力，行看列/})).toBeVisible();
});

test('five clicks start one run; pause, a new rate, resume, stop', async ({page, site}) => {
  const widget = await open(page, site.url);
  await button(widget, '开始').click({clickCount: 5, delay: 20});
  await expect.poll(() => stepsOf(widget)).toBeGreaterThan(1);
  await button(widget, '暂停').press('Enter');
  await expect(says(widget)).toContainText('暂停了');
  await expect(button(widget, '继续')).toBeFocused();
  const at = await stepsOf(widget);
  await page.waitForTimeout(700);
  expect(await stepsOf(widget)).toBe(at);

  await widget.getByRole('textbox', {name: '学习率'}).fill('０.１');
  await expect(says(widget)).toContainText(`改过学习率，只有前${at + 1}步可比`);
  await button(widget, '继续').click();
  await expect.poll(() => stepsOf(widget)).toBeGreaterThan(at);
  await button(widget, '停下').click();
  await expect(says(widget)).toContainText('停下了');
  await expect(button(widget, '开始')).toHaveAttribute('aria-disabled', 'false');
});

test('a reload keeps settings and step, and the run can be continued', async ({page, site}) => {
  const widget = await open(page, site.url);
  await widget.getByRole('textbox', {name: '种子'}).fill('3');
  await button(widget, '开始').click();
  await expect.poll(() => stepsOf(widget)).toBeGreaterThan(0);
  await button(widget, '暂停').click();
  await expect(widget).toContainText(/已存到第\d+步/);
  const before = (await live(widget))?.losses;
  expect(page.url()).toContain('seed=3');
  await page.reload();
  await expect(widget).toHaveAttribute('seed', '3');
  await expect(widget).toContainText(
    `上次练小模型，÷√d到第${before?.length}步，存下的是第${before?.length}步。`,
  );
  await button(widget, `接着上次练（第${before?.length}步）`).click();
  await expect.poll(() => stepsOf(widget)).toBeGreaterThan(before?.length ?? 0);
  expect((await live(widget))?.losses.slice(0, before?.length)).toEqual(before);
});

test('leaving in the middle of a run loses only the steps since the last save', async ({
  page,
  site,
}) => {
  const widget = await open(page, site.url);
  await button(widget, '开始').click();
  await expect.poll(() => stepsOf(widget)).toBeGreaterThan(0);
  await page.goto(`${site.url}index.html`);
  const again = await open(page, site.url);
  await expect(again).toContainText(/上次练小模型，÷√d到第\d+步/);
  await button(again, '开始').click();
  await expect.poll(() => stepsOf(again)).toBeGreaterThan(0);
});

test('without workers it trains in the page, with the same digits', async ({page}) => {
  const site = await serveStrictly(dist, {policy: `${strictPolicy}; worker-src 'none'`});
  try {
    const widget = await open(page, site.url, 'steps=2');
    await button(widget, '开始').click();
    await expect(says(widget)).toContainText('练完了，2步');
    await expect(says(widget)).toContainText('✓ 与记录逐位相同：比了5个数。');
    expect(await live(widget)).toMatchObject({where: 'page'});
  } finally {
    await site.close();
  }
});

test('in a sandboxed frame without worker and storage it trains in the page', async ({
  page,
  site,
}) => {
  const host = await foreignPage(
    documentOf(
      `<iframe src="${site.url}embed/attn-train.html?steps=2" title="训练" sandbox="allow-scripts"
        width="700" height="900"></iframe>`,
    ),
  );
  try {
    await page.goto(host.url);
    const widget = page.frameLocator('iframe').locator('attn-train');
    await button(widget, '开始').click();
    await expect(says(widget)).toContainText('练完了，2步');
    await expect(says(widget)).toContainText('✓ 与记录逐位相同：比了5个数。');
    expect(await live(widget)).toMatchObject({where: 'page'});
  } finally {
    await host.close();
  }
});

test('on a page of another origin the worker belongs to that page', async ({page}) => {
  const site = await serve({folder: dist});
  const host = await foreignPage(
    documentOf(
      '<attn-train steps="1"></attn-train>',
      `<script type="module" src="${site.url}embed/attn.js"></script>`,
    ),
  );
  try {
    await page.goto(host.url);
    const widget = page.locator('attn-train');
    await button(widget, '开始').click();
    await expect(says(widget)).toContainText('练完了，1步');
    expect(await live(widget)).toMatchObject({where: 'worker'});
  } finally {
    await host.close();
    await site.close();
  }
});

test('a huge learning rate ends in a sentence with the step', async ({page, site}) => {
  const widget = await open(page, site.url, 'rate=1000000');
  await button(widget, '开始').click();
  await expect(says(widget)).toHaveText(/^走了2步，下一步发散/);
  await expect(widget).toContainText('1步');
  await expect(button(widget, '开始')).toHaveAttribute('aria-disabled', 'false');
});

for (const [name, path, answer, sentence] of [
  ['the text is missing', '/data/tang.txt', {status: 404, body: '404'}, '没有语料data/tang.txt'],
  [
    'a page comes instead of the text',
    '/data/tang.txt',
    {type: 'text/html', body: '<!doctype html>'},
    '没有语料data/tang.txt',
  ],
  [
    'another text comes',
    '/data/tang.txt',
    {body: '春眠不覺曉\n'.repeat(1000)},
    '不是记录用的那一份',
  ],
  ['the module is missing', 'attn_train', {status: 404, body: '404'}, '训练模块载入失败'],
] as const) {
  test(`${name}: a message, and the recorded curve stays`, async ({page}) => {
    const site = await serveStrictly(dist, {
      fault: (requested) => (requested.includes(path) ? answer : undefined),
    });
    try {
      const widget = await open(page, site.url);
      const pictures = await widget.locator('svg[data-figure]').count();
      await button(widget, '开始').click();
      await expect(says(widget)).toContainText(sentence);
      expect(await widget.locator('svg[data-figure]').count()).toBe(pictures);
      await expect(button(widget, '开始')).toHaveAttribute('aria-disabled', 'false');
    } finally {
      await site.close();
    }
  });
}

test('records of other models load on demand, and nothing large before the start', async ({
  page,
  site,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const widget = await open(page, site.url);
  expect(requested.filter((url) => /tang|attn_train|worker/.test(url))).toEqual([]);
  await widget.getByRole('combobox', {name: '模型'}).selectOption('large');
  await expect(says(widget)).toContainText('记录的一次，大模型，÷√d：1,500步');
  await widget.getByRole('combobox', {name: '注意力'}).selectOption('unscaled');
  await expect(says(widget)).toContainText('记录的一次，大模型，不缩放：1,500步');
  await button(widget, '还原').click();
  await expect(says(widget)).toContainText('记录的一次，小模型，÷√d');
});

test('the start is disabled while the record of another model loads', async ({page, site}) => {
  const letThrough = await heldBack(page, '**/content/**');
  const widget = await open(page, site.url);
  await expect(button(widget, '开始')).toBeEnabled();
  await widget.getByRole('combobox', {name: '模型'}).selectOption('large');
  await expect(button(widget, '开始')).toBeDisabled();
  letThrough();
  await expect(says(widget)).toContainText('大模型');
  await expect(button(widget, '开始')).toBeEnabled();
});

test('two widgets share the page’s one run', async ({page, site}) => {
  const widget = await open(page, site.url);
  await widget.evaluate((element) => {
    const other = document.createElement('attn-train');
    other.id = 'other';
    other.setAttribute('preset', 'large');
    element.after(other);
  });
  const other = page.locator('#other');
  await button(widget, '开始').click();
  await expect.poll(() => stepsOf(widget)).toBeGreaterThan(0);
  await expect(other).toContainText('这一页正在练：小模型，÷√d。');
  await expect(button(other, '开始')).toHaveAttribute('aria-disabled', 'true');
  await button(other, '看它').click();
  await expect.poll(() => stepsOf(other)).toBeGreaterThan(0);
  await button(other, '停下').click();
  await expect(says(widget)).toContainText('停下了');
});
