// The README's ten lines, as they stand there, on somebody else's page: dist/ lies whole in attn/.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect, test, type Page} from '@playwright/test';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';
import {dist} from './site.js';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
const lines = /```html\n(.*?)```/s.exec(readme)?.[1] ?? '';

async function onHost(
  page: Page,
  fault: Parameters<typeof serve>[0]['fault'],
  look: () => Promise<void>,
) {
  const headers = {'Content-Security-Policy': strictPolicy};
  const course = await serve({folder: dist, base: '/attn/', headers, fault});
  try {
    const host = new URL('/', course.url).href;
    const answer = {contentType: 'text/html; charset=utf-8', headers, body: lines};
    await page.route(host, (route) => route.fulfill(answer));
    await page.goto(host);
    await look();
  } finally {
    await course.close();
  }
}

const picture = (page: Page) => page.locator('attn-softmax > img');
const loaded = (page: Page) =>
  picture(page).evaluate((image: HTMLImageElement) =>
    image.decode().then(() => image.naturalWidth),
  );

test('a widget on a foreign page comes alive under a strict policy', async ({page}) => {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await onHost(page, undefined, async () => {
    expect(await loaded(page)).toBeGreaterThan(0);
    // e⁹ / (e⁸ + e⁷ + e⁹) = 1 / (e⁻¹ + e⁻² + 1) = 66.5 %
    await expect(page.locator('attn-softmax')).toContainText('66.5 %');
    await expect(picture(page)).toBeHidden();
    expect(errors).toEqual([]);
  });
});

test('without the core its picture stays', async ({page}) => {
  const missing = (path: string) =>
    path.endsWith('.wasm') ? {status: 404, body: '404'} : undefined;
  await onHost(page, missing, async () => {
    await expect(page.locator('.core-missing')).toHaveCount(1);
    expect(await loaded(page)).toBeGreaterThan(0);
    await expect(picture(page)).toBeVisible();
  });
});
