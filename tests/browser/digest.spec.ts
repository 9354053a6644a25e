// The core's results in Chromium equal those of the native build, bit for bit.
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {expect, test} from '@playwright/test';
import {serveStrictly} from './site.js';

const build = fileURLToPath(new URL('../../build', import.meta.url));

test('the digest in Chromium is the native one', async ({page}) => {
  const native = execFileSync(`${build}/native/attn_digest`, {encoding: 'utf8'}).trim();
  // The hash, then the number of results that it covers.
  expect(native).toMatch(/^[0-9a-f]{16} \d+$/);
  expect(Number(native.split(' ')[1])).toBeGreaterThanOrEqual(1e5);

  const site = await serveStrictly(`${build}/wasm`, {
    fault: (path) => (path === '/' ? {type: 'text/html', body: '<!DOCTYPE html>'} : undefined),
  });
  try {
    await page.goto(site.url);
    const inChromium = await page.evaluate(async (module) => {
      const {default: create} = await import(module);
      return (await create()).digest();
    }, `${site.url}attn_digest.mjs`);
    expect(inChromium).toBe(native);
  } finally {
    await site.close();
  }
});
