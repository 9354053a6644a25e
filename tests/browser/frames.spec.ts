// The page of each widget alone, in an iframe on a foreign page.
import {readdirSync, readFileSync} from 'node:fs';
import {expect, test as base, type Frame, type Page} from '@playwright/test';
import {serve} from '../../web/tools/serve.mjs';
import {sampleText} from '../../web/shared/schema.js';
import {documentOf, foreignPage} from './foreign.js';
import {dist, heldBack} from './site.js';

const tags = readdirSync(`${dist}/embed`)
  .filter((name) => /^attn-.*\.html$/.test(name))
  .map((name) => name.replace('.html', ''));

interface Manifest {
  modules: {declarations: {tagName: string; attributes: {name: string}[]}[]}[];
}
const {modules} = JSON.parse(
  readFileSync(`${dist}/embed/custom-elements.json`, 'utf8'),
) as Manifest;
const attributesOf = new Map(
  modules[0]?.declarations.map(({tagName, attributes}) => [
    tagName,
    attributes.map(({name}) => name),
  ]),
);

const test = base.extend<object, {course: string}>({
  course: [
    async ({}, use) => {
      const course = await serve({folder: dist, base: '/课程/attn/'});
      await use(course.url);
      await course.close();
    },
    {scope: 'worker'},
  ],
});

interface Message {
  type: string;
  width: number;
  height: number;
  state: Record<string, unknown>;
  result: unknown;
}

/** A host page that stores all messages and gives the frame the height that it reports. */
const host = (address: string, sandbox = 'allow-scripts') =>
  documentOf(
    `<button id="before">前</button>
    <iframe src="${address}" title="小工具" sandbox="${sandbox}"
      width="100%" height="300" frameborder="0"></iframe>
    <button id="after">后</button><div style="height: 3000px"></div>`,
    `<meta name="viewport" content="width=device-width">
    <style>body { margin: 0 } iframe { display: block }</style>
    <script>
      window.messages = [];
      addEventListener('message', ({data, source}) => {
        messages.push(data);
        const frame = document.querySelector('iframe');
        if (source === frame.contentWindow && data.type === 'attn:size')
          frame.style.height = data.height + 'px';
      });
    </script>`,
  );

const messagesOf = (page: Page) =>
  page.evaluate(() => (window as unknown as {messages: Message[]}).messages);

async function inFrame<T>(
  page: Page,
  address: string,
  look: (frame: Frame, errors: string[]) => Promise<T>,
  sandbox?: string,
): Promise<T> {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.includes('favicon'))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  const foreign = await foreignPage(host(address, sandbox));
  try {
    await page.goto(foreign.url);
    const frame = page.frames()[1];
    if (!frame) throw new Error('no frame');
    await frame.locator('main > [ready]').waitFor();
    return await look(frame, errors);
  } finally {
    await foreign.close();
  }
}

/** Waits until no more messages arrive, and returns the sizes reported so far. */
async function settled(page: Page): Promise<Message[]> {
  let seen = -1;
  await expect
    .poll(
      async () => {
        const {length} = await messagesOf(page);
        const same = length === seen;
        seen = length;
        return same;
      },
      {intervals: [150]},
    )
    .toBe(true);
  return (await messagesOf(page)).filter(({type}) => type === 'attn:size');
}

/** How much larger the content is than its frame, in both directions. */
const excess = (frame: Frame) =>
  frame.evaluate(() => {
    const page = document.documentElement;
    return {
      down: page.scrollHeight - innerHeight,
      across: page.scrollWidth - page.clientWidth,
      scrollbar: innerWidth - page.clientWidth,
      spare: innerHeight - Math.ceil(document.body.getBoundingClientRect().height),
    };
  });

const fits = {down: 0, across: 0, scrollbar: 0, spare: 0};

/** Tab enters the frame and leaves it behind its last control; Shift+Tab enters it again. */
async function tabThrough(page: Page): Promise<void> {
  await page.locator('#before').focus();
  const visited: string[] = [];
  for (let tabs = 0; tabs < 150 && visited.at(-1) !== 'after'; tabs++) {
    await page.keyboard.press('Tab');
    visited.push(
      await page.evaluate(
        () => document.activeElement?.id || document.activeElement?.localName || '',
      ),
    );
  }
  expect(visited).toContain('iframe');
  expect(visited.at(-1)).toBe('after');
  await page.keyboard.press('Shift+Tab');
  // The frame runs in a process of its own, so focus arrives a moment later.
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('iframe');
}

async function fitsUnfoldedAndFolded(page: Page, frame: Frame, width: number): Promise<void> {
  const fold = frame.locator('.tools details').last().locator('summary');
  await page.setViewportSize({width, height: 800});
  await expect.poll(() => excess(frame)).toEqual(fits);
  const first = await settled(page);
  expect(first.length).toBeGreaterThan(0);
  await fold.click();
  const unfolded = await settled(page);
  expect(unfolded.length - first.length).toBeLessThanOrEqual(3);
  expect(unfolded.at(-1)!.height).toBeGreaterThan(first.at(-1)!.height);
  expect(await excess(frame)).toEqual(fits);
  await fold.click();
  const folded = await settled(page);
  expect(folded.length - unfolded.length).toBeLessThanOrEqual(3);
  expect(folded.at(-1)!.height).toBe(first.at(-1)!.height);
  expect(await excess(frame)).toEqual(fits);
}

test('there are pages for widgets alone', () => {
  expect(tags.length).toBeGreaterThan(10);
});

for (const tag of tags) {
  test(`${tag} in a sandboxed frame: focus and scrolling stay the host's, its height fits`, async ({
    page,
    course,
  }) => {
    await inFrame(page, `${course}embed/${tag}.html`, async (frame, errors) => {
      await settled(page);
      expect(await page.evaluate(() => [scrollY, document.activeElement?.localName])).toEqual([
        0,
        'body',
      ]);
      await tabThrough(page);
      for (const width of [1200, 280]) await fitsUnfoldedAndFolded(page, frame, width);
      expect(errors).toEqual([]);
    });
  });

  test(`${tag}: the widget is drawn for any address`, async ({page, course}) => {
    let state = 20261129;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('dialog', (dialog) => errors.push(dialog.message()));
    const keys = attributesOf.get(tag) ?? [];
    expect(keys.length).toBeGreaterThan(0);
    // One address with an injection and a random one. tests/web/codec covers many more.
    const injection = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
    for (let i = 0; i < 2; i++) {
      const text = () => encodeURIComponent(i === 0 ? injection : sampleText(random));
      const query = keys.map((key) => `${key}=${text()}`).join('&');
      await page.goto(`${course}embed/${tag}.html?${query}`);
      const widget = page.locator('main > *').last();
      await expect(widget).toHaveAttribute('ready');
      await expect(widget.locator('.widget')).toBeVisible();
      await expect(widget.locator('img, script, iframe')).toHaveCount(0);
      expect(await widget.locator('.trouble:visible').count()).toBeLessThanOrEqual(1);
    }
    expect(errors).toEqual([]);
  });
}

test('hydration keeps the built picture', async ({page, course}) => {
  for (const address of ['embed/attn-softmax.html', 'c3/l03/']) {
    const letThrough = await heldBack(page, '**/*.wasm');
    await page.goto(`${course}${address}`);
    const picture = page.locator('attn-softmax .view svg').first();
    await picture.evaluate((svg) => svg.setAttribute('data-drawn', ''));
    letThrough();
    // The first one of the lesson is veiled.
    await page.locator('attn-softmax[ready]').first().waitFor({state: 'attached'});
    await expect(picture).toHaveAttribute('data-drawn');
  }
});

test('the query is the state, and changes are reported', async ({page, course}) => {
  const labels = encodeURIComponent('苹果,梨');
  await inFrame(
    page,
    `${course}embed/attn-softmax.html?scores=1,1&labels=${labels}&theme=dark&utm_source=x`,
    async (frame) => {
      const widget = frame.locator('attn-softmax');
      await expect(widget).toContainText('苹果');
      await expect(widget).toContainText('50.0 %');
      await expect(frame.locator('html')).toHaveCSS('color-scheme', 'dark');
      await settled(page);
      await widget.locator('.exact > summary').click();
      await widget.locator('.boxes .number input').first().fill('3');
      await settled(page);
      const change = (await messagesOf(page)).filter(({type}) => type === 'attn:change').at(-1);
      expect(change?.state['scores']).toEqual([3, 1]);
      expect(change?.result).toHaveProperty('trace');
    },
  );
});

test('the page around a frame sets, asks and resets; other windows and shapes are ignored', async ({
  page,
  course,
}) => {
  const start = `${course}embed/attn-softmax.html?scores=1,1`;
  await inFrame(page, start, async (frame, errors) => {
    const types = async () => (await messagesOf(page)).map(({type}) => type);
    await expect.poll(types).toContain('attn:ready');
    const send = (message: unknown) =>
      page.evaluate((message) => {
        document.querySelector('iframe')?.contentWindow?.postMessage(message, '*');
      }, message);
    const answered = async (message: unknown) => {
      const before = (await messagesOf(page)).length;
      await send(message);
      const answers = async () =>
        (await messagesOf(page)).slice(before).filter(({type}) => /change|error/.test(type));
      await expect.poll(answers).toHaveLength(1);
      return (await answers())[0];
    };
    const changed = await answered({type: 'attn:set', state: {scores: [3, 1]}});
    // e² : 1, so 88.1 %
    await expect(frame.locator('attn-softmax')).toContainText('88.1 %');
    expect(changed?.state['scores']).toEqual([3, 1]);
    expect(await answered({type: 'attn:get'})).toEqual(changed);
    for (const state of [{scores: 'x'}, 7, null])
      expect(await answered({type: 'attn:set', state})).toMatchObject({type: 'attn:error'});
    expect((await answered({type: 'attn:reset'}))?.state['scores']).toEqual([1, 1]);
    await send({type: 'attn:theme', theme: 'dark'});
    await expect(frame.locator('attn-softmax')).toHaveAttribute('theme', 'dark');
    for (const order of [null, 'attn:reset', [], {type: 7}, {type: 'attn:theme', theme: 'pink'}])
      await send(order);
    // A window that is not the parent.
    await frame.evaluate(() => postMessage({type: 'attn:set', state: {scores: [9, 9]}}, '*'));
    expect((await answered({type: 'attn:get'}))?.state['scores']).toEqual([1, 1]);
    await expect(frame.locator('attn-softmax')).toHaveAttribute('theme', 'dark');
    const canvas = (await messagesOf(page)).filter((data) => typeof data === 'string');
    expect(JSON.parse(String(canvas.at(-1)))).toMatchObject({subject: 'lti.frameResize'});
    expect(errors).toEqual([]);
  });
});

test('a bad address gives the default and one sentence', async ({page, course}) => {
  await inFrame(
    page,
    `${course}embed/attn-softmax.html?scores=eins&temperature=0`,
    async (frame) => {
      await expect(frame.locator('attn-softmax')).toContainText('66.5 %');
      await expect(frame.locator('.trouble:visible')).toHaveCount(1);
      await expect(frame.locator('.trouble')).toContainText('scores');
    },
  );
  await page.goto(`${course}embed/attn-softmax.html?scores=1,1&version=9`);
  await expect(page.locator('.trouble')).toContainText('第1版');
  await expect(page.locator('attn-softmax')).toContainText('66.5 %');
});

test('a link copied from a frame opens the same state', async ({page, course}) => {
  await inFrame(page, `${course}embed/attn-softmax.html?scores=1,1`, async (frame) => {
    await frame.locator('.exact > summary').click();
    await frame.locator('.boxes .number input').first().fill('2');
    await frame.getByText('复制链接').click();
    // A sandboxed frame may not use the clipboard: the link is shown.
    const status = await frame.locator('p[role=status]').textContent();
    const link = /https?:\S+/.exec(status ?? '')?.[0] ?? '';
    expect(link).toContain('/embed/attn-softmax.html?scores=2,1');
    await page.goto(link);
    await expect(page.locator('attn-softmax')).toContainText('73.1 %');
  });
});

test('a question other than the built one is loaded', async ({page, course}) => {
  await inFrame(
    page,
    `${course}embed/attn-check.html?question=c3-l03/double-row`,
    async (frame) => {
      await expect(frame.locator('.options legend, .prompt').first()).not.toBeEmpty();
      expect(await frame.locator('a.num').count()).toBe(0);
    },
  );
});

test('a server without CORS: the sandboxed picture stays, and a sentence gives the reason', async ({
  page,
}) => {
  const headers = {'Access-Control-Allow-Origin': 'https://elsewhere.example'};
  const course = await serve({folder: dist, headers});
  const foreign = await foreignPage(host(`${course.url}embed/attn-softmax.html`));
  try {
    await page.goto(foreign.url);
    const frame = page.frameLocator('iframe');
    await expect(frame.locator('.core-missing')).toHaveText(/Access-Control-Allow-Origin。$/);
    await expect(frame.locator('svg').first()).toBeVisible();
    await expect(frame.locator('.live').first()).toBeHidden();
  } finally {
    await foreign.close();
    await course.close();
  }
});

for (const path of ['/', '/a/b/', '/课程/attn/']) {
  test(`under ${path}, .wasm as text/plain, unknown paths answered with 200 and HTML`, async ({
    page,
  }) => {
    const site = await serve({
      folder: dist,
      base: path,
      fault: (requested) => {
        if (requested.endsWith('.wasm')) return {type: 'text/plain'};
        return {
          status: 200,
          ...(known(requested)
            ? {}
            : {type: 'text/html; charset=utf-8', body: '<!doctype html><title>课程</title>'}),
        };
      },
    });
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    try {
      for (const address of [
        'embed/attn-softmax.html?scores=1,1',
        'widgets/attn-softmax/',
        'c3/l03/',
        'models/',
      ]) {
        await page.goto(site.url + address);
        const widget = page.locator('attn-softmax, attn-kv-cache').first();
        await expect(widget).toHaveAttribute('ready');
        await expect(page.locator('.core-missing')).toHaveCount(0);
      }
      expect(
        addresses.filter((url) => !url.startsWith(site.url) && !/^(data|blob):/.test(url)),
      ).toEqual([]);
    } finally {
      await site.close();
    }
  });
}

function known(path: string): boolean {
  return readable.has(decodeURIComponent(path)) || path.endsWith('/');
}

const readable = new Set(
  readdirSync(dist, {recursive: true, encoding: 'utf8'}).map((name) => `/${name}`),
);
