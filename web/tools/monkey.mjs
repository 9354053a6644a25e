// Random clicks, keys and drags on pages, the same for the same seed. They must not find an
// uncaught error, a text without its number, a blank picture, a page that stands still, a crash.
import {readdirSync} from 'node:fs';
import {chromium as playwright} from '@playwright/test';
import {Failure, root} from './run.mjs';
import {serve, strictPolicy} from './serve.mjs';
import {chromium} from './setup.mjs';

/** mulberry32 */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SIZES = [
  {width: 1280, height: 900},
  {width: 390, height: 844},
];
const KEYS = [
  ...['Tab', 'Shift+Tab', 'Enter', 'Space', 'Escape', 'Home', 'End', 'PageDown', 'PageUp'],
  ...['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Backspace', 'Delete'],
  ...[...'0123456789.-,e'],
];
const WIDGET_PARTS =
  'button, input, select, summary, textarea, [role=button], [role=slider], [tabindex="0"]';
/** Actions from check to check. */
const BATCH = 20;
const FREEZE_MS = 1000;
/** Actions that a report repeats. */
const LAST = 8;

/** The centres of what can be touched now, inside the window. Runs in the page. */
function touchable(parts) {
  const all = (node) =>
    [...node.querySelectorAll('*')].flatMap((each) => [
      ...(each.matches(parts) ? [each] : []),
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ]);
  return all(document).flatMap((each) => {
    const {left, top, width, height} = each.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return width > 0 && x > 0 && y > 0 && x < innerWidth && y < innerHeight ? [[x, y]] : [];
  });
}

/** Lists the faults of the page in its present state. It runs in the page. */
function faultsNow() {
  const all = (node) =>
    [...node.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ]);
  const faults = [];
  for (const each of all(document.body)) {
    if (each.matches('script, style, code, pre, textarea, input')) continue;
    const own = [...each.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.nodeValue)
      .join('');
    for (const text of [own, each.getAttribute('aria-label') ?? ''])
      if (/\bNaN\b|\bundefined\b|\bInfinity\b|\[object /.test(text))
        faults.push(`「${text.trim().slice(0, 80)}」`);
    if (!each.matches('svg[data-figure]') || !each.checkVisibility({contentVisibilityAuto: true}))
      continue;
    const {width, height} = each.getBoundingClientRect();
    if (each.childElementCount === 0 || width < 2 || height < 2) faults.push('空白的图');
  }
  return faults;
}

/** One random action, described. */
async function act(page, random, {width, height}) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const somewhere = () => [Math.floor(random() * width), Math.floor(random() * height)];
  const parts = random() < 0.6 ? await page.evaluate(touchable, WIDGET_PARTS) : [];
  const [x, y] = parts.length > 0 ? pick(parts) : somewhere();
  const kind = random();
  if (kind < 0.55) {
    await page.mouse.click(x, y);
    return `click ${x.toFixed()},${y.toFixed()}`;
  }
  if (kind < 0.75) {
    const key = pick(KEYS);
    await page.keyboard.press(key);
    return `key ${key}`;
  }
  if (kind < 0.9) {
    const [toX, toY] = [x + 300 * (random() - 0.5), y + 120 * (random() - 0.5)];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(toX, toY, {steps: 4});
    await page.mouse.up();
    return `drag ${x.toFixed()},${y.toFixed()} to ${toX.toFixed()},${toY.toFixed()}`;
  }
  const by = Math.floor(1600 * (random() - 0.4));
  await page.mouse.wheel(0, by);
  return `wheel ${by}`;
}

/** Processor time of all pages of the browser, in seconds: a busy machine makes a page wait. */
async function pageSeconds(session) {
  const {processInfo} = await session.send('SystemInfo.getProcessInfo');
  return processInfo
    .filter(({type}) => type === 'renderer')
    .reduce((sum, {cpuTime}) => sum + cpuTime, 0);
}

/** Acts on one page for some seconds; returns what was found and how many actions it took. */
async function tryPage(browser, session, site, file, {seed, seconds}) {
  const random = randomFrom(seed);
  const viewport = SIZES[seed % SIZES.length];
  const context = await browser.newContext({viewport, locale: 'zh-CN'});
  const page = await context.newPage();
  const faults = [];
  const actions = [];
  page.on('pageerror', (error) => faults.push(`没有接住的错误：${error.message}`));
  page.on('crash', () => faults.push('页面崩溃'));
  page.on('dialog', (dialog) => void dialog.dismiss());
  // Links would leave the page; an empty answer keeps it.
  await page.route('**', (route) =>
    route.request().isNavigationRequest() && actions.length > 0
      ? route.fulfill({status: 204})
      : route.continue(),
  );
  await page.goto(`${site.url}${file}`);
  const until = Date.now() + 1000 * seconds;
  let slowest = 0;
  while (Date.now() < until && faults.length === 0) {
    try {
      for (let i = 0; i < BATCH && faults.length === 0; i++) {
        const [began, before] = [Date.now(), await pageSeconds(session)];
        actions.push(await act(page, random, viewport));
        await page.evaluate('0');
        const busy = 1000 * ((await pageSeconds(session)) - before);
        const frozen = Math.min(Date.now() - began, busy);
        slowest = Math.max(slowest, frozen);
        if (frozen > FREEZE_MS) faults.push(`停住${Math.round(frozen)}毫秒`);
      }
      faults.push(...(await page.evaluate(faultsNow)));
    } catch (error) {
      faults.push(error.message.split('\n')[0]);
    }
  }
  await context.close().catch(() => {});
  return {faults, actions, slowest};
}

/**
 * Every lesson page, or those whose path contains `only`, for so many seconds each.
 *
 * @param {{seconds: number, seed: number, only?: string}} options
 */
export async function monkey({seconds, seed, only = ''}) {
  const site = await serve({
    folder: `${root}dist`,
    headers: {'Content-Security-Policy': strictPolicy},
  });
  const files = readdirSync(`${root}dist`, {recursive: true, encoding: 'utf8'})
    .filter((file) => /^(c\d+|case)\/.*\.html$/.test(file))
    .sort()
    // A page has the same seed alone as among the others.
    .map((file, i) => ({file, seed: seed + i}))
    .filter(({file}) => file.includes(only));
  const browser = await playwright.launch({
    executablePath: chromium(),
    args: ['--no-sandbox', ...(process.env.ATTN_CHROMIUM?.split(' ') ?? [])],
  });
  let bad = 0;
  try {
    const session = await browser.newBrowserCDPSession();
    for (const {file, seed: own} of files) {
      const {faults, actions, slowest} = await tryPage(browser, session, site, file, {
        seed: own,
        seconds,
      });
      console.log(`${file}: ${actions.length}下，种子${own}，最长停${Math.round(slowest)}毫秒`);
      if (faults.length === 0) continue;
      bad++;
      console.log(
        `  ${[...new Set(faults)].join('；')}\n  最后：${actions.slice(-LAST).join('；')}`,
      );
    }
  } finally {
    await browser.close();
    await site.close();
  }
  if (files.length === 0) throw new Failure(`没有路径里含「${only}」的页面`);
  if (bad > 0) throw new Failure(`${bad}页出了错`);
}
