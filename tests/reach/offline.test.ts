// The offline files, opened by double-click: every widget alive with the digits of the site, links
// between lessons, and sizes; then pages of the site itself, opened the same way.
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {unzipSync} from 'fflate';
import type {Browser, Page} from 'puppeteer-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {serve} from '../../web/tools/serve.mjs';
import {openBrowser, visit} from './browser.js';
import {dist} from './places.js';

const offline = `${dist}offline/`;
const names = readdirSync(offline).filter((name) => name.endsWith('.html'));
const lessons = names.filter((name) => name !== 'index.html');

let browser: Browser;
let site: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  browser = await openBrowser();
  site = await serve({folder: dist.slice(0, -1)});
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** Every widget's tag, sentence and state, once all of them are drawn and take input. */
async function alive(page: Page): Promise<string[]> {
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
    [...document.querySelectorAll('*')]
      .filter((element) => element.localName.startsWith('attn-'))
      .map((element) => {
        const {state} = element as unknown as {state: unknown};
        const says = element.shadowRoot?.querySelector('.says')?.textContent?.trim();
        return `${element.localName} ${JSON.stringify(state)} ${says}`;
      }),
  );
}

const lessonOf = (name: string) => name.replace(/^(\w+)-(\w+)\.html$/, '$1/$2/index.html');

describe('offline files', () => {
  it('exist for every lesson, within their sizes', () => {
    const there = readdirSync(`${dist}c3`).filter((name) => existsSync(`${dist}c3/${name}/notes`));
    expect(there.length).toBeGreaterThan(0);
    for (const name of there) expect(lessons).toContain(`c3-${name}.html`);
    const tooLarge = names.filter((name) => {
      const most = name === 'c3-l07.html' ? 1_500_000 : 900_000;
      return statSync(offline + name).size > most;
    });
    expect(tooLarge).toEqual([]);
  });

  it.each(lessons)('%s: every widget is alive, with the digits of the site', async (name) => {
    const opened = await visit(browser, pathToFileURL(offline + name).href);
    const here = await alive(opened.page);
    const published = await visit(browser, site.url + lessonOf(name));
    const there = await alive(published.page);
    expect(here).toEqual(there);
    expect(opened.complaints).toEqual([]);
    expect(opened.asked).toEqual([pathToFileURL(offline + name).href]);
    await opened.page.close();
    await published.page.close();
  });

  it('answer a reader: a changed state gives the result that the core gives', async () => {
    const {page} = await visit(browser, pathToFileURL(`${offline}c3-l03.html`).href);
    await alive(page);
    const weights = await page.evaluate(() => {
      const widget = document.querySelector('attn-softmax') as unknown as {
        state: object;
        result: {trace: {weights: {value: number}[]}};
      };
      widget.state = {scores: [1, 2, 4], method: 'softmax', temperature: 1};
      return widget.result.trace.weights.map(({value}) => value);
    });
    const powers = [1, 2, 4].map(Math.exp);
    const sum = powers.reduce((a, b) => a + b, 0);
    weights.forEach((weight, i) => expect(weight).toBeCloseTo(powers[i]! / sum, 12));
    await page.close();
  });

  it('lead from lesson to lesson, and to no file that is not there', () => {
    for (const name of names) {
      const html = readFileSync(offline + name, 'utf8');
      const addresses = [...html.matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, to = '']) => to);
      const local = addresses.filter((to) => !/^(#|[a-z]+:)/.test(to));
      expect(local.length, name).toBeGreaterThan(0);
      for (const to of local) expect(names, name).toContain(to.replace(/#.*$/, ''));
    }
    const third = readFileSync(`${offline}c3-l03.html`, 'utf8');
    expect(third).toMatch(/<a rel="next" href="c3-l04\.html">/);
  });

  it('come with the whole site as a zip', () => {
    const files = unzipSync(readFileSync(`${offline}attn-lessons.zip`));
    const index = files['attn-lessons/index.html'];
    expect(index && Buffer.from(index).equals(readFileSync(`${dist}index.html`))).toBe(true);
    expect(Object.keys(files).filter((path) => /\/(offline|packages)\//.test(path))).toEqual([]);
  });
});

describe('a page of the site, opened by double-click', () => {
  it('names the file to open, and hides what cannot work', async () => {
    const {page} = await visit(browser, pathToFileURL(`${dist}c3/l03/index.html`).href);
    const shown = await page.evaluate(() => {
      const visible = (element: Element) => (element as HTMLElement).checkVisibility();
      const widgets = [...document.querySelectorAll('attn-softmax, attn-check')];
      return {
        notices: document.querySelectorAll('.core-missing').length,
        link: document.querySelector<HTMLAnchorElement>('.core-missing a')?.href,
        buttons: [...document.querySelectorAll('.scripted')].filter(visible).length,
        controls: widgets
          .flatMap((widget) => [...(widget.shadowRoot?.querySelectorAll('.live') ?? [])])
          .filter(visible).length,
        drawn: widgets.every((widget) => widget.shadowRoot?.querySelector('.view, .body, .says')),
      };
    });
    const link = pathToFileURL(`${offline}c3-l03.html`).href;
    expect(shown).toEqual({notices: 1, link, buttons: 0, controls: 0, drawn: true});
    await page.close();
  });

  it('is told so on a page that is no lesson, too', async () => {
    const {page} = await visit(browser, pathToFileURL(`${dist}glossary/index.html`).href);
    const link = await page.evaluate(
      () => document.querySelector<HTMLAnchorElement>('.core-missing a')?.href,
    );
    expect(link).toBe(pathToFileURL(`${offline}index.html`).href);
    await page.close();
  });
});
