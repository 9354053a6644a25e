// Lecture mode: a slide a screen, revealed step by step.
import {expect, type Page} from '@playwright/test';
import * as check from './checks.js';
import {test} from './site.js';

const place = (page: Page) => page.locator('.lecture-bar output');
/** A screen's number, its visible blocks, and the sizes of its paragraphs' letters in px. */
const screen = (page: Page) =>
  page.evaluate(() => {
    const zoom = Number(getComputedStyle(document.querySelector('main')!).zoom);
    const blocks = [...document.querySelectorAll('main [data-lecture]:not(.part, lesson-veil)')];
    const visible = blocks.filter((block) => block.checkVisibility());
    return {
      now: Number.parseInt(document.querySelector('.lecture-bar output')!.textContent!, 10),
      names: visible.map(({localName}) => localName),
      sizes: visible
        .filter((block) => block.localName === 'p')
        .map((block) => zoom * parseFloat(getComputedStyle(block).fontSize)),
      broad: document.documentElement.scrollWidth - innerWidth,
    };
  });
const shown = async (page: Page) => (await screen(page)).names;

for (const [width, height] of [
  [1024, 768],
  [1920, 1080],
] as const) {
  test(`slides in large type at ${width} × ${height}, from the address`, async ({page, site}) => {
    const findings = check.watch(page, site);
    await page.setViewportSize({width, height});
    await page.goto(`${site.url}c3/l03/?lecture`);
    await expect(place(page)).toHaveText(/^1 \/ \d+$/);
    await expect(page.locator('h1')).toBeVisible();
    await expect(page.locator('.bar')).toBeHidden();
    const count = Number((await place(page).textContent())!.split('/')[1]);
    expect(count).toBeGreaterThan(30);
    let widgets = 0;
    for (let steps = 0; steps < 300; steps++) {
      const {now, names, sizes, broad} = await screen(page);
      // A widget stands alone.
      if (names.some((name) => name.startsWith('attn-'))) {
        expect(names).toHaveLength(1);
        widgets++;
      }
      for (const size of sizes) expect(size).toBeGreaterThanOrEqual(28);
      expect(broad).toBeLessThanOrEqual(0);
      if (now === count) break;
      await page.keyboard.press('ArrowRight');
    }
    await expect(place(page)).toHaveText(`${count} / ${count}`);
    expect(widgets).toBeGreaterThan(10);
    expect(page.url()).toContain(`lecture=${count}`);
    expect(findings).toEqual([]);
  });
}

test('P starts and ends a lecture, arrows reveal and take back, answers stay closed', async ({
  page,
  site,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`${site.url}c3/l03/`);
  expect(await check.widgetsReady(page)).toEqual([]);
  await page.locator('#q-share-negative').getByText('看答案').click();
  expect(requested.filter((url) => url.includes('lecture'))).toEqual([]);
  await page.locator('h1').click();
  await page.keyboard.press('p');
  await expect(place(page)).toHaveText(/^1 \//);
  const first = (await shown(page)).length;
  await page.keyboard.press('ArrowRight');
  expect(await shown(page)).toHaveLength(first + 1);
  await page.keyboard.press('ArrowLeft');
  expect(await shown(page)).toHaveLength(first);
  await expect(page.locator('attn-check[shown]')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(place(page)).toHaveCount(0);
  await expect(page.locator('attn-check[shown]')).toHaveCount(1);
  expect(page.url()).not.toContain('lecture');
});

test('a letter typed into a box, and an arrow on a control, do not steer the lecture', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}c3/l03/`);
  expect(await check.widgetsReady(page)).toEqual([]);
  await page.locator('#q-dot-std').getByRole('textbox').focus();
  await page.keyboard.press('p');
  await page.getByRole('button', {name: '讲课'}).focus();
  await page.keyboard.press('p');
  await page.waitForTimeout(300);
  await expect(place(page)).toHaveCount(0);
  await page.getByRole('button', {name: '讲课'}).click();
  await expect(place(page)).toHaveText(/^1 \//);
  await page.getByRole('button', {name: '下一步'}).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(place(page)).toHaveText(/^1 \//);
});
