// Checks that hold with scripts off as well. Each returns its findings, one sentence each.
import {helpersOf, type InPage} from './in-page.js';

/**
 * Nothing reaches beyond the sides of the page at the current width, after `unfold`, except inside
 * a box that scrolls.
 */
export async function sideways(page: InPage): Promise<string[]> {
  return page.evaluate(
    ({elements, parent, within, path, visible}) => {
      const width = document.documentElement.clientWidth;
      const findings: string[] = [];
      const scrolled = document.scrollingElement?.scrollWidth ?? 0;
      if (scrolled > width) findings.push(`the page scrolls sideways: ${scrolled} px wide`);
      const scrolls = (element: Element) => {
        if (element === document.body || element === document.documentElement) return false;
        return ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
      };
      // Screen-reader text is usually hidden this way: a box of one pixel that clips.
      const clipped = (element: Element) => {
        const {overflowX, clipPath, clip} = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        const hides =
          ['hidden', 'clip'].includes(overflowX) || clipPath !== 'none' || clip !== 'auto';
        return hides && box.width <= 2 && box.height <= 2;
      };
      // A box wholly to the left of the page can't be scrolled to, such as a link shown on keyboard
      // focus.
      const sticksOut = (box?: DOMRect) =>
        box !== undefined && (box.right > width + 1 || (box.left < -1 && box.right > 0));
      /** The whole picture that an element is part of. A picture may hold others. */
      const picture = (element: Element) => {
        let svg = element.closest('svg');
        while (svg?.ownerSVGElement) svg = svg.ownerSVGElement;
        return svg;
      };
      for (const element of elements(document.body)) {
        const svg = picture(element);
        // In a picture only labels must lie inside the frame. In some engines the box of a clipped
        // part includes the clipped area.
        if (svg && svg !== element && element.localName !== 'text') continue;
        const box = element.getBoundingClientRect();
        if (box.width === 0 || box.height === 0) continue;
        // Only the outermost box is reported.
        const out = sticksOut(box) && !sticksOut(parent(element)?.getBoundingClientRect());
        // A picture can cut off a label outside its frame. Firefox rounds the box of a label up,
        // and counts its outline.
        const {stroke, strokeWidth} = getComputedStyle(element);
        const spare = 2 + (stroke === 'none' ? 0 : Number.parseFloat(strokeWidth) / 2);
        const frame = svg && svg !== element && svg.getBoundingClientRect();
        const cut = frame && (box.right > frame.right + spare || box.left < frame.left - spare);
        if (!out && !cut) continue;
        if (!visible(element) || within(parent(element), scrolls) || within(element, clipped))
          continue;
        const edges = `${box.left.toFixed(0)} … ${box.right.toFixed(0)}`;
        if (out) findings.push(`${path(element)} sticks out of the ${width} px: ${edges}`);
        if (cut)
          findings.push(
            `${path(element)} “${element.textContent}” is cut off by its picture: ${edges}, not ` +
              `${frame.left.toFixed(0)} … ${frame.right.toFixed(0)}`,
          );
      }
      return findings;
    },
    await helpersOf(page),
  );
}

/**
 * Every box that scrolls at the current width can be reached by the keyboard, after `unfold`, and
 * has a name.
 */
export async function scrollers(page: InPage): Promise<string[]> {
  return page.evaluate(
    ({elements, path, visible}) => {
      const ownStops = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
      const findings: string[] = [];
      for (const element of elements(document.body)) {
        const {overflowX, overflowY} = getComputedStyle(element);
        const scrolls = (overflow: string) => ['auto', 'scroll'].includes(overflow);
        const broad = scrolls(overflowX) && element.scrollWidth > element.clientWidth;
        const tall = scrolls(overflowY) && element.scrollHeight > element.clientHeight;
        if (!(broad || tall) || !visible(element) || element.matches('textarea, select, input'))
          continue;
        // A tab stop inside scrolls its surroundings into view.
        const reached = element.matches('[tabindex="0"]') || element.querySelector(ownStops);
        if (!reached) findings.push(`${path(element)} scrolls, but not by keyboard`);
        if (element.matches('[tabindex]') && !element.matches('[role][aria-label]'))
          findings.push(`${path(element)} is a stop without a role and a name`);
      }
      return findings;
    },
    await helpersOf(page),
  );
}

/** No text, visible or for screen readers, contains a placeholder or NaN and the like. */
export async function unresolved(page: InPage): Promise<string[]> {
  return page.evaluate(
    ({elements, within, path, ownText, isCode}) => {
      // A signed zero on its own. The end of 10−0 and the beginning of −0.5 are allowed.
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

/** Formulas are typeset: none has an error, and none is still TeX. */
export async function formulas(page: InPage): Promise<string[]> {
  return page.evaluate(
    ({elements, within, path, ownText, visible, isCode}) => {
      const findings: string[] = [];
      for (const element of elements(document.body)) {
        const report = (what: string, text: string | null) =>
          findings.push(`${path(element)}: ${what}: ${text?.trim().slice(0, 80)}`);
        if (element.matches('.katex-error, merror')) {
          report('formula with an error', element.textContent);
        }
        if (element.matches('.katex')) {
          const box = element.getBoundingClientRect();
          if (!visible(element) || box.width === 0 || box.height === 0) {
            report('formula is not visible', element.textContent);
          }
        }
        const text = ownText(element);
        if (/\$|\\\(|\\\[|\\[a-zA-Z]{2,}/.test(text) && !within(element, isCode))
          report('raw TeX', text);
      }
      return findings;
    },
    await helpersOf(page),
  );
}

/** Every number with a source prints something. */
export async function numbers(page: InPage): Promise<string[]> {
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

/** Every widget shows a picture or text. */
export async function pictures(page: InPage): Promise<string[]> {
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
          // An empty <svg> has a box too.
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
