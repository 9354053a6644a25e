// The text after a prediction is veiled until the reader answers or skips it.
import {expect, type Page} from '@playwright/test';
import * as check from './checks.js';
import {addressOf, dist, pagesOf, test} from './site.js';

const lesson = 'c3/l03/';
const SHARE = 'c3-l03/share-negative';
const SHIFT = 'c3-l03/shift-ratio';

const veils = (page: Page, question: string) =>
  page.locator(`lesson-veil[data-question="${question}"]`);

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  expect(await check.widgetsReady(page)).toEqual([]);
}

/** Whether the content of each veil of a question is seen. */
const seen = (page: Page, question: string) =>
  veils(page, question).evaluateAll((all) =>
    all.map((veil) => veil.firstElementChild!.checkVisibility({contentVisibilityAuto: false})),
  );

test('an answer opens what follows its question, and the page after a reload', async ({
  page,
  site,
}) => {
  await open(page, site.url + lesson);
  // The rest of the section, and the opening of the next one, which answers the question.
  expect(await seen(page, SHARE)).toEqual([false, false]);
  await page.locator('#q-share-negative').getByRole('radio', {name: '比一整份还多'}).check();
  expect(await seen(page, SHARE)).toEqual([true, true]);
  expect(await seen(page, SHIFT)).toEqual([false]);
  await page.reload();
  expect(await seen(page, SHARE)).toEqual([true, true]);
  expect(await seen(page, SHIFT)).toEqual([false]);
});

test('an opened answer opens what follows, also one without a guess', async ({page, site}) => {
  await open(page, site.url + lesson);
  await page.locator('#q-shift-ratio').getByText('看答案').click();
  await expect.poll(() => seen(page, SHIFT)).toEqual([true]);
});

test('skipping opens what follows, moves the focus there, and is kept', async ({page, site}) => {
  await open(page, site.url + lesson);
  const skip = page.locator(`.unveil:has(+ [data-question="${SHIFT}"]) button`);
  await skip.focus();
  await page.keyboard.press('Enter');
  await expect(skip).toBeHidden();
  await expect(veils(page, SHIFT)).toBeFocused();
  await expect(page.locator('#w-shift')).toBeInViewport();
  await page.reload();
  expect(await seen(page, SHIFT)).toEqual([true]);
  await expect(skip).toBeHidden();
  // The question itself has no answer.
  await expect(page.locator('#q-shift-ratio').getByRole('radio', {checked: true})).toHaveCount(0);
});

test('a link to a widget in a veil opens it', async ({page, site}) => {
  await open(page, site.url + lesson);
  await page.evaluate(() => (location.hash = '#w-shift'));
  await expect(page.locator('#w-shift')).toBeInViewport();
  expect(await seen(page, SHIFT)).toEqual([true]);
  await open(page, `${site.url}?`);
  await open(page, `${site.url}${lesson}#w-share?scores=5,3,-4`);
  await expect(page.locator('#w-share')).toBeInViewport();
  expect(await seen(page, SHARE)).toEqual([true, true]);
});

test('the browser can search veiled text, and a match opens the veil', async ({page, site}) => {
  await open(page, site.url + lesson);
  const veil = veils(page, SHIFT);
  await expect(veil).toHaveAttribute('hidden', 'until-found');
  // A fragment with a text directive runs the browser's own search.
  await page.goto('about:blank');
  await page.goto(`${site.url}${lesson}#:~:text=${encodeURIComponent('石头自己什么也没拿到')}`);
  await expect.poll(() => seen(page, SHIFT)).toEqual([true]);
});

test('a guess is drawn as a ghost in the widget that answers it, until the next touch', async ({
  page,
  site,
}) => {
  await open(page, site.url + lesson);
  const ghost = page.locator('#w-softmax svg.wide').getByText('你猜40 %');
  await page.locator('#q-softmax-close').getByRole('textbox').fill('40');
  await page.locator('#q-softmax-close').getByRole('textbox').press('Enter');
  await expect(ghost).toBeVisible();
  await page.reload();
  await expect(ghost).toBeVisible();
  // Both boxes together are as high as the strip, and the guessed one has 40 % of it.
  const heights = await page
    .locator('#w-softmax svg.wide rect[stroke-dasharray="4 3"]')
    .evaluateAll((boxes) => boxes.map((box) => Number(box.getAttribute('height'))));
  expect(heights).toHaveLength(2);
  expect(heights[1]! / (heights[0]! + heights[1]!)).toBeCloseTo(0.4, 6);
  await page.locator('#w-softmax').getByRole('button', {name: '1000 / −1000 / 0'}).click();
  await expect(ghost).toHaveCount(0);
});

test('print shows what is veiled', async ({page, site}) => {
  await open(page, site.url + lesson);
  await page.emulateMedia({media: 'print'});
  for (const question of [SHARE, SHIFT]) {
    expect(await seen(page, question)).not.toContain(false);
    await expect(page.locator(`.unveil:has(+ [data-question="${question}"])`).first()).toBeHidden();
  }
});

test('every lesson veils its predictions, and nothing moves while it loads', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    const shifts = ((globalThis as unknown as {shifts: number[]}).shifts = []) as number[];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as {value: number}).value);
    }).observe({type: 'layout-shift', buffered: true});
  });
  for (const file of pagesOf(dist).filter((name) => /^c3\/[lb]\d+\/index/.test(name))) {
    await open(page, addressOf(site, file));
    const counts = await page.evaluate(() => ({
      veiled: document.querySelectorAll('lesson-veil[hidden]').length,
      all: document.querySelectorAll('lesson-veil').length,
      shifted: (globalThis as unknown as {shifts: number[]}).shifts.reduce(
        (sum, one) => sum + one,
        0,
      ),
    }));
    expect.soft(counts.veiled, file).toBe(counts.all);
    // A line of text with a formula may break elsewhere once the formula's font arrives.
    expect.soft(counts.shifted, file).toBeLessThan(0.03);
    expect.soft(counts.all, file).toBeGreaterThan(1);
  }
});

test.describe('scripts off', () => {
  test.use({javaScriptEnabled: false});

  test('nothing is veiled', async ({page, site}) => {
    await page.goto(site.url + lesson);
    await expect(page.locator('#w-shift')).toBeVisible();
    await expect(page.locator('.unveil:visible')).toHaveCount(0);
  });
});
