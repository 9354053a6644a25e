// Measures how soon thirty widgets are drawn on a foreign page, and the memory that they take.
import {readFileSync} from 'node:fs';
import * as playwright from '@playwright/test';
import {chromium} from './setup.mjs';

/** The private memory of all pages' processes in bytes, as Linux counts it. */
async function memoryOfPages(browser) {
  const session = await browser.newBrowserCDPSession();
  const {processInfo} = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo
    .filter(({type}) => type === 'renderer')
    .map(({id}) => /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1])
    .reduce((sum, kilobytes) => sum + 1024 * Number(kilobytes), 0);
}

/** A foreign page with thirty widgets of the kinds that stand in lessons, against an empty one. */
export async function thirtyWidgets(url) {
  const kinds = ['softmax', 'mask', 'qkv', 'lookup', 'memory', 'jacobian'];
  const tags = Array.from({length: 30}, (_, i) => `attn-${kinds[i % kinds.length]}`);
  const script = '<script type="module" src="embed/attn.js"></script>';
  const elements = tags.map((tag) => `<${tag}></${tag}>`).join('');
  const pages = {
    empty: '<!doctype html><title>-</title>',
    thirty: `<!doctype html><title>-</title>${script}${elements}`,
  };
  const browser = await playwright.chromium.launch({
    executablePath: chromium(),
    // Chromium keeps a spare process for the next page; its memory must not be counted.
    args: ['--no-sandbox', '--disable-features=SpareRendererForSitePerProcess'],
  });
  try {
    const page = await browser.newPage();
    for (const [name, body] of Object.entries(pages)) {
      await page.route(`${url}${name}`, (route) =>
        route.fulfill({contentType: 'text/html; charset=utf-8', body}),
      );
    }
    await page.goto(`${url}empty`);
    const before = await memoryOfPages(browser);
    await page.goto(`${url}thirty`);
    const drawn = await page.evaluate(async (count) => {
      while (document.querySelectorAll('[ready]').length < count)
        await new Promise(requestAnimationFrame);
      document.body.getBoundingClientRect();
      return performance.now();
    }, tags.length);
    const after = await memoryOfPages(browser);
    return [
      {
        name: '30 widgets on a foreign page, from its request until all are drawn',
        value: drawn,
        unit: 'ms',
      },
      {
        name: '30 widgets on a foreign page, memory above an empty page',
        value: after - before,
        unit: 'bytes',
      },
    ];
  } finally {
    await browser.close();
  }
}
