// Training in a real browser, under the strict policy: the same bits as natively.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect, test} from '@playwright/test';
import {serveStrictly} from './site.js';

const folder = (path: string) => fileURLToPath(new URL(`../../build/${path}`, import.meta.url));

test('20 small and 2 large steps, scaled or not, give the native parameters and losses', async ({
  page,
}) => {
  test.setTimeout(300_000); // plain C++ on a busy machine
  const site = await serveStrictly(folder('wasm'));
  try {
    // Any file of the same origin can serve as the page.
    await page.goto(`${site.url}attn_training_digest.mjs`);
    const digest = await page.evaluate(async () => {
      const {default: create} = await import(location.href);
      const response = await fetch(location.href.replace('.mjs', '.wasm'));
      const module = await create({wasmBinary: await response.arrayBuffer()});
      return module.digest(1) as string;
    });
    const native = readFileSync(folder('native/training_digest.txt'), 'utf8');
    expect(digest.split('\n').length).toBe(5);
    expect(digest).toBe(native);
  } finally {
    await site.close();
  }
});
