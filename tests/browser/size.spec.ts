// Limits on the bytes that a lesson, a page of the case or a widget's own page loads. Lesson 3 is
// the first that readers open.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from '@playwright/test';
import {transfer} from '../../web/tools/transfer.mjs';
import {addressOf, checkedPages, dist, test} from './site.js';

const FIRST = 'c3/l03/index.html';
/** The overview carries its widget's result, so the model is not among its first bytes. */
const OVERVIEW = 'case/overview/index.html';
const LIMITS: Record<string, number> = {[FIRST]: 96_000, [OVERVIEW]: 90_000};
const limitOf = (file: string) => LIMITS[file] ?? 100_000;
/** A page of the case, without its styles. */
const CASE_LIMIT = 90_000;
const measured = checkedPages().filter((file) =>
  /^(c\d+\/[lb]\d+|case\/[\w-]+|widgets\/attn-[\w-]+)\/index\.html$/.test(file),
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
    // Some pages of the case are text alone.
    const hasWidgets = /<attn-/.test(readFileSync(join(dist, file), 'utf8'));
    expect(
      bodies.some((body) => body.url.endsWith('.wasm')),
      list,
    ).toBe(hasWidgets);
    expect(gzip, list).toBeLessThanOrEqual(limit);
    if (!file.startsWith('case/')) return;
    const styles = bodies.filter((body) => new URL(body.url).pathname.endsWith('.css'));
    expect(gzip - styles.reduce((sum, body) => sum + body.gzip, 0), list).toBeLessThanOrEqual(
      CASE_LIMIT,
    );
  });
}
