// Checks for text drawn over text.
import {helpersOf, type InPage} from './in-page.js';

/**
 * No text of the page is drawn over another, after `unfold`. Formulas and pictures place their own
 * parts.
 */
export async function overlaps(page: InPage): Promise<string[]> {
  return page.evaluate(
    ({elements, parent, within, path, visible}) => {
      const apart = (element: Element) =>
        element.matches('.katex, svg, script, style, noscript') ||
        getComputedStyle(element).clipPath !== 'none';
      type Area = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;
      const common = (a: Area, b: Area): Area => ({
        left: Math.max(a.left, b.left),
        right: Math.min(a.right, b.right),
        top: Math.max(a.top, b.top),
        bottom: Math.min(a.bottom, b.bottom),
      });
      const everywhere = {left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity};
      /** The visible area of an element inside the boxes that scroll or clip it. */
      const windows = new Map<Element | null, Area>([[null, everywhere]]);
      const windowOf = (element: Element | null): Area => {
        let area = windows.get(element);
        if (area || !element) return area ?? everywhere;
        area = windowOf(parent(element));
        if (getComputedStyle(element).overflowX !== 'visible' && element !== document.body)
          area = common(area, element.getBoundingClientRect());
        windows.set(element, area);
        return area;
      };
      const range = document.createRange();
      const runs = elements(document.body)
        .filter((element) => visible(element) && !within(element, apart))
        .flatMap((element) =>
          [...element.childNodes]
            .filter((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
            .flatMap((node) => {
              range.selectNodeContents(node);
              return [...range.getClientRects()].map((box) => ({
                box: common(box, windowOf(element)),
                name: `${path(element)} “${(node.nodeValue ?? '').trim().slice(0, 30)}”`,
              }));
            }),
        )
        .filter(({box}) => box.right > box.left && box.bottom > box.top)
        .sort((a, b) => a.box.top - b.box.top);
      const findings = new Set<string>();
      runs.forEach(({box, name}, i) => {
        for (let j = i + 1; j < runs.length && runs[j]!.box.top < box.bottom; j++) {
          const other = runs[j]!;
          const both = common(box, other.box);
          const [across, down] = [both.right - both.left, both.bottom - both.top];
          const height = Math.min(box.bottom - box.top, other.box.bottom - other.box.top);
          // Lines are taller than their letters.
          if (across < 2 || down < 0.5 * height) continue;
          const size = `${across.toFixed(0)} × ${down.toFixed(0)} px`;
          findings.add(`${name} and ${other.name} lie over each other: ${size}`);
        }
      });
      return [...findings];
    },
    await helpersOf(page),
  );
}
