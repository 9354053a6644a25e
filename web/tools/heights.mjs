// npm run heights: measures the height of each widget at several widths and writes
// web/embed/heights.json, from which foreign pages reserve the height. Run it when a widget is new
// or has grown.
import {readFileSync, writeFileSync} from 'node:fs';
import {main, root} from './run.mjs';
import {chromium, ensure} from './setup.mjs';

/**
 * Widths on both sides of the breakpoints of the widgets' style sheet, 34rem and 44rem, and of the
 * one of attn-timeline.
 */
const widths = [
  320, 352, 384, 416, 448, 480, 512, 543, 544, 576, 608, 640, 675, 677, 703, 704, 768, 814, 816,
  832, 960, 1120, 1280,
];

const asHtml = (body) => ({contentType: 'text/html; charset=utf-8', body});

async function measure(browser, url, tags) {
  const elements = tags.map((tag) => `<${tag}></${tag}>`).join('');
  const page = await browser.newPage();
  await page.route(`${url}host`, (route) =>
    route.fulfill(
      asHtml(`<!doctype html><html lang="zh-CN"><style>body{margin:0}</style>
        <script type="module" src="embed/attn.js"></script>${elements}`),
    ),
  );
  await page.goto(`${url}host`);
  await page.waitForFunction(
    (count) => document.querySelectorAll('[ready]').length === count,
    tags.length,
  );
  const heights = Object.fromEntries(tags.map((tag) => [tag, []]));
  for (const width of widths) {
    await page.setViewportSize({width, height: 900});
    const measured = await page.evaluate(
      (names) =>
        names.map((name) => Math.ceil(document.querySelector(name).getBoundingClientRect().height)),
      tags,
    );
    tags.forEach((tag, i) => {
      if (heights[tag].at(-1) !== measured[i]) heights[tag].push(width, measured[i]);
    });
  }
  return heights;
}

await main(async () => {
  await ensure('bench');
  const {buildIfChanged} = await import('./fresh.mjs');
  if (!process.argv.includes('--as-built')) await buildIfChanged();
  const playwright = await import('@playwright/test');
  const {serve} = await import('./serve.mjs');
  const manifest = JSON.parse(readFileSync(`${root}dist/embed/custom-elements.json`, 'utf8'));
  const tags = manifest.modules[0].exports.map(({name}) => name);
  const site = await serve({folder: `${root}dist`});
  const browser = await playwright.chromium.launch({
    executablePath: chromium(),
    args: ['--no-sandbox'],
  });
  try {
    const heights = await measure(browser, site.url, tags);
    const rows = tags.map((tag) => ` "${tag}": ${JSON.stringify(heights[tag])}`);
    writeFileSync(`${root}web/embed/heights.json`, `{\n${rows.join(',\n')}\n}\n`);
    console.log(`量了${tags.length}个小工具，写在 web/embed/heights.json。`);
  } finally {
    await browser.close();
    await site.close();
  }
});
