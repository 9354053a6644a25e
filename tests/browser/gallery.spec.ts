// The gallery: its snippets work on a foreign page and contain the reader's state.
import {readFileSync} from 'node:fs';
import {expect, test as base, type Locator, type Page} from '@playwright/test';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';
import {documentOf, foreignPage} from './foreign.js';
import {dist} from './site.js';

const test = base.extend<object, {course: string}>({
  course: [
    async ({}, use) => {
      const headers = {'Content-Security-Policy': strictPolicy};
      const course = await serve({folder: dist, base: '/课程/attn/', headers});
      await use(course.url);
      await course.close();
    },
    {scope: 'worker'},
  ],
});

interface Manifest {
  modules: {
    path: string;
    declarations: {
      tagName: string;
      attributes: {name: string; description: string; default: string}[];
      events: {name: string}[];
    }[];
    exports: {name: string}[];
  }[];
}

const manifest = JSON.parse(readFileSync(`${dist}/embed/custom-elements.json`, 'utf8')) as Manifest;

/** The gallery after a change of the softmax's scores, with the fold open. */
async function changed(
  page: Page,
  course: string,
): Promise<{take: Locator; text: (name: string) => Promise<string>}> {
  await page.goto(`${course}widgets/`);
  await page.locator('#w-softmax[ready]').waitFor();
  await page.locator('#w-softmax .exact > summary').click();
  await page.locator('#w-softmax .boxes .number input').first().fill('-2.5');
  const take = page.locator('.take[data-widget=w-softmax]');
  await take.locator('summary').click();
  const text = async (name: string) =>
    (await take.locator(`[data-snippet=${name}]`).textContent()) ?? '';
  await expect.poll(() => text('tag')).toContain('scores="-2.5,7,9"');
  return {take, text};
}

test('the gallery has every widget, and the manifest lists its attributes', async ({
  page,
  course,
}) => {
  await page.goto(`${course}widgets/`);
  const shown = await page
    .locator('.part > [id^=w-]')
    .evaluateAll((elements) => elements.map(({localName}) => localName));
  const [module] = manifest.modules;
  expect(module?.exports.map(({name}) => name).sort()).toEqual(shown.sort());
  expect(shown.length).toBeGreaterThan(10);
  for (const {tagName, attributes, events} of module?.declarations ?? []) {
    const rows = await page
      .locator(`#w-${tagName.replace('attn-', '')} ~ details`)
      .nth(1)
      .locator('tbody th')
      .allTextContents();
    expect(attributes.map(({name}) => name)).toEqual([...rows, 'theme', 'lang']);
    expect(events.map(({name}) => name)).toEqual(['attn-change', 'attn-error']);
    for (const {description} of attributes) expect(description).not.toBe('');
  }
});

test('the tag, the iframe and the link contain and restore the reader’s state', async ({
  page,
  course,
}) => {
  const {text} = await changed(page, course);
  const [tag, iframe, link] = [await text('tag'), await text('iframe'), await text('link')];
  const tagHost = await foreignPage(documentOf(tag));
  const iframeHost = await foreignPage(documentOf(iframe));
  try {
    const state = (widget: Locator) =>
      widget.evaluate(
        (element) => (element as HTMLElement & {state: {scores: number[]}}).state.scores,
      );
    await page.goto(tagHost.url);
    await page.locator('attn-softmax[ready]').waitFor();
    expect(await state(page.locator('attn-softmax'))).toEqual([-2.5, 7, 9]);
    await page.goto(iframeHost.url);
    const framed = page.frameLocator('iframe').locator('attn-softmax[ready]');
    await framed.waitFor();
    expect(await state(framed)).toEqual([-2.5, 7, 9]);
    // embed/fit.js has given the frame its widget's height.
    await expect
      .poll(async () =>
        page.locator('iframe').evaluate((frame: HTMLIFrameElement) => frame.style.height),
      )
      .toMatch(/px$/);
    await page.goto(link);
    await page.locator('#w-softmax[ready]').waitFor();
    await expect.poll(() => state(page.locator('#w-softmax'))).toEqual([-2.5, 7, 9]);
  } finally {
    await tagHost.close();
    await iframeHost.close();
  }
});

test('the Markdown image exists and shows the default state', async ({page, course}) => {
  const {text} = await changed(page, course);
  const address = /\((.*)\)$/.exec(await text('markdown'))?.[1] ?? '';
  const picture = await page.request.get(address);
  expect(picture.status()).toBe(200);
  expect(picture.headers()['content-type']).toContain('image/svg+xml');
  // e⁹ / (e⁸ + e⁷ + e⁹)
  expect(await picture.text()).toContain('66.5');
});

test('picture as SVG and PNG, values as CSV', async ({page, course}) => {
  const {take} = await changed(page, course);
  const saved = async (kind: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      take.locator(`[data-save=${kind}]`).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`attn-softmax.${kind}`);
    return readFileSync(await download.path());
  };
  const svg = (await saved('svg')).toString();
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const png = await saved('png');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
    2 * Number(width),
    2 * Number(height),
  ]);
  const rows = (await saved('csv')).toString().trim().split('\r\n');
  const shown = await page.locator('#w-softmax .tools tbody tr').count();
  expect(rows).toHaveLength(shown + 1);
  expect(rows[1]).toContain('-2.5');
});

test('the example page opens as it is', async ({page, course}) => {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`${course}embed/example.html`.replace('课程', encodeURIComponent('课程')));
  await expect(page.locator('#largest')).toHaveText('0.665');
  await expect(page.locator('attn-lookup .widget')).toHaveCSS(
    'background-color',
    'rgb(244, 248, 242)',
  );
  expect(errors).toEqual([]);
});
