// The layout stays while a page with formulas loads for the first time and its widgets start.
import {expect} from '@playwright/test';
import * as check from './checks.js';
import {heldBack, test} from './site.js';

/** A shift below this one is printed as 0.000. */
const SEEN = 0.0005;

interface Shift extends PerformanceEntry {
  value: number;
}

for (const lesson of ['c3/l03/', 'c3/l08/'])
  test(`${lesson}: nothing moves when the widgets start and late fonts come`, async ({
    page,
    site,
  }) => {
    await page.addInitScript(() => {
      const shifts: number[] = [];
      (window as unknown as {shifts: number[]}).shifts = shifts;
      new PerformanceObserver((list) =>
        shifts.push(...list.getEntries().map((entry) => (entry as Shift).value)),
      ).observe({type: 'layout-shift', buffered: true});
    });
    for (const width of [412, 1280]) {
      await page.setViewportSize({width, height: 900});
      const letThrough = await heldBack(page, '**/*.woff2');
      await page.goto(site.url + lesson, {waitUntil: 'domcontentloaded'});
      expect(await check.widgetsReady(page)).toEqual([]);
      letThrough();
      const fonts = await page.evaluate(async () => {
        await document.fonts.ready;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        return [...document.fonts].filter(({status}) => status === 'loaded').length;
      });
      expect(fonts, 'the formulas use fonts').toBeGreaterThan(1);
      const shifts = await page.evaluate(() => (window as unknown as {shifts: number[]}).shifts);
      const sum = shifts.reduce((total, value) => total + value, 0);
      expect(sum, `shift at ${width} px`).toBeLessThan(SEEN);
      await page.unroute('**/*.woff2');
    }
  });
