// If the core can't be loaded, a page stays as it was built and shows one sentence.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@playwright/test';
import {strictPolicy} from '../../web/tools/serve.mjs';
import * as check from './checks.js';
import {addressOf, checkedPages, dist, serveStrictly} from './site.js';

const textOf = (file: string) => readFileSync(join(dist, file), 'utf8');
const withWidgets = checkedPages().filter((file) => /<attn-/.test(textOf(file)));
const isWasm = (path: string) => path.endsWith('.wasm');

const html = {
  status: 200,
  type: 'text/html; charset=utf-8',
  body: '<!DOCTYPE html><title>404</title>',
};
const faults: {name: string; options: Parameters<typeof serveStrictly>[1]; script?: string}[] = [
  {
    name: 'the module is missing',
    options: {fault: (path) => (isWasm(path) ? {status: 404, body: '404'} : undefined)},
  },
  {
    name: 'HTML comes instead of the module',
    options: {fault: (path) => (isWasm(path) ? html : undefined)},
  },
  {name: 'WebAssembly is switched off', options: {}, script: 'delete globalThis.WebAssembly'},
  {
    name: 'the policy forbids WebAssembly',
    options: {policy: strictPolicy.replace(" 'wasm-unsafe-eval'", '')},
  },
];

test('some page has widgets', () => {
  expect(withWidgets).not.toEqual([]);
});

/**
 * The scripts that a page starts with handle its faults. So the first page of each set of scripts
 * is tested with all faults, and the first fault with every widget, on few pages.
 */
const startsOf = (file: string) =>
  [...textOf(file).matchAll(/<(?:script|link rel="modulepreload")[^>]*(?:src|href)="([^"]*)"/g)]
    .map(([, address]) => address!.split('/').at(-1))
    .sort()
    .join();
const firstOfItsKind = new Map(withWidgets.toReversed().map((file) => [startsOf(file), file]));
const meetsAll = (file: string) => firstOfItsKind.get(startsOf(file)) === file;

const tagsOf = (file: string) => new Set(textOf(file).match(/(?<=<)attn-[\w-]+/g));
/** Pages with all widgets between them: each has one that no page before it has. */
const everyWidget: string[] = [];
const covered = new Set<string>();
for (const file of withWidgets) {
  const tags = [...tagsOf(file)];
  if (tags.every((tag) => covered.has(tag))) continue;
  for (const tag of tags) covered.add(tag);
  everyWidget.push(file);
}

test('pages start with at least two sets of scripts, and with few', () => {
  expect(firstOfItsKind.size).toBeGreaterThan(2);
  expect(firstOfItsKind.size).toBeLessThan(10);
});

const tested = withWidgets.filter((file) => meetsAll(file) || everyWidget.includes(file));
for (const file of tested) {
  for (const {name, options, script} of meetsAll(file) ? faults : faults.slice(0, 1)) {
    test(`${file}: ${name}: figures stay, one sentence`, async ({page}) => {
      const site = await serveStrictly(dist, options);
      try {
        if (script) await page.addInitScript(script);
        await page.goto(addressOf(site, file));
        const notice = page.locator('.core-missing');
        await expect(notice).toBeVisible();
        await expect(notice).toHaveCount(1);
        await expect(notice).toHaveRole('status');
        await expect(notice).toHaveText(/^[^。]+。$/);
        expect(await check.changedFigures(page, textOf(file))).toEqual([]);
        await check.unfold(page);
        expect(await check.pictures(page)).toEqual([]);
      } finally {
        await site.close();
      }
    });
  }

  if (!meetsAll(file)) continue;

  test(`${file}: a module with the wrong MIME type works`, async ({page}) => {
    const site = await serveStrictly(dist, {
      fault: (path) => (isWasm(path) ? {type: 'application/octet-stream'} : undefined),
    });
    try {
      await page.goto(addressOf(site, file));
      expect(await check.widgetsReady(page)).toEqual([]);
      await expect(page.locator('.core-missing')).toHaveCount(0);
      const softmax = page.locator('attn-softmax').first();
      if (await softmax.count()) {
        // e⁹ / (e⁸ + e⁷ + e⁹) = 1 / (e⁻¹ + e⁻² + 1) = 66.5 %
        await softmax.evaluate((element) => {
          Object.assign(element, {state: {scores: [8, 7, 9], method: 'softmax', temperature: 1}});
        });
        await expect(softmax).toContainText('66.5');
      }
    } finally {
      await site.close();
    }
  });
}
