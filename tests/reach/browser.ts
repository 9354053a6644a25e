// A page in Chromium that notes its complaints and every address it asks for.
import puppeteer, {type Browser, type Page} from 'puppeteer-core';
import {chromium} from '../../web/tools/setup.mjs';

export interface Visit {
  page: Page;
  /** Uncaught errors and messages of level error. */
  complaints: string[];
  /** Addresses that the page asked for, without those that it carries itself. */
  asked: string[];
}

export const openBrowser = (): Promise<Browser> =>
  puppeteer.launch({
    executablePath: chromium() ?? '',
    headless: true,
    // Three threads of a page share two cores.
    protocolTimeout: 120_000,
    args: ['--no-sandbox', '--disable-quic', '--force-prefers-reduced-motion', '--lang=zh-CN'],
  });

export async function visit(browser: Browser, url: string): Promise<Visit> {
  const page = await browser.newPage();
  await page.setViewport({width: 1280, height: 900});
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${String(error)}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) asked.push(request.url());
  });
  await page.goto(url, {waitUntil: 'load'});
  return {page, complaints, asked};
}

/** Waits until every widget of the page is drawn; then the results as text, by tag. */
export async function resultsOf(page: Page): Promise<Record<string, string>> {
  await page.waitForFunction(
    () => {
      const widgets = [...document.querySelectorAll('*')].filter((element) =>
        element.localName.startsWith('attn-'),
      );
      return widgets.length > 0 && widgets.every((widget) => widget.hasAttribute('ready'));
    },
    {timeout: 60_000},
  );
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('*')]
        .filter((element) => element.localName.startsWith('attn-'))
        .map((element) => [
          element.localName,
          JSON.stringify((element as unknown as {result: unknown}).result),
        ]),
    ),
  );
}
