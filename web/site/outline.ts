// The list of a lesson's sections in its margin. progress.ts marks where the reader is and what is
// done.

import {attributeOf, escapeHtml, isElement, nodesIn, type Document} from './html.js';
import {textOf} from './search-index.js';

export function outlineOf(page: Document): string {
  const items = nodesIn(page)
    .filter(isElement)
    .flatMap((element) => {
      const id = attributeOf(element, 'id');
      return element.tagName === 'h2' && id
        ? [`<li><a href="#${id}">${escapeHtml(textOf(element).trim())}</a></li>`]
        : [];
    });
  return `<ol class="outline">\n${items.join('\n')}\n</ol>`;
}
