// The margins of a lesson on wide screens: its sections with the reader's place, the path of the
// data, notes, and the width of widgets.
import {expect, type Page} from '@playwright/test';
import * as check from './checks.js';
import {test} from './site.js';

const lesson = 'c3/l03/';
const current = (page: Page) => page.locator('.outline [aria-current]');
const done = (page: Page) => page.locator('.outline .done');

/** Scrolls so that the heading stands at the top of the window. */
const goTo = (page: Page, id: string) =>
  page.evaluate((name) => document.getElementById(name)!.scrollIntoView(), id);

test('the list of sections marks the one being read, and those that are done', async ({
  page,
  site,
}) => {
  await page.setViewportSize({width: 1100, height: 720});
  await page.goto(site.url + lesson);
  expect(await check.widgetsReady(page)).toEqual([]);
  const links = page.getByRole('navigation', {name: '本课'}).locator('.outline a');
  expect(await links.count()).toBe(await page.locator('main h2[id]').count());
  await expect(current(page)).toHaveCount(0);
  await goTo(page, 'from');
  await expect(current(page)).toHaveText('从已有出发');
  await goTo(page, 'design');
  await expect(current(page)).toHaveText('先自己设计');
  await expect(done(page)).toHaveText(['从已有出发']);
  // The next section is read to its end, but its question is still open.
  await goTo(page, 'fails');
  await expect(current(page)).toHaveText('它在哪里失败');
  await expect(done(page)).toHaveText(['从已有出发']);
  await page.locator('#q-share-negative').getByRole('radio', {name: '比一整份还多'}).check();
  await expect(done(page)).toHaveText(['从已有出发', '先自己设计']);
  // Everything is kept.
  await page.reload();
  await expect(done(page)).toHaveText(['从已有出发', '先自己设计']);
  await links.nth(3).click();
  await expect(current(page)).toHaveText(/^改进第一轮/);
});

test('the margins overlap nothing, and widgets are as wide as there is room', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url + lesson}#w-variance`);
  expect(await check.widgetsReady(page)).toEqual([]);
  for (const [width, widget] of [
    [960, 904],
    [1100, 904],
    [1280, 904],
    [1920, 1200],
  ] as const) {
    await page.setViewportSize({width, height: 900});
    const seen = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      return {
        widget: box('#w-variance').width,
        text: box('#improve-2').left,
        rail: box('.rail > div').right,
        broad: document.documentElement.scrollWidth - innerWidth,
      };
    });
    expect(seen.widget, `at ${width}`).toBeCloseTo(widget, 0);
    expect(seen.rail, `at ${width}`).toBeLessThanOrEqual(seen.text);
    expect(seen.broad, `at ${width}`).toBeLessThanOrEqual(0);
    await expect(page.locator('.rail > div')).toBeVisible({visible: width >= 1100});
  }
  // The whole rail is in the window of a small laptop.
  await page.setViewportSize({width: 1366, height: 650});
  const over = await page
    .locator('.rail > div')
    .evaluate((rail) => rail.scrollHeight - rail.clientHeight);
  expect(over).toBeLessThanOrEqual(0);
});

test('the path of the data lights the part of the lesson', async ({page, site}) => {
  await page.setViewportSize({width: 1280, height: 900});
  for (const [address, lit] of [
    ['c3/l03/', ['sqrt', 'softmax']],
    ['c3/l04/', ['mask']],
    ['c3/b1/', []],
  ] as const) {
    await page.goto(site.url + address);
    const now = page.locator('.flow-path .now');
    expect(await now.evaluateAll((all) => all.map((part) => part.dataset['thing']))).toEqual(lit);
  }
  await page.getByRole('link', {name: '掩码', exact: true}).click();
  await expect(page).toHaveURL(/\/c3\/l04\/index\.html$/);
});

test.describe('scripts off', () => {
  test.use({javaScriptEnabled: false});

  test('the sections are a list of links', async ({page, site}) => {
    await page.setViewportSize({width: 1280, height: 900});
    await page.goto(site.url + lesson);
    await page.getByRole('link', {name: '常见误解'}).click();
    await expect(page.locator('#misconceptions')).toBeInViewport();
    await expect(done(page)).toHaveCount(0);
  });
});
