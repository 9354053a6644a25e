// Common parts of all pages: sources of numbers, search, light and dark.
import {expect} from '@playwright/test';
import * as check from './checks.js';
import {addressOf, dist, pagesOf, test} from './site.js';

const lesson = 'c3/l03/';

test('a number shows its source on focus, and Escape hides it', async ({page, site}) => {
  await page.goto(site.url + lesson);
  await check.unfold(page);
  const number = page.locator('main a.num[data-num="dot_std"]').first();
  await number.focus();
  const card = page.locator('#number-card');
  await expect(card).toBeVisible();
  await expect(card).toContainText('√head_dim');
  await expect(card).toContainText('lessons/models/anchor-model.json');
  await page.mouse.move(5, 300);
  await page.mouse.move(15, 300);
  await expect(card).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
});

test('every printed number is in numbers.json and in the table of sources', async ({
  page,
  site,
}) => {
  await page.goto(site.url + lesson);
  const {numbers} = (await (await page.request.get(`${site.url}numbers.json`)).json()) as {
    numbers: {id: string; page: string; text: string}[];
  };
  const known = new Map(
    numbers.filter((number) => number.page === lesson).map((number) => [number.id, number.text]),
  );
  const printed = await page
    .locator('main a.num')
    .evaluateAll((links) =>
      links.map((link) => [
        link.getAttribute('data-num') ?? '',
        link.textContent ?? '',
        link.getAttribute('href') ?? '',
      ]),
    );
  expect(printed.length).toBeGreaterThan(50);
  for (const [id, text, href] of printed) {
    expect(known.get(id ?? ''), id).toBe(text);
    await expect(page.locator(`[id="${href?.slice(1)}"]`)).toHaveCount(1);
  }
});

test('the first use of a term links to its entry in the glossary', async ({page, site}) => {
  await page.goto(site.url + lesson);
  const term = page.getByRole('main').getByRole('link', {name: '雅可比矩阵', exact: true});
  await expect(term).toHaveCount(1);
  await term.click();
  await expect(page).toHaveURL(/\/glossary\/index\.html#jacobian$/);
  await expect(page.locator('dt#jacobian')).toBeInViewport();
});

test('search finds the middle of a word', async ({page, site}) => {
  await page.goto(site.url);
  await page.getByRole('button', {name: '查找'}).click();
  await page.getByRole('searchbox').fill('意力');
  await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
  await page.getByRole('searchbox').fill('不存在的词儿');
  await expect(page.getByRole('dialog')).toContainText('没有找到');
});

test('search without its index gives a message, and works when the index has loaded', async ({
  page,
  site,
}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.route('**/search-index.json', (route) => route.fulfill({status: 404, body: '404'}));
  await page.goto(site.url);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveText(/索引载入失败，请刷新页面再试。/);
  await page.getByRole('button', {name: '关闭'}).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.unroute('**/search-index.json');
  // Two requests before the dialog has loaded open one dialog.
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('searchbox')).toBeVisible();
  await expect(page.locator('dialog')).toHaveCount(1);
  expect(errors).toEqual([]);
});

test('the choice of dark is kept', async ({page, site}) => {
  await page.goto(site.url);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({colorScheme: 'light'});
  const light = await paper();
  const button = page.getByRole('button', {name: /明暗/});
  await button.click();
  await button.click();
  await expect(button).toHaveAccessibleName('明暗：暗');
  expect(await paper()).not.toBe(light);
  await page.reload();
  expect(await paper()).not.toBe(light);
});

test('no note in the margin reaches below its part', async ({page, site}) => {
  await page.setViewportSize({width: 1280, height: 900});
  let seen = 0;
  for (const file of pagesOf(dist).filter((name) => name.startsWith('c3/'))) {
    await page.goto(addressOf(site, file));
    const notes = await page.locator('.part > .aside').evaluateAll((boxes) =>
      boxes.map((box) => {
        const part = box.parentElement as HTMLElement;
        const bottom = box.getBoundingClientRect().top + box.scrollHeight;
        return {text: box.textContent, over: bottom - part.getBoundingClientRect().bottom};
      }),
    );
    expect
      .soft(
        notes.filter(({over}) => over > 0.5),
        file,
      )
      .toEqual([]);
    seen += notes.length;
  }
  expect(seen).toBeGreaterThan(10);
});

for (const width of [360, 1280]) {
  test(`at ${width} px a page keeps its length while it is read, and End reaches its end`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({width, height: 900});
    for (const address of [lesson, 'c3/l08/', 'case/experiment/']) {
      await page.goto(site.url + address);
      const length = () => page.evaluate(() => document.documentElement.scrollHeight);
      const first = await length();
      await page.keyboard.press('End');
      await expect
        .poll(() => page.evaluate(() => scrollY + innerHeight))
        .toBeGreaterThan(first - 2);
      expect(await check.widgetsReady(page)).toEqual([]);
      for (let y = 0; y < first; y += 800) {
        await page.evaluate(
          (top) =>
            new Promise((drawn) => {
              scrollTo(0, top);
              requestAnimationFrame(drawn);
            }),
          y,
        );
        expect(Math.abs((await length()) / first - 1), `${address} at ${y}`).toBeLessThan(0.01);
      }
    }
  });
}

test('no heading breaks inside a word, and no percentage splits', async ({page, site}) => {
  await page.setViewportSize({width: 360, height: 780});
  for (const address of ['', 'c3/l03/', 'c3/l04/', 'c3/b4/']) {
    await page.goto(site.url + address);
    await check.unfold(page);
    const split = await page.evaluate(() => {
      const found: string[] = [];
      const range = document.createRange();
      const lookAt = (root: Node, pattern: RegExp) => {
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          for (const {0: word, index} of (node.nodeValue ?? '').matchAll(pattern)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({bottom}) => bottom));
            if (lines.size > 1) found.push(word);
          }
        }
      };
      // Words are separate text nodes, and a line may break between them or beside punctuation.
      for (const heading of document.querySelectorAll('h1, h2, h3'))
        lookAt(heading, /[\p{L}\p{N}]+/gu);
      for (const block of document.querySelectorAll('main p, main li, main h1, main td'))
        lookAt(block, /[\d.]+\s%/g);
      return found;
    });
    expect(split, address).toEqual([]);
  }
});

test('the recap of a lesson is folded; print and a search in the page open it', async ({
  page,
  site,
}) => {
  await page.goto(site.url + lesson);
  const recap = page.locator('.recap');
  await expect(recap.locator('summary')).toBeVisible();
  const text = recap.getByText('意思是「我在找什么」');
  const seen = () => text.evaluate((p) => p.checkVisibility({contentVisibilityAuto: false}));
  expect(await seen()).toBe(false);
  await page.emulateMedia({media: 'print'});
  expect(await seen()).toBe(true);
  await page.emulateMedia({media: 'screen'});
  // A fragment with a text directive runs the browser's own search.
  await page.goto('about:blank');
  await page.goto(`${site.url}${lesson}#:~:text=${encodeURIComponent('意思是「我在找什么」')}`);
  await expect.poll(seen).toBe(true);
});

test('a fold opened at once shows its boxes', async ({page, site}) => {
  await page.goto(`${site.url}${lesson}#w-softmax`);
  const shown = await page.locator('#w-softmax').evaluate(async (widget) => {
    const fold = widget.shadowRoot!.querySelector<HTMLDetailsElement>('.exact')!;
    widget.removeAttribute('defer-hydration');
    await (widget as unknown as {updateComplete: Promise<unknown>}).updateComplete;
    const toggled = new Promise((resolve) => fold.addEventListener('toggle', resolve));
    fold.open = true;
    await toggled;
    return [...fold.querySelectorAll('.number input')].map((box) => box.checkVisibility());
  });
  expect(shown.length).toBeGreaterThan(2);
  expect(shown).not.toContain(false);
});

test('boxes for numbers keep their places if a script asks for styles early', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    const timer = setInterval(() => {
      for (const widget of document.querySelectorAll('*'))
        widget.shadowRoot?.querySelector('.number input')?.checkVisibility();
    }, 25);
    setTimeout(() => clearInterval(timer), 2000);
  });
  await page.goto(site.url + lesson);
  expect(await check.widgetsReady(page)).toEqual([]);
  await page.waitForTimeout(2000);
  await expect.poll(() => check.boxes(page), {timeout: 20_000}).toEqual([]);
});
