// What every page must pass. Each check returns its findings, one sentence each; none is a pass.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import type {JSHandle, Page} from '@playwright/test';
import type {AxeResults, RunOptions} from 'axe-core';
import {HtmlValidate} from 'html-validate';
import {resolve} from '../../web/tools/serve.mjs';
import type {Site} from './site.js';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

// ---- Helpers inside the page --------------------------------------------------------------------

/** Runs in the page: ways to see into open shadow roots, which selectors do not. */
function makeHelpers() {
  /** Every element that is rendered below `root`, shadow roots included, in document order. */
  function elements(root: ParentNode = document): Element[] {
    return [...root.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? elements(element.shadowRoot) : []),
    ]);
  }
  /** The parent, across the border of a shadow root. */
  function parent(element: Element): Element | null {
    const root = element.getRootNode();
    return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  function within(element: Element | null, test: (element: Element) => boolean): boolean {
    for (let e = element; e; e = parent(e)) if (test(e)) return true;
    return false;
  }
  /** How a developer finds the element: tags from the nearest id, or the widget, down. */
  function path(element: Element): string {
    const names: string[] = [];
    for (let e: Element | null = element; e && names.length < 5; e = parent(e)) {
      if (names.length && ['html', 'body', 'main'].includes(e.localName)) break;
      const name = e.getAttribute('class')?.trim().split(/\s+/)[0];
      names.unshift(e.localName + (e.id ? `#${e.id}` : name ? `.${name}` : ''));
      if (e.id) break;
    }
    return names.join(' > ');
  }
  /** The element's own text: its text nodes joined, as a template may split a sentence. */
  function ownText(element: Element): string {
    return [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.nodeValue)
      .join('');
  }
  const visible = (element: Element) => element.checkVisibility({visibilityProperty: true});
  const isWidget = (element: Element) => element.localName.startsWith('attn-');
  /** Text that is not prose: it may hold a dollar sign or the word NaN. */
  const isCode = (element: Element) =>
    element.matches('code, pre, kbd, samp, script, style, noscript, annotation');
  return {elements, parent, within, path, ownText, visible, isWidget, isCode};
}

export type Helpers = ReturnType<typeof makeHelpers>;

const helpersOf = (page: Page): Promise<JSHandle<Helpers>> => page.evaluateHandle(makeHelpers);

/** Folded parts are part of the page: opened, so that every check sees them. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(
    ({elements}) => {
      for (const element of elements()) {
        if (!(element instanceof HTMLDetailsElement)) continue;
        // Of those that share a name only one would stay open.
        element.removeAttribute('name');
        element.open = true;
      }
    },
    await helpersOf(page),
  );
}

// ---- Scripts running ----------------------------------------------------------------------------

/** Waits until every widget on the page is registered and drawn; names those that are not in time. */
export async function widgetsReady(page: Page, timeout = 10_000): Promise<string[]> {
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

/** Every box for a number can be typed into, and has its place wherever what is around it has one. */
export async function boxes(page: Page): Promise<string[]> {
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
 * Listens from now on: requests that leave the site or fail, console errors and warnings (a breach
 * of the policy is one), uncaught exceptions. The array fills while the page lives.
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

/** axe on the page as it stands, open shadow roots included; all rules, or only some. */
export async function accessibility(page: Page, only?: string[]): Promise<string[]> {
  await page.evaluate(axeSource);
  const {violations} = await page.evaluate(async (only) => {
    const {axe} = globalThis as unknown as {
      axe: {run: (context: Document, options: RunOptions) => Promise<AxeResults>};
    };
    // Preloading copies style sheets into inline ones, which the policy refuses; no rule used needs it.
    const options: RunOptions = {resultTypes: ['violations'], preload: false};
    return axe.run(document, only ? {...options, runOnly: only} : options);
  }, only);
  return violations.flatMap(({id, help, nodes}) =>
    nodes.map(
      (node) => `${id}: ${help} – ${node.target.flat().join(' >> ')} – ${node.failureSummary}`,
    ),
  );
}

// ---- Also with scripts off ----------------------------------------------------------------------

/** Nothing sticks out sideways; call it at the width in question. Boxes that scroll are let off. */
export async function sideways(page: Page): Promise<string[]> {
  return page.evaluate(
    ({elements, parent, within, path, visible}) => {
      // Parts that nobody has come near keep the places of another width: all are laid out.
      const everything = new CSSStyleSheet();
      everything.replaceSync('* {content-visibility: visible !important}');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, everything];
      const width = document.documentElement.clientWidth;
      const findings: string[] = [];
      const scrolled = document.scrollingElement?.scrollWidth ?? 0;
      if (scrolled > width) findings.push(`the page scrolls sideways: ${scrolled} px wide`);
      const scrolls = (element: Element) => {
        if (element === document.body || element === document.documentElement) return false;
        return ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
      };
      // The usual way to keep text for screen readers only: a box of one pixel that clips.
      const clipped = (element: Element) => {
        const {overflowX, clipPath, clip} = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        const hides =
          ['hidden', 'clip'].includes(overflowX) || clipPath !== 'none' || clip !== 'auto';
        return hides && box.width <= 2 && box.height <= 2;
      };
      // What lies wholly to the left can't be scrolled to: a link that waits there for the keyboard.
      const sticksOut = (box?: DOMRect) =>
        box !== undefined && (box.right > width + 1 || (box.left < -1 && box.right > 0));
      for (const element of elements(document.body)) {
        const svg = element.closest('svg');
        if (svg && svg !== element && element.localName !== 'text') continue;
        const box = element.getBoundingClientRect();
        if (box.width === 0 || box.height === 0) continue;
        // The outermost box is the one to mend.
        const out = sticksOut(box) && !sticksOut(parent(element)?.getBoundingClientRect());
        // A picture cuts off what lies outside its frame; a label there can't be read.
        const frame = svg && svg !== element && svg.getBoundingClientRect();
        const cut = frame && (box.right > frame.right + 1 || box.left < frame.left - 1);
        if (!out && !cut) continue;
        if (!visible(element) || within(parent(element), scrolls) || within(element, clipped))
          continue;
        const edges = `${box.left.toFixed(0)} … ${box.right.toFixed(0)}`;
        if (out) findings.push(`${path(element)} sticks out of the ${width} px: ${edges}`);
        if (cut)
          findings.push(`${path(element)} “${element.textContent}” is cut off by its picture`);
      }
      return findings;
    },
    await helpersOf(page),
  );
}

/** Text and texts for screen readers hold no number that failed to become one. */
export async function unresolved(page: Page): Promise<string[]> {
  return page.evaluate(
    ({elements, within, path, ownText, isCode}) => {
      // Zero with a sign, alone: not the end of 10−0 or the beginning of −0.5.
      const minusZero = /(?<![\w)）\].])[−-]0(\.0+)?(?![\d.])/;
      const signs = [
        /\{num\b/,
        /\bNaN\b/,
        /\bundefined\b/,
        /\bInfinity\b/,
        /\[object\b/,
        minusZero,
      ];
      const spoken = [
        'aria-label',
        'aria-description',
        'aria-valuetext',
        'alt',
        'title',
        'content',
      ];
      const findings: string[] = [];
      for (const element of elements()) {
        const texts = spoken.map((name) => element.getAttribute(name) ?? '');
        for (const text of [...texts, ownText(element)]) {
          if (signs.some((sign) => sign.test(text)) && !within(element, isCode)) {
            findings.push(`${path(element)}: unresolved number in “${text.trim().slice(0, 80)}”`);
          }
        }
      }
      return findings;
    },
    await helpersOf(page),
  );
}

/** Formulas are set: none broken, none left as TeX. */
export async function formulas(page: Page): Promise<string[]> {
  return page.evaluate(
    ({elements, within, path, ownText, visible, isCode}) => {
      const findings: string[] = [];
      for (const element of elements(document.body)) {
        const say = (what: string, text: string | null) =>
          findings.push(`${path(element)}: ${what}: ${text?.trim().slice(0, 80)}`);
        if (element.matches('.katex-error, merror')) {
          say('formula with an error', element.textContent);
        }
        if (element.matches('.katex')) {
          const box = element.getBoundingClientRect();
          if (!visible(element) || box.width === 0 || box.height === 0) {
            say('formula is not visible', element.textContent);
          }
        }
        const text = ownText(element);
        if (/\$|\\\(|\\\[|\\[a-zA-Z]{2,}/.test(text) && !within(element, isCode))
          say('raw TeX', text);
      }
      return findings;
    },
    await helpersOf(page),
  );
}

/** Every number with a source prints something. */
export async function numbers(page: Page): Promise<string[]> {
  return page.evaluate(
    ({elements, path, visible}) => {
      return elements()
        .filter((element) => element.matches('.num'))
        .filter((element) => element.textContent?.trim() === '' || !visible(element))
        .map((element) => `${path(element)}: a number without text`);
    },
    await helpersOf(page),
  );
}

/** Every widget shows a picture, or what it has instead of one. */
export async function pictures(page: Page): Promise<string[]> {
  return page.evaluate(
    ({elements, parent, within, path, ownText, visible, isWidget}) => {
      const findings: string[] = [];
      for (const widget of elements().filter(isWidget)) {
        if (within(parent(widget), isWidget)) continue;
        const inside = [
          ...elements(widget),
          ...(widget.shadowRoot ? elements(widget.shadowRoot) : []),
        ];
        const shown = [widget, ...inside].some((element) => {
          const box = element.getBoundingClientRect();
          if (!visible(element) || box.width < 2 || box.height < 2) return false;
          // An <svg> with nothing in it has a box too.
          if (element.localName === 'img') return true;
          return element.localName === 'svg'
            ? element.childElementCount > 0
            : ownText(element).trim() !== '';
        });
        if (!shown) findings.push(`${path(widget)}: nothing to see`);
      }
      return findings;
    },
    await helpersOf(page),
  );
}

/** Widgets whose figure is no longer the one in `html`, the page as it was built. */
export async function changedFigures(page: Page, html: string): Promise<string[]> {
  return page.evaluate(
    ({helpers: {elements, path, isWidget}, html}) => {
      const built = elements(Document.parseHTMLUnsafe(html)).filter(isWidget);
      const now = elements().filter(isWidget);
      if (built.length !== now.length) return [`${now.length} widgets instead of ${built.length}`];
      // Comments show nothing, and a parsed document may come without them. Boxes for numbers are
      // buttons until the widget wakes, so that no browser lays out the page to fill them in.
      const shown = (widget?: Element) =>
        (widget?.shadowRoot ?? widget)?.innerHTML
          .replace(/<!--.*?-->/gs, '')
          .replaceAll('<input type="button"', '<input type="text"');
      return (
        now
          // What a page of other people's has put into a tag gives way to the widget.
          .filter((widget, i) => built[i]?.shadowRoot || !widget.shadowRoot)
          .filter((widget) => shown(widget) !== shown(built[now.indexOf(widget)]))
          .map((widget) => `${path(widget)}: not as it was built`)
      );
    },
    {helpers: await helpersOf(page), html},
  );
}

/** Ids that an address can point at (those in shadow roots are out of its reach), by page file. */
const idsOfFile = new Map<string, Set<string>>();

async function idsIn(page: Page, file: string): Promise<Set<string>> {
  let ids = idsOfFile.get(file);
  if (!ids) {
    // Parsed this way, declarative shadow roots stay templates and their ids stay out.
    const list = await page.evaluate(
      (html) =>
        [
          ...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('[id], a[name]'),
        ].map((element) => element.id || (element.getAttribute('name') ?? '')),
      readFileSync(file, 'utf8'),
    );
    idsOfFile.set(file, (ids = new Set(list)));
  }
  return ids;
}

/** False for a percent sign that escapes nothing. */
function isEscaped(url: string): boolean {
  try {
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}

/** Every address on the page leads to a file of the site, every fragment to an element there. */
export async function links(page: Page, site: Site): Promise<string[]> {
  const found = await page.evaluate(
    ({elements, path}) => {
      const attributes = ['href', 'src', 'action', 'poster', 'xlink:href'];
      return elements().flatMap((element) => {
        const addresses = attributes.map((name) => element.getAttribute(name));
        // A widget's `data` is what it shows.
        if (element.localName === 'object') addresses.push(element.getAttribute('data'));
        const candidates = element.getAttribute('srcset')?.split(',') ?? [];
        addresses.push(...candidates.map((candidate) => candidate.trim().split(/\s+/)[0] ?? ''));
        return addresses
          .filter((address) => address !== null)
          .map((address) => ({
            address,
            // A reference inside a picture (<use href="#…">) is looked up in its own shadow root.
            local:
              element.namespaceURI === 'http://www.w3.org/2000/svg' &&
              address.startsWith('#') &&
              (element.getRootNode() as Document | ShadowRoot).getElementById(address.slice(1)) !==
                null,
            url: URL.canParse(address, document.baseURI)
              ? new URL(address, document.baseURI).href
              : '',
            where: path(element),
          }));
      });
    },
    await helpersOf(page),
  );
  const origin = new URL(site.url).origin;
  const findings: string[] = [];
  for (const {address, local, url, where} of found) {
    if (local) continue;
    const broken = (why: string) => findings.push(`${where}: ${address} ${why}`);
    if (!url || !isEscaped(url)) {
      broken('is no address');
      continue;
    }
    const target = new URL(url);
    if (['https:', 'mailto:', 'data:'].includes(target.protocol)) continue;
    if (target.origin !== origin) {
      broken('has a protocol that no reader can follow');
      continue;
    }
    const clean = target.origin + target.pathname;
    if (!clean.startsWith(site.url)) {
      broken('leaves the folder that the site is in');
      continue;
    }
    const file = resolve(site.folder, `/${decodeURIComponent(clean.slice(site.url.length))}`);
    if (!file || !('file' in file)) {
      broken(file ? 'is a folder and lacks its slash' : 'leads nowhere');
      continue;
    }
    // A widget's state follows a question mark: #widget?scores=8,7,9
    const id = decodeURIComponent(target.hash.slice(1).split('?')[0] ?? '');
    if (id && id !== 'top' && file.file.endsWith('.html')) {
      if (!(await idsIn(page, file.file)).has(id)) broken('points at an id that the page lacks');
    }
  }
  return [...new Set(findings)];
}

// ---- The file itself ----------------------------------------------------------------------------

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    // The strict policy ignores style attributes.
    'no-inline-style': 'error',
    // A raw ">" in text is valid.
    'no-raw-characters': 'off',
  },
});

/** The file is valid HTML. */
export async function validHtml(site: Pick<Site, 'folder'>, page: string): Promise<string[]> {
  const report = await validator.validateString(readFileSync(join(site.folder, page), 'utf8'));
  return report.results.flatMap(({messages}) =>
    messages.map(
      ({line, column, message, ruleId}) => `${page}:${line}:${column} ${message} (${ruleId})`,
    ),
  );
}
