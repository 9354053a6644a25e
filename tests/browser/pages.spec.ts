// The pages in dist/ pass the checks under a base path and a strict policy.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, type Page} from '@playwright/test';
import * as check from './checks.js';
import {firstOfEachForm} from './forms.js';
import {addressOf, checkedPages, dist, pagesOf, test, type Site} from './site.js';

const pages = checkedPages();
/**
 * The pages on which axe runs, and which are opened without scripts: one of each form. axe leaves
 * out a widget that repeats the form of one on an earlier page.
 */
const forms = firstOfEachForm(pages);

async function complete(page: Page, site: Site): Promise<void> {
  expect.soft(await check.formulas(page), 'formulas are set').toEqual([]);
  expect.soft(await check.numbers(page), 'numbers are printed').toEqual([]);
  expect.soft(await check.pictures(page), 'widgets have their pictures').toEqual([]);
  expect.soft(await check.unresolved(page), 'every number is one').toEqual([]);
  expect.soft(await check.links(page, site), 'links lead somewhere').toEqual([]);
}

test('the site has pages', () => {
  expect(pages).toContain('index.html');
});

for (const file of pagesOf(dist)) {
  test(`${file}: valid HTML`, async () => {
    expect(await check.validHtml({folder: dist}, file)).toEqual([]);
  });
}

for (const file of pages) {
  test(`${file}: live checks, console, accessibility, narrow width`, async ({page, site}) => {
    const findings = check.watch(page, site);
    await page.goto(addressOf(site, file));
    expect.soft(await check.widgetsReady(page), 'widgets come alive').toEqual([]);
    // On a long page the last boxes are placed a few seconds later.
    await expect
      .poll(() => check.boxes(page), {message: 'numbers can be typed', timeout: 20_000})
      .toEqual([]);
    const built = readFileSync(join(dist, file), 'utf8');
    expect.soft(await check.changedFigures(page, built), 'the picture is the build’s').toEqual([]);
    await expect.soft(page.locator('.core-missing:visible'), 'the core is there').toHaveCount(0);
    await check.unfold(page);
    // Without scripts the first page of a form is complete, and so are the others of its form.
    if (!forms.has(file)) await complete(page, site);
    expect.soft(await check.unresolved(page), 'every number is one').toEqual([]);
    expect.soft(await check.formulaColours(page), 'formulas have their text’s colour').toEqual([]);
    await page.emulateMedia({colorScheme: 'dark'});
    await page.setViewportSize({width: 320, height: 640});
    expect.soft(await check.sideways(page), 'nothing sticks out at 320 px').toEqual([]);
    // A box gets its tab stop once its new width is observed.
    await expect
      .poll(() => check.scrollers(page), {message: 'what scrolls takes the keyboard'})
      .toEqual([]);
    const repeated = forms.get(file);
    if (repeated) {
      await check.emptyFormulas(page);
      await check.removeRepeated(page, repeated);
      expect
        .soft(await check.accessibility(page, check.looksRules), 'axe, dark, at 320 px')
        .toEqual([]);
      await page.emulateMedia({colorScheme: 'light'});
      await page.setViewportSize({width: 1280, height: 900});
      expect.soft(await check.accessibility(page), 'axe, light').toEqual([]);
    }
    expect(findings, 'console and network').toEqual([]);
  });
}

// These run after all the others, since a worker opens a new browser context for each change of
// this setting.
test.describe('scripts off', () => {
  test.use({javaScriptEnabled: false});

  for (const file of forms.keys()) {
    test(`${file}: complete with scripts off`, async ({page, site}) => {
      const findings = check.watch(page, site);
      await page.goto(addressOf(site, file));
      await check.unfold(page);
      await complete(page, site);
      await page.setViewportSize({width: 320, height: 640});
      expect.soft(await check.sideways(page), 'nothing sticks out at 320 px').toEqual([]);
      expect(findings, 'console and network').toEqual([]);
    });
  }
});
