// Pointing at a named thing lights it wherever the page shows it.
import {expect, type Page} from '@playwright/test';
import * as check from './checks.js';
import {test} from './site.js';

/** The names that are lit, and the kinds of places where they are. */
const lit = (page: Page) =>
  page.evaluate(() => {
    const roots = [
      document,
      ...[...document.querySelectorAll('[ready]')].map(({shadowRoot}) => shadowRoot!),
    ];
    const marks = roots.flatMap((root) => [...root.querySelectorAll('[data-lit]')]);
    const placeOf = (mark: Element) => {
      const root = mark.getRootNode();
      if (root instanceof ShadowRoot) return root.host.localName;
      return mark.closest('.flow-path') ? 'path' : mark.closest('.katex') ? 'formula' : 'text';
    };
    return {
      names: [...new Set(marks.map((mark) => mark.getAttribute('data-thing')))].sort(),
      places: [...new Set(marks.map(placeOf))].sort(),
    };
  });

test('the mouse, the focus and a tap light a thing in formula, figure, path and sentence', async ({
  page,
  site,
}) => {
  await page.setViewportSize({width: 1280, height: 900});
  await page.goto(`${site.url}c3/l03/#w-formula`);
  expect(await check.widgetsReady(page)).toEqual([]);
  const root = page.locator('.katex-html [data-thing="sqrt"]').filter({visible: true}).first();
  await expect(async () => {
    await page.mouse.move(5, 5);
    await root.hover();
    expect((await lit(page)).names).toContain('sqrt');
  }).toPass();
  // The step of the data flow is about √d and softmax.
  expect(await lit(page)).toEqual({
    names: ['sqrt', 'sqrt softmax'],
    places: ['attn-dataflow', 'attn-formula', 'formula', 'path'],
  });
  await page.mouse.move(5, 5);
  expect((await lit(page)).names).toEqual([]);

  // By keyboard: a link of the path, and a button of the widget.
  await page.getByRole('link', {name: 'q，查询'}).focus();
  expect(await lit(page)).toEqual({
    names: ['q', 'q k', 'q k v out', 'x q k'],
    places: ['attn-dataflow', 'attn-formula', 'formula', 'path', 'text'],
  });
  await page.locator('#w-formula').getByRole('button', {name: 'softmax'}).focus();
  expect((await lit(page)).places).toContain('text');

  // The other parts of the picture step back.
  const opacity = (part: string) =>
    page
      .locator(`#w-formula g[data-part="${part}"]`)
      .evaluate((group) => getComputedStyle(group).opacity);
  expect(await opacity('softmax')).toBe('1');
  expect(await opacity('q')).toBe('0.3');
});

test('a token lights in the figure, the table and the sentences', async ({page, site}) => {
  await page.goto(`${site.url}c3/l04/#w-open`);
  expect(await check.widgetsReady(page)).toEqual([]);
  await expect(async () => {
    await page.mouse.move(5, 5);
    await page.locator('#w-open').locator('g[data-thing="苹果"]').first().hover();
    expect((await lit(page)).names).toEqual(['苹果']);
  }).toPass();
  expect((await lit(page)).places).toEqual(['attn-mask', 'text']);
  // The row beside the board lights the same token.
  const beside = page.locator('#w-open svg[role="img"] g[data-thing="苹果"]').first();
  await expect(beside).toHaveAttribute('data-lit', '');
});
