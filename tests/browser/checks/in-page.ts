// Functions that the checks share inside the page.
import type {JSHandle, Page} from '@playwright/test';

/** The part of Playwright's page that most checks need. Pages of other drivers can offer it too. */
export type InPage = Pick<Page, 'evaluate' | 'evaluateHandle'>;

/** Runs in the page. The functions look into open shadow roots, which selectors do not. */
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
  /**
   * A path for developers: the tags from the nearest id, or from the widget, down to the element.
   */
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
  /** Code is not prose: it may contain a dollar sign or the word NaN. */
  const isCode = (element: Element) =>
    element.matches('code, pre, kbd, samp, script, style, noscript, annotation');
  return {elements, parent, within, path, ownText, visible, isWidget, isCode};
}

type Helpers = ReturnType<typeof makeHelpers>;

/** The functions of `makeHelpers`, as a handle that `page.evaluate` takes. */
export const helpersOf = (page: InPage): Promise<JSHandle<Helpers>> =>
  page.evaluateHandle(makeHelpers);

/** Opens every fold and every veil, so that every check sees the whole page. */
export async function unfold(page: InPage): Promise<void> {
  await page.evaluate(
    ({elements}) => {
      const everything = new CSSStyleSheet();
      everything.replaceSync('* {content-visibility: visible !important}');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, everything];
      for (const veil of document.querySelectorAll('lesson-veil')) veil.removeAttribute('hidden');
      for (const element of elements()) {
        if (!(element instanceof HTMLDetailsElement)) continue;
        // The browser keeps only one of the folds with the same name open.
        element.removeAttribute('name');
        element.open = true;
      }
    },
    await helpersOf(page),
  );
}
