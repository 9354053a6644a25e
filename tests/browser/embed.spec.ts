// Widgets on foreign pages: as tags, under the page's own policy, from another origin.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {expect, test as base, type Page} from '@playwright/test';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';
import {documentOf, foreignPage, policyFor} from './foreign.js';
import {dist, heldBack} from './site.js';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
const lines = /```html\n(.*?)```/s.exec(readme)?.[1] ?? '';

async function onHost(
  page: Page,
  fault: Parameters<typeof serve>[0]['fault'],
  look: () => Promise<void>,
) {
  const headers = {'Content-Security-Policy': strictPolicy};
  const course = await serve({folder: dist, base: '/attn/', headers, fault});
  try {
    const host = new URL('/', course.url).href;
    const answer = {contentType: 'text/html; charset=utf-8', headers, body: lines};
    await page.route(host, (route) => route.fulfill(answer));
    await page.goto(host);
    await look();
  } finally {
    await course.close();
  }
}

const picture = (page: Page) => page.locator('attn-softmax > img');
const loaded = (page: Page) =>
  picture(page).evaluate((image: HTMLImageElement) =>
    image.decode().then(() => image.naturalWidth),
  );

const errorsOf = (page: Page) => {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
};

/** The course, served on a port of its own. */
const test = base.extend<object, {course: {url: string; origin: string}}>({
  course: [
    async ({}, use) => {
      const course = await serve({folder: dist, base: '/课程/attn/'});
      await use({url: course.url, origin: new URL(course.url).origin});
      await course.close();
    },
    {scope: 'worker'},
  ],
});

base('a widget on a foreign page comes alive under a strict policy', async ({page}) => {
  const errors = errorsOf(page);
  await onHost(page, undefined, async () => {
    expect(await loaded(page)).toBeGreaterThan(0);
    // e⁹ / (e⁸ + e⁷ + e⁹) = 1 / (e⁻¹ + e⁻² + 1) = 66.5 %
    await expect(page.locator('attn-softmax')).toContainText('66.5 %');
    await expect(picture(page)).toBeHidden();
    expect(errors).toEqual([]);
  });
});

base('without the core its picture stays', async ({page}) => {
  const missing = (path: string) =>
    path.endsWith('.wasm') ? {status: 404, body: '404'} : undefined;
  await onHost(page, missing, async () => {
    await expect(page.locator('.core-missing')).toHaveCount(1);
    expect(await loaded(page)).toBeGreaterThan(0);
    await expect(picture(page)).toBeVisible();
  });
});

test('from another origin, under the policy of the README', async ({page, course}) => {
  const errors = errorsOf(page);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).origin));
  const host = await foreignPage(
    documentOf(
      `<attn-softmax scores="8,7,9"></attn-softmax><attn-kv-cache></attn-kv-cache>`,
      `<script type="module" src="${course.url}embed/attn.js"></script>`,
    ),
    {'Content-Security-Policy': policyFor(course.origin)},
  );
  try {
    await page.goto(host.url);
    await expect(page.locator('attn-softmax')).toContainText('66.5 %');
    await expect(page.locator('attn-kv-cache')).toContainText('GiB');
    expect(errors.filter((text) => !text.includes('favicon'))).toEqual([]);
    expect([...new Set(requested)].sort()).toEqual(
      [course.origin, new URL(host.url).origin].sort(),
    );
  } finally {
    await host.close();
  }
});

test('a policy without WebAssembly: the content stays, and a sentence gives the reason', async ({
  page,
  course,
}) => {
  const host = await foreignPage(
    documentOf(
      `<attn-softmax><p id="mine">老师自己的图</p></attn-softmax><attn-mask></attn-mask>`,
      `<script type="module" src="${course.url}embed/attn.js"></script>`,
    ),
    {'Content-Security-Policy': policyFor(course.origin, '')},
  );
  try {
    await page.goto(host.url);
    await expect(page.locator('.core-missing')).toHaveCount(1);
    await expect(page.locator('.core-missing')).toHaveText(/^[^。]*wasm-unsafe-eval[^。]*。$/);
    await expect(page.locator('#mine')).toBeVisible();
    // The height reserved for the other widget is released.
    expect(
      await page.locator('attn-mask').evaluate((mask) => mask.getBoundingClientRect().height),
    ).toBeLessThan(2);
  } finally {
    await host.close();
  }
});

test('styles do not cross the border in either direction; the host’s properties do', async ({
  page,
  course,
}) => {
  const host = await foreignPage(
    documentOf(
      `<button id="theirs">按钮</button>
       <table id="cells"><tr><td>1</td></tr></table>
       <attn-softmax></attn-softmax>`,
      `<style>
         * { letter-spacing: 0 }
         button { color: rgb(1, 2, 3); text-transform: uppercase }
         p { display: none }
         svg { fill: red !important }
         attn-softmax { --raised: rgb(4, 5, 6) }
       </style>
       <script type="module" src="${course.url}embed/attn.js"></script>`,
    ),
  );
  const look = () =>
    page
      .locator('#theirs, #cells td')
      .evaluateAll((elements) =>
        elements.map((element) =>
          JSON.stringify(
            [...getComputedStyle(element)].map((name) =>
              getComputedStyle(element).getPropertyValue(name),
            ),
          ),
        ),
      );
  try {
    await page.route('**/attn.js', (route) => route.abort());
    await page.goto(host.url);
    const before = await look();
    await page.unroute('**/attn.js');
    await page.reload();
    const widget = page.locator('attn-softmax');
    await expect(widget).toContainText('66.5 %');
    expect(await look()).toEqual(before);
    await expect(widget.locator('p.title')).toBeVisible();
    await expect(widget.locator('button').first()).not.toHaveCSS('color', 'rgb(1, 2, 3)');
    await expect(widget.locator('.widget')).toHaveCSS('background-color', 'rgb(4, 5, 6)');
    await widget.evaluate((element) => element.setAttribute('theme', 'dark'));
    await expect(widget).toHaveCSS('color-scheme', 'dark');
  } finally {
    await host.close();
  }
});

test('attributes, property and events of the state agree', async ({page, course}) => {
  const host = await foreignPage(
    documentOf(
      `<attn-softmax scores="8,7,9"></attn-softmax>`,
      `<script type="module" src="${course.url}embed/attn.js"></script>`,
    ),
  );
  try {
    await page.goto(host.url);
    await expect(page.locator('attn-softmax')).toContainText('66.5 %');
    const seen = await page.locator('attn-softmax').evaluate(async (element) => {
      const widget = element as HTMLElement & {
        state: Record<string, unknown>;
        result: unknown;
        updateComplete: Promise<unknown>;
      };
      const events: unknown[] = [];
      document.addEventListener('attn-change', (event) =>
        events.push((event as CustomEvent).detail.state.scores),
      );
      document.addEventListener('attn-error', (event) =>
        events.push((event as CustomEvent).detail.code),
      );
      widget.state = {scores: [1, 2]};
      const byProperty = widget.getAttribute('scores');
      await widget.updateComplete;
      widget.setAttribute('scores', '3，4');
      await widget.updateComplete;
      const byAttribute = widget.state['scores'];
      const kept: unknown[] = [];
      for (const scores of [[NaN], 'x', null, {}, ['<img>']]) {
        widget.state = {scores} as never;
        kept.push(widget.state['scores']);
      }
      widget.state = {nothing: 1} as never;
      const keys = Object.keys(widget.state);
      widget.removeAttribute('scores');
      await widget.updateComplete;
      return {
        byProperty,
        byAttribute,
        kept,
        keys,
        events,
        byDefault: widget.state['scores'],
        json: JSON.stringify(widget.result).length,
      };
    });
    expect(seen.byProperty).toBe('1,2');
    expect(seen.byAttribute).toEqual([3, 4]);
    expect(seen.kept).toEqual(Array.from({length: 5}, () => [3, 4]));
    expect(seen.keys).toEqual([
      'scores',
      'labels',
      'method',
      'temperature',
      'offset',
      'precision',
      'stable',
      'pair',
    ]);
    expect(seen.byDefault).toEqual([8, 7, 9]);
    expect(seen.events).toEqual([
      [1, 2],
      [3, 4],
      'not-a-number',
      'not-a-state',
      'not-a-state',
      'not-a-state',
      'not-a-number',
      [8, 7, 9],
    ]);
    expect(seen.json).toBeGreaterThan(100);
  } finally {
    await host.close();
  }
});

test('thirty widgets fetch the core once', async ({page, course}) => {
  const kinds = ['softmax', 'mask', 'qkv', 'lookup', 'memory', 'jacobian'];
  const tags = Array.from(
    {length: 30},
    (_, i) => `<attn-${kinds[i % kinds.length]}></attn-${kinds[i % kinds.length]}>`,
  );
  const host = await foreignPage(
    documentOf(tags.join(''), `<script type="module" src="${course.url}embed/attn.js"></script>`),
  );
  const modules: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.wasm')) modules.push(request.url());
  });
  try {
    await page.goto(host.url);
    await expect(page.locator('[ready]')).toHaveCount(30);
    expect(modules).toHaveLength(1);
    // A widget added later uses the same module.
    await page.evaluate(() => document.body.append(document.createElement('attn-world')));
    await expect(page.locator('attn-world[ready]')).toContainText('给了');
    expect(modules).toHaveLength(1);
  } finally {
    await host.close();
  }
});

test('tags that are added while the core loads, and a tag whose script fails to load', async ({
  page,
  course,
}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const host = await foreignPage(
    documentOf('', `<script type="module" src="${course.url}embed/attn.js"></script>`),
  );
  // The core arrives when `letThrough` is called.
  const letThrough = await heldBack(page, '**/attn_core*.wasm');
  await page.route('**/attn-mask-*.js', (route) => route.abort());
  try {
    const requested = page.waitForRequest('**/attn_core*.wasm');
    await page.goto(host.url);
    await requested;
    const append = (tag: string) =>
      page.evaluate((name) => document.body.append(document.createElement(name)), tag);
    await append('attn-softmax');
    letThrough();
    await expect(page.locator('attn-softmax[ready]')).toContainText('66.5 %');
    await append('attn-mask');
    await expect(page.locator('.core-missing')).toHaveText(/^[^。]+。$/);
    // The reserved height is released.
    await expect
      .poll(async () => (await page.locator('attn-mask').boundingBox())?.height ?? 0)
      .toBe(0);
    expect(errors).toEqual([]);
  } finally {
    await host.close();
  }
});

for (const width of [400, 700, 1200]) {
  test(`nothing on the page moves when widgets start, ${width} px`, async ({page, course}) => {
    const tags: string[] = JSON.parse(
      readFileSync(`${dist}/embed/custom-elements.json`, 'utf8'),
    ).modules[0].exports.map((entry: {name: string}) => entry.name);
    // The core arrives when `letThrough` is called.
    const letThrough = await heldBack(page, '**/*.wasm');
    const host = await foreignPage(
      documentOf(
        tags.map((tag) => `<${tag}></${tag}><p>之后</p>`).join(''),
        `<script type="module" src="${course.url}embed/attn.js"></script>`,
      ),
    );
    const heights = () =>
      page.evaluate(
        (names) =>
          names.map((name) => document.querySelector(name)?.getBoundingClientRect().height ?? 0),
        tags,
      );
    try {
      await page.setViewportSize({width, height: 900});
      await page.goto(host.url);
      await expect
        .poll(async () => (await heights()).every((height) => height > 100), {
          message: 'room is held for each: npm run heights',
        })
        .toBe(true);
      const held = await heights();
      letThrough();
      await expect(page.locator('[ready]')).toHaveCount(tags.length);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
      const final = await heights();
      const moved = tags.flatMap((tag, i) =>
        Math.abs((final[i] ?? 0) - (held[i] ?? 0)) > Math.max(32, 0.06 * (final[i] ?? 0))
          ? [`${tag}: ${held[i]} → ${final[i]}`]
          : [],
      );
      expect(moved, 'npm run heights measures anew; then npm run build').toEqual([]);
    } finally {
      await host.close();
    }
  });
}

base('what the bundle weighs: the entry with one widget 62 KB, each further one 12 KB', () => {
  const manifest = JSON.parse(
    readFileSync(`${dist}/../build/client/.vite/manifest.json`, 'utf8'),
  ) as Record<string, {file: string; imports?: string[]; assets?: string[]; css?: string[]}>;
  const weigh = (file: string) => gzipSync(readFileSync(`${dist}/${file}`), {level: 9}).length;
  const withImports = (key: string, seen = new Set<string>()): Set<string> => {
    const chunk = manifest[key];
    if (!chunk || seen.has(chunk.file)) return seen;
    seen.add(chunk.file);
    for (const other of chunk.imports ?? []) withImports(other, seen);
    return seen;
  };
  const entry = withImports('web/embed/attn.ts');
  const core = manifest['build/wasm/attn_core.wasm']?.file ?? '';
  const base = [...entry, core].reduce((sum, file) => sum + weigh(file), 0);
  const widgets = Object.keys(manifest).filter((key) => /^web\/elements\/attn-.*\.ts$/.test(key));
  expect(widgets.length).toBeGreaterThan(10);
  /** A part in the folder of a widget is loaded after the widget itself. */
  const widgetOf = (key: string) => {
    const widget = key.replace(/^(web\/elements\/attn-[\w-]+)\/.*$/, '$1.ts');
    return widget === key ? '' : widget;
  };
  const own = widgets.map(
    (key) =>
      [
        key,
        [...withImports(key)]
          .filter((file) => !entry.has(file) && !withImports(widgetOf(key)).has(file))
          .reduce((sum, file) => sum + weigh(file), 0),
      ] as const,
  );
  expect(own.filter(([, bytes]) => bytes > 12_000)).toEqual([]);
  // The entry is the same for every widget. The README embeds softmax.
  expect(base + (own.find(([key]) => key.includes('softmax'))?.[1] ?? 0)).toBeLessThanOrEqual(
    62_000,
  );
});
