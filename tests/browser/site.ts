// The site under test: its pages, and a server with a base path and a strict policy.
import {existsSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {test as base, type Page} from '@playwright/test';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';

export const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** The characters need escaping, so that an address joined without escaping fails here. */
const basePath = '/课程/attn/';

export interface Site {
  folder: string;
  /** Origin and base path, with a slash at the end. */
  url: string;
  close: () => Promise<void>;
}

type Fault = Parameters<typeof serve>[0]['fault'];

/**
 * Serves `folder` under a base path and the strict policy; `fault` changes the answers of some
 * paths.
 */
export async function serveStrictly(
  folder: string,
  {
    fault,
    policy = strictPolicy,
    headers: more = {},
  }: {fault?: Fault; policy?: string; headers?: Record<string, string>} = {},
): Promise<Site> {
  const headers = {'Content-Security-Policy': policy, ...more};
  return {folder, ...(await serve({folder, base: basePath, headers, fault}))};
}

/** Every page below a folder, by its path there: `index.html`, `c3/l03/index.html` … */
export function pagesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((path) => path.endsWith('.html'))
    .sort();
}

/** The address of a page, without `index.html`. */
export function addressOf(site: Site, page: string): string {
  return site.url + encodeURI(page.replace(/(^|\/)index\.html$/, '$1'));
}

/** Holds back responses that match `glob`, until the returned function is called. */
export async function heldBack(page: Page, glob: string): Promise<() => void> {
  let letThrough = () => {};
  const wait = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(glob, async (route) => {
    await wait;
    await route.continue();
  });
  return letThrough;
}

/** Tests with the fixture `site`: one server for each worker. */
export const test = base.extend<object, {site: Site}>({
  site: [
    async ({}, use) => {
      const site = await serveStrictly(dist);
      await use(site);
      await site.close();
    },
    {scope: 'worker'},
  ],
});
