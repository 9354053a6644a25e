// Checks of a page whose scripts run. Each returns its findings, one sentence each.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {Page} from '@playwright/test';
import type {AxeResults, RunOptions} from 'axe-core';
import type {Site} from '../site.js';
import {helpersOf, type InPage} from './in-page.js';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Waits until every widget on the page is registered and drawn, and names the late ones. */
export async function widgetsReady(page: InPage, timeout = 10_000): Promise<string[]> {
  return page.evaluate(
    async ({helpers: {elements, isWidget}, timeout}) => {
      const widgets = elements().filter(isWidget);
      const late = new Set(widgets.map((widget) => widget.localName));
      const registered = [...late].map(async (tag) => {
        await customElements.whenDefined(tag);
        late.delete(tag);
      });
      await Promise.race([
        Promise.all(registered),
        new Promise((resolve) => setTimeout(resolve, timeout)),
      ]);
      for (const widget of widgets) {
        if (!late.has(widget.localName)) {
          await (widget as Element & {updateComplete?: Promise<unknown>}).updateComplete;
        }
      }
      return [...late].map((tag) => `<${tag}> was not registered within ${timeout} ms`);
    },
    {helpers: await helpersOf(page), timeout},
  );
}

/** Every box for a number can be typed into, and is visible where its surroundings are. */
export async function boxes(page: InPage): Promise<string[]> {
  return page.evaluate(
    ({elements, path, visible}) => {
      return elements()
        .filter((element) => element.matches('.number input'))
        .flatMap((box) => [
          ...(box.matches('[type=button]') ? [`${path(box)}: not to be typed into`] : []),
          ...(visible(box.parentElement!) && !visible(box)
            ? [`${path(box)}: without its place`]
            : []),
        ]);
    },
    await helpersOf(page),
  );
}

/**
 * Collects messages from now on, while the page is open: requests that leave the site or fail,
 * console errors and warnings (a breach of the policy is one), uncaught exceptions.
 */
export function watch(page: Page, site: Site): string[] {
  const findings: string[] = [];
  page.on('request', (request) => {
    const {protocol} = new URL(request.url());
    if (!request.url().startsWith(site.url) && protocol !== 'data:' && protocol !== 'blob:') {
      findings.push(`request outside the site: ${request.url()}`);
    }
  });
  page.on('response', (response) => {
    if (response.status() >= 400) findings.push(`${response.status()} for ${response.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      findings.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('pageerror', (error) => findings.push(`uncaught: ${error.message}`));
  return findings;
}

/** The rules of axe that another colour scheme can break. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** The rules of axe that colours, sizes or places decide, and not the elements of a page. */
export const looksRules = [
  ...colourRules,
  'css-orientation-lock',
  'scrollable-region-focusable',
  'target-size',
];

/**
 * Runs axe on the current page, open shadow roots included, with all rules or some of them.
 * Formulas are left out: KaTeX writes thousands of elements in the colour of the text around them.
 */
export async function accessibility(page: InPage, only?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const {violations} = await page.evaluate(async (only) => {
    const {axe} = globalThis as unknown as {
      axe: {run: (context: {exclude: string[]}, options: RunOptions) => Promise<AxeResults>};
    };
    // Preloading copies style sheets into inline ones, which the policy refuses. No rule used here
    // needs it.
    const options: RunOptions = {resultTypes: ['violations'], preload: false};
    return axe.run({exclude: ['.katex']}, only ? {...options, runOnly: only} : options);
  }, only);
  return violations.flatMap(({id, help, nodes}) =>
    nodes.map(
      (node) => `${id}: ${help} – ${node.target.flat().join(' >> ')} – ${node.failureSummary}`,
    ),
  );
}

/**
 * Puts boxes of the same size and one letter in the place of formulas. axe leaves formulas out, but
 * walks through all their elements, which are half of a lesson's.
 */
export async function emptyFormulas(page: InPage): Promise<void> {
  await page.evaluate(
    ({elements}) => {
      for (const formula of elements(document.body)) {
        if (!formula.matches('.katex') || !(formula instanceof HTMLElement)) continue;
        const {width, height} = formula.getBoundingClientRect();
        formula.replaceChildren('x');
        Object.assign(formula.style, {
          display: 'inline-block',
          width: `${width}px`,
          height: `${height}px`,
        });
      }
    },
    await helpersOf(page),
  );
}

/**
 * Leaves one source of a number of each form on the page, and puts boxes of the same height in the
 * place of the widgets with these places among all, from 0.
 */
export async function removeRepeated(page: InPage, widgets: readonly number[]): Promise<void> {
  await page.evaluate(
    ({helpers: {elements, isWidget}, widgets}) => {
      const all = [...document.querySelectorAll('*')].filter(isWidget);
      for (const place of widgets) {
        const box = document.createElement('div');
        box.style.height = `${all[place]!.getBoundingClientRect().height}px`;
        all[place]!.replaceWith(box);
      }
      const forms = new Set<string>();
      for (const source of document.querySelectorAll('.number-source')) {
        const kinds = elements(source).map(({localName, className}) => `${localName} ${className}`);
        const form = [...new Set(kinds)].sort().join('\n');
        if (forms.has(form)) source.remove();
        forms.add(form);
      }
    },
    {helpers: await helpersOf(page), widgets},
  );
}

/** Every part of a formula has the colour of the text around it, and none is made faint. */
export async function formulaColours(page: InPage): Promise<string[]> {
  return page.evaluate(
    ({elements, parent, path, ownText}) => {
      return elements(document.body)
        .filter((element) => element.matches('.katex'))
        .flatMap((formula) => {
          const around = getComputedStyle(parent(formula)!).color;
          return [formula, ...formula.querySelectorAll('.katex-html *')]
            .filter((part) => {
              const {color, opacity} = getComputedStyle(part);
              return opacity !== '1' || (ownText(part).trim() && color !== around);
            })
            .map((part) => `${path(part)}: not in the colour of its text`);
        });
    },
    await helpersOf(page),
  );
}

/** Names the widgets whose figure differs from `html`, the page as it was built. */
export async function changedFigures(page: InPage, html: string): Promise<string[]> {
  return page.evaluate(
    ({helpers: {elements, path, isWidget}, html}) => {
      const built = elements(Document.parseHTMLUnsafe(html)).filter(isWidget);
      const now = elements().filter(isWidget);
      if (built.length !== now.length) return [`${now.length} widgets instead of ${built.length}`];
      // Comments are invisible, and a parsed document may lack them. Boxes for numbers are buttons
      // until the widget is live, so that no browser lays out the page to fill them in.
      const shown = (widget?: Element) =>
        (widget?.shadowRoot ?? widget)?.innerHTML
          .replace(/<!--.*?-->/gs, '')
          .replaceAll('<input type="button"', '<input type="text"');
      return (
        now
          // The widget replaces the content that a foreign page put into its tag.
          .filter((widget, i) => built[i]?.shadowRoot || !widget.shadowRoot)
          .filter((widget) => shown(widget) !== shown(built[now.indexOf(widget)]))
          .map((widget) => `${path(widget)}: not as it was built`)
      );
    },
    {helpers: await helpersOf(page), html},
  );
}
