// The site under test: its pages, and a server with a base path and a strict policy.
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
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
  return (
    readdirSync(folder, {recursive: true, encoding: 'utf8'})
      // The files of npm run package and npm run offline are no pages of the site.
      .filter((path) => path.endsWith('.html') && !/^(offline|packages)\//.test(path))
      .sort()
  );
}

const isWidgetPage = (file: string) => /^widgets\/attn-[\w-]+\//.test(file);
/** The number of widgets whose own pages are checked as wholes. */
const SAMPLES = 3;

/**
 * The pages of `dist` that a browser checks as wholes. The pages of single widgets share all but
 * the widget, which the tests of its frame cover, so these are a few of them: the same ones for the
 * same gallery, others for another.
 */
export function checkedPages(): string[] {
  const pages = pagesOf(dist);
  const own = pages.filter(isWidgetPage);
  if (own.length === 0) return pages;
  const seed = readFileSync(join(dist, 'widgets/index.html'), 'utf8');
  const rank = (file: string) => createHash('sha256').update(file).update(seed).digest('hex');
  const sampled = own.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, SAMPLES);
  return pages.filter((file) => !isWidgetPage(file) || sampled.includes(file));
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
