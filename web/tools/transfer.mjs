// The bytes that a page loads until its last widget is registered: the bodies of scripts,
// WebAssembly and styles, each under gzip −9. The page itself, fonts and the search index don't
// count.
import {gzipSync} from 'node:zlib';

const counted = (response) =>
  ['script', 'stylesheet'].includes(response.request().resourceType()) ||
  new URL(response.url()).pathname.endsWith('.wasm');

/**
 * Opens `url` in a fresh page and measures the files that it loads.
 *
 * @param {import('@playwright/test').Page} page  one that has loaded nothing yet
 * @param {string} url
 * @returns {Promise<{bodies: {url: string, bytes: number, gzip: number}[], gzip: number}>}
 *     gzip: the sum, in bytes
 */
export async function transfer(page, url) {
  const responses = [];
  page.on('response', (response) => {
    if (counted(response)) responses.push(response);
  });
  await page.goto(url);
  await page.evaluate(() => {
    const tags = [...document.querySelectorAll('*')].map((element) => element.localName);
    const widgets = new Set(tags.filter((tag) => tag.startsWith('attn-')));
    return Promise.all([...widgets].map((tag) => customElements.whenDefined(tag)));
  });
  const bodies = await Promise.all(
    responses.map(async (response) => {
      const body = await response.body();
      return {url: response.url(), bytes: body.length, gzip: gzipSync(body, {level: 9}).length};
    }),
  );
  return {bodies, gzip: bodies.reduce((sum, body) => sum + body.gzip, 0)};
}
