// Chosen items must differ in colour from the others.
import {helpersOf, type InPage} from './in-page.js';

/**
 * The chips, tabs and parts of pictures that a reader chooses among, and those of them whose
 * colours do not show the choice.
 */
export async function chosen(page: InPage): Promise<{choices: number; alike: string[]}> {
  return page.evaluate(
    ({elements, path, visible}) => {
      const look = (element: Element) =>
        [element, ...element.querySelectorAll('*')]
          .map((each) => {
            const {backgroundColor, borderColor, fill, stroke} = getComputedStyle(each);
            return [backgroundColor, borderColor, fill, stroke].join(' ');
          })
          .join('; ');
      const looks = (element: Element, set: (on: boolean) => void) =>
        [true, false].map((on) => {
          set(on);
          return look(element);
        });
      /** The colours of a choice in both states; undefined for other elements. */
      const looksOf = (element: Element): string[] | undefined => {
        // A part of a picture is drawn in one of the two states, so two parts are compared.
        if (element.matches('g[aria-pressed=true]')) {
          const root = element.getRootNode() as ParentNode;
          const other = root.querySelector('g[aria-pressed=false]');
          return other ? [look(element), look(other)] : undefined;
        }
        if (element.matches('.chip[aria-pressed]'))
          return looks(element, (on) => element.setAttribute('aria-pressed', String(on)));
        const label = element.nextElementSibling;
        if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || !label) return;
        // A visible radio button is drawn by the browser.
        if (getComputedStyle(element).opacity !== '0') return;
        return looks(label, (on) => {
          element.checked = on;
        });
      };
      let choices = 0;
      const alike: string[] = [];
      for (const element of elements(document.body).filter(visible)) {
        const both = looksOf(element);
        if (!both) continue;
        choices++;
        if (both[0] === both[1]) alike.push(`${path(element)} looks the same chosen or not`);
      }
      return {choices, alike};
    },
    await helpersOf(page),
  );
}
