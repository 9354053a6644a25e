// The gallery: every widget has a picture and a page, whose snippets work on a foreign page and
// contain the reader's state.
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test as base, type Locator, type Page} from '@playwright/test';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';
import {attributeOf, isElement, nodesIn, parsePage, type Element} from '../../web/site/html.js';
import {documentOf, foreignPage} from './foreign.js';
import {dist, pagesOf} from './site.js';

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

const declarations = manifest.modules[0]?.declarations ?? [];
const tags = declarations.map(({tagName}) => tagName);

/** The elements of a file by its path in dist/, those in shadow roots included. */
function elementsOf(file: string): Element[] {
  return nodesIn(parsePage(readFileSync(join(dist, file), 'utf8'))).filter(isElement);
}

const having = (elements: readonly Element[], name: string, value: RegExp) =>
  elements.filter((element) => value.test(attributeOf(element, name) ?? ''));

/** The heads of the rows of the table in a section. */
const rowsOf = (section: Element) =>
  having(nodesIn(section).filter(isElement), 'scope', /^row$/).map((head) =>
    nodesIn(head)
      .map((node) => ('value' in node ? node.value : ''))
      .join(''),
  );

const scoresOf = (widget: Locator) =>
  widget.evaluate((element) => (element as HTMLElement & {state: {scores: number[]}}).state.scores);

/** The page of softmax after a change of its scores. */
async function changed(
  page: Page,
  course: string,
): Promise<{take: Locator; text: (name: string) => Promise<string>}> {
  await page.goto(`${course}widgets/attn-softmax/`);
  await page.locator('#w-softmax[ready]').waitFor();
  await page.locator('#w-softmax .exact > summary').click();
  await page.locator('#w-softmax .boxes .number input').first().fill('-2.5');
  const take = page.locator('.take[data-widget=w-softmax]');
  const text = async (name: string) =>
    (await take.locator(`[data-snippet=${name}]`).textContent()) ?? '';
  await expect.poll(() => text('tag')).toContain('scores="-2.5,7,9"');
  return {take, text};
}

test('the wall has a picture, a purpose and a page for every widget, and runs none', () => {
  const elements = elementsOf('widgets/index.html');
  const tiles = having(elements, 'class', /^tile$/);
  expect(tiles.map((tile) => attributeOf(tile, 'id')).sort()).toEqual(tags.toSorted());
  expect(tags.length).toBeGreaterThan(10);
  for (const tile of tiles) {
    const tag = attributeOf(tile, 'id') ?? '';
    const inside = nodesIn(tile).filter(isElement);
    expect(having(inside, 'href', new RegExp(`^${tag}/index.html$`)), tag).toHaveLength(1);
    const drawn = inside.filter(({tagName}) =>
      /^(rect|path|line|circle|poly.*|text)$/.test(tagName),
    );
    expect(drawn.length, tag).toBeGreaterThan(1);
    // Links from before each widget had its own page.
    const name = tag.replace('attn-', '');
    expect(having(inside, 'id', new RegExp(`^(w-)?${name}$`)), tag).toHaveLength(2);
  }
  const own = ['attn-formula', 'attn-jacobian', 'attn-scaling', 'attn-softmax', 'attn-variance'];
  const shown = elementsOf('c3/l03/index.html').map(({tagName}) => tagName);
  const inOrder = (names: readonly string[]) =>
    own.toSorted((a, b) => names.indexOf(a) - names.indexOf(b));
  const onWall = tiles.map((tile) => attributeOf(tile, 'id') ?? '');
  expect(inOrder(onWall), 'as lesson 3 shows them').toEqual(inOrder(shown));
  expect(elements.filter(({tagName}) => tagName.startsWith('attn-'))).toEqual([]);
  expect(having(elements, 'rel', /^modulepreload$/)).toEqual([]);
});

test('the pages of the widgets list their attributes and events', () => {
  for (const {tagName, attributes, events} of declarations) {
    const elements = elementsOf(`widgets/${tagName}/index.html`);
    const [fields, fired] = having(elements, 'class', /\breference\b/).slice(-2);
    expect(attributes.map(({name}) => name)).toEqual([...rowsOf(fields!), 'theme', 'lang']);
    expect(events.map(({name}) => name)).toEqual(rowsOf(fired!));
    for (const {description} of attributes) expect(description).not.toBe('');
  }
});

test('every link of the gallery and of all its pages leads somewhere', () => {
  const idsOf = new Map<string, Set<string>>();
  const findings: string[] = [];
  let links = 0;
  for (const file of pagesOf(dist).filter((name) => name.startsWith('widgets/'))) {
    for (const element of elementsOf(file)) {
      const address = attributeOf(element, 'href') ?? attributeOf(element, 'src');
      if (!address || /^(https:|data:|#)/.test(address)) continue;
      links++;
      const [path = '', fragment = ''] = address.split('#');
      const target = join(dirname(file), decodeURIComponent(path));
      if (!existsSync(join(dist, target))) findings.push(`${file}: ${address}`);
      else if (fragment && target.endsWith('.html')) {
        const ids =
          idsOf.get(target) ??
          new Set(elementsOf(target).map((each) => attributeOf(each, 'id') ?? ''));
        idsOf.set(target, ids);
        if (!ids.has(fragment.split('?')[0] ?? '')) findings.push(`${file}: ${address}`);
      }
    }
  }
  expect(findings).toEqual([]);
  expect(links).toBeGreaterThan(20 * tags.length);
});

test('an old link to a widget with a state opens that state', async ({page, course}) => {
  await page.goto(`${course}widgets/index.html#w-softmax?scores=1,2`);
  await expect(page).toHaveURL(/\/widgets\/attn-softmax\/index\.html#w-softmax\?scores=1,2$/);
  const widget = page.locator('#w-softmax[ready]');
  await expect.poll(() => scoresOf(widget)).toEqual([1, 2]);
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
    await page.goto(tagHost.url);
    await page.locator('attn-softmax[ready]').waitFor();
    expect(await scoresOf(page.locator('attn-softmax'))).toEqual([-2.5, 7, 9]);
    await page.goto(iframeHost.url);
    const framed = page.frameLocator('iframe').locator('attn-softmax[ready]');
    await framed.waitFor();
    expect(await scoresOf(framed)).toEqual([-2.5, 7, 9]);
    // embed/fit.js has given the frame its widget's height.
    await expect
      .poll(async () =>
        page.locator('iframe').evaluate((frame: HTMLIFrameElement) => frame.style.height),
      )
      .toMatch(/px$/);
    await page.goto(link);
    await page.locator('#w-softmax[ready]').waitFor();
    await expect.poll(() => scoresOf(page.locator('#w-softmax'))).toEqual([-2.5, 7, 9]);
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
