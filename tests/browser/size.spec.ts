// Limits on the bytes that a lesson loads. Lesson 3 is the first that readers open.
import {expect} from '@playwright/test';
import {transfer} from '../../web/tools/transfer.mjs';
import {addressOf, dist, pagesOf, test} from './site.js';

const FIRST = 'c3/l03/index.html';
const limitOf = (file: string) => (file === FIRST ? 96_000 : 100_000);
const lessons = pagesOf(dist).filter((file) => /^c\d+\/[lb]\d+\/index\.html$/.test(file));

test('there are lessons to measure', () => {
  expect(lessons).not.toEqual([]);
});

for (const file of lessons) {
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
