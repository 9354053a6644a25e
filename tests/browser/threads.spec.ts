// Training with two threads on isolated pages gives the same digits. If the second thread can't
// start, one thread trains.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect as given, type Locator, type Page} from '@playwright/test';
import {isolation} from '../../web/tools/serve.mjs';
import type {AttnTrain} from '../../web/elements/attn-train.js';
import {loadTrain} from '../../web/train.js';
import {poems, trainBytes} from '../web/training-run.js';
import {documentOf, foreignPage} from './foreign.js';
import {dist, serveStrictly, test as base, type Site} from './site.js';

/** A step takes long on a busy machine. */
const expect = given.configure({timeout: 30_000});
const folder = (path: string) => fileURLToPath(new URL(`../../build/${path}`, import.meta.url));
type Fault = NonNullable<Parameters<typeof serveStrictly>[1]>['fault'];

const serveIsolated = (fault?: Fault) => serveStrictly(dist, {headers: isolation, fault});

/** Tests with the fixture `isolated`: the site with the headers that threads need. */
const test = base.extend<object, {isolated: Site}>({
  isolated: [
    async ({}, use) => {
      const site = await serveIsolated();
      await use(site);
      await site.close();
    },
    {scope: 'worker'},
  ],
});

async function open(page: Page, url: string, query: string): Promise<Locator> {
  await page.goto(`${url}case/training/#w-train?${query}`);
  const widget = page.locator('#w-train');
  await expect(widget).toHaveAttribute('ready', '');
  // The large model's record is loaded after the page, and training waits for it.
  await expect(widget.locator('.says')).toContainText(
    query.includes('large') ? '记录的一次，大模型' : '记录的一次，小模型',
  );
  return widget;
}

const says = (widget: Locator) => widget.locator('.says');
const button = (widget: Locator, name: string) => widget.getByRole('button', {name});
const live = (widget: Locator) => widget.evaluate((element: AttnTrain) => element.result?.live);
const stepsOf = async (widget: Locator) => (await live(widget))?.curve.losses.length ?? 0;

/** The message of a worker of an isolated page, beside whose script the modules stand. */
async function messageOf<T>(page: Page, source: string): Promise<T> {
  const site = await serveStrictly(folder('wasm'), {
    headers: isolation,
    fault: (path) => (path === '/worker.js' ? {type: 'text/javascript', body: source} : undefined),
  });
  try {
    // Any file of the same origin can serve as the page.
    await page.goto(`${site.url}attn_train_threads.js`);
    return await page.evaluate(
      (url) =>
        new Promise<T>((resolve, reject) => {
          if (!crossOriginIsolated) reject(new Error('not isolated'));
          const thread = new Worker(url, {type: 'module'});
          thread.onmessage = ({data}) => resolve(data);
          thread.onerror = ({message}) => reject(new Error(message));
        }),
      `${site.url}worker.js`,
    );
  } finally {
    await site.close();
  }
}

test('20 small and 2 large steps, scaled or not, give the native parameters and losses', async ({
  page,
}) => {
  test.setTimeout(300_000); // plain C++ on a busy machine
  const digest = await messageOf<string>(
    page,
    `import create from './attn_training_digest_threads.js';
    const response = await fetch('attn_training_digest_threads.wasm');
    const module = await create({wasmBinary: await response.arrayBuffer()});
    postMessage(module.digest(2));`,
  );
  const native = readFileSync(folder('native/training_digest.txt'), 'utf8');
  expect(digest.split('\n').length).toBe(5);
  expect(digest).toBe(native);
});

test('a run whose steps have one thread or two gives the digits of one thread', async ({page}) => {
  const threads = [2, 1, 1, 2, 1, 2];
  const switched = await messageOf<{losses: number[]; hash: string}>(
    page,
    `import create from './attn_train_threads.js';
    const response = await fetch('attn_train_threads.wasm');
    const module = await create({wasmBinary: await response.arrayBuffer()});
    const run = module.create(module.preset('small'), ${JSON.stringify(poems)});
    const losses = ${JSON.stringify(threads)}.flatMap((threads) => {
      run.setThreads(threads);
      return run.step(1).losses;
    });
    postMessage({losses, hash: run.parameterHash()});`,
  );
  const train = await loadTrain({wasmBinary: trainBytes()});
  const run = train.open(train.preset('small'), poems);
  expect(() => run.setThreads(2)).toThrow('threads: expected 1 to 1, got 2');
  expect(switched.losses).toEqual(run.step(threads.length).losses);
  expect(switched.hash).toBe(run.parameterHash());
  run.close();
});

test('an isolated page trains with two threads: the recorded digits, a pause, the end', async ({
  page,
  isolated,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const widget = await open(page, isolated.url, 'steps=12');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(requested.filter((path) => /attn_train|worker/.test(path))).toEqual([]);
  await button(widget, '开始').click();
  // The times of the first ten steps decide whether both are used.
  await expect(widget).toContainText(/2个线程(一起算|不比1个快，只用1个)，每步约/);
  await button(widget, '暂停').click();
  await expect(says(widget)).toContainText('暂停了');
  const at = await stepsOf(widget);
  await page.waitForTimeout(500);
  expect(await stepsOf(widget)).toBe(at);
  await button(widget, '继续').click();
  await expect(says(widget)).toContainText('练完了，12步');
  // Twelve losses and three diagnostics of step 0. The record has diagnostics of every 74th step.
  await expect(says(widget)).toContainText('✓ 与记录逐位相同：比了15个数。');
  const {threads, where, curve} = (await live(widget))!;
  expect({threads, where}).toEqual({threads: 2, where: 'worker'});
  const recorded = await widget.evaluate(
    (element: AttnTrain) => element.result?.record?.firstLosses,
  );
  expect(curve.losses).toEqual(recorded?.slice(0, 12));
  // The module with one thread was not fetched.
  expect(requested.filter((path) => /attn_train-[^/]*\.wasm/.test(path))).toEqual([]);
});

test('two threads train the large model in less than 200 MB', async ({page, isolated}) => {
  const widget = await open(page, isolated.url, 'preset=large&steps=2');
  await button(widget, '开始').click();
  // The end includes the validation loss, which needs the most memory.
  await expect(says(widget)).toContainText('练完了，2步', {timeout: 60_000});
  await widget.getByRole('textbox', {name: '读哪一句'}).fill('春'.repeat(10_000));
  await widget.getByRole('textbox', {name: '从哪里写起'}).fill('春'.repeat(10_000));
  await expect.poll(async () => (await live(widget))?.sight?.map?.characters.length).toBe(24);
  const {threads, memory, end} = (await live(widget))!;
  expect(threads).toBe(2);
  expect(end?.validationLoss).toBeGreaterThan(0);
  expect(memory).toBeLessThan(200e6);
});

test('stopping ends the helper thread; the next run starts another', async ({page, isolated}) => {
  const widget = await open(page, isolated.url, 'preset=large');
  for (const _ of [1, 2]) {
    await button(widget, '开始').click();
    await expect.poll(() => stepsOf(widget)).toBeGreaterThan(0);
    // The worker and its helper.
    expect(page.workers().length).toBe(2);
    await button(widget, '停下').click();
    await expect(says(widget)).toContainText('停下了');
    await expect.poll(() => page.workers().length).toBe(0);
  }
});

for (const [name, missing] of [
  ['the threaded module', /attn_train_threads-[^/]*\.wasm$/],
  ['its script', /attn_train_threads-[^/]*\.js$/],
  ['its helper', /attn_train_threads\.worker/],
] as const) {
  test(`without ${name} an isolated page trains with one thread, the same digits`, async ({
    page,
  }) => {
    let requested = 0;
    const site = await serveIsolated((path) => {
      if (!missing.test(path)) return undefined;
      requested++;
      return {status: 404};
    });
    try {
      const widget = await open(page, site.url, 'steps=2');
      await button(widget, '开始').click();
      await expect(says(widget)).toContainText('练完了，2步');
      await expect(says(widget)).toContainText('✓ 与记录逐位相同：比了5个数。');
      expect(await live(widget)).toMatchObject({threads: 1, where: 'worker'});
      expect(requested).toBe(1);
    } finally {
      await site.close();
    }
  });
}

test('a page with these headers works in a foreign frame: styled, and with one thread', async ({
  page,
  isolated,
}) => {
  const frame = (sandbox: string) =>
    `<iframe src="${isolated.url}embed/attn-train.html?steps=1" title="训练" ${sandbox}></iframe>`;
  const host = await foreignPage(documentOf(frame('sandbox="allow-scripts"') + frame('')));
  try {
    await page.goto(host.url);
    for (const nth of [0, 1]) {
      const inner = page.frameLocator('iframe').nth(nth);
      const widget = inner.locator('attn-train');
      await button(widget, '开始').click();
      await expect(says(widget)).toContainText('练完了，1步');
      expect(await live(widget)).toMatchObject({threads: 1});
      const ink = await inner
        .locator('html')
        .evaluate((root) => getComputedStyle(root).getPropertyValue('--ink'));
      expect(ink).not.toBe('');
    }
  } finally {
    await host.close();
  }
});

test('a page that is not isolated loads no threaded module', async ({page, site}) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const widget = await open(page, site.url, 'steps=1');
  await button(widget, '开始').click();
  await expect(says(widget)).toContainText('练完了，1步');
  expect(await live(widget)).toMatchObject({threads: 1});
  expect(requested.filter((url) => url.includes('threads'))).toEqual([]);
});
