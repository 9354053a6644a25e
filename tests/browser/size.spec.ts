// Limits on the bytes that a lesson or a widget's own page loads. Lesson 3 is the first that
// readers open.
import {expect} from '@playwright/test';
import {transfer} from '../../web/tools/transfer.mjs';
import {addressOf, checkedPages, test} from './site.js';

const FIRST = 'c3/l03/index.html';
const limitOf = (file: string) => (file === FIRST ? 96_000 : 100_000);
const measured = checkedPages().filter((file) =>
  /^(c\d+\/[lb]\d+|widgets\/attn-[\w-]+)\/index\.html$/.test(file),
);

test('there are pages to measure', () => {
  expect(measured).toContain(FIRST);
});

for (const file of measured) {
  const limit = limitOf(file);

  test(`${file}: script, WebAssembly and style are at most ${limit / 1000} KB`, async ({
    page,
    site,
  }) => {
    const {bodies, gzip} = await transfer(page, addressOf(site, file));
    const list = bodies.map((body) => `${body.gzip} ${body.url}`).join('\n');
    expect(
      bodies.some((body) => body.url.endsWith('.wasm')),
      list,
    ).toBe(true);
    expect(gzip, list).toBeLessThanOrEqual(limit);
  });
}
