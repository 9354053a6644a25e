// The site under test: which pages it has, and a server that gives them as a strict host would.
import {existsSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {test as base, type Page} from '@playwright/test';
import {serve, strictPolicy} from '../../web/tools/serve.mjs';

export const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** A path with characters that need escaping: whoever writes addresses by hand gets them wrong here. */
const basePath = '/课程/attn/';

export interface Site {
  folder: string;
  /** Origin and base path, with a slash at the end. */
  url: string;
  close: () => Promise<void>;
}

type Fault = Parameters<typeof serve>[0]['fault'];

/** `folder` under a base path and the strict policy; `fault` answers some paths wrongly. */
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

/** The address of a page, as a reader would have it: without `index.html`. */
export function addressOf(site: Site, page: string): string {
  return site.url + encodeURI(page.replace(/(^|\/)index\.html$/, '$1'));
}

/** Keeps what `glob` names from arriving until the function it gives is called. */
export async function heldBack(page: Page, glob: string): Promise<() => void> {
  let letThrough = () => {};
  const wait = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(glob, async (route) => {
    await wait;
    await route.continue();
  });
  return letThrough;
}

/** Tests that get `site`: one server for each worker. */
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
