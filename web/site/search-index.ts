// The offline search index: one entry for each section.

import MiniSearch from 'minisearch';
import {attributeOf, isElement, type Document, type Element} from './html.js';
import {searchOptions} from './search-options.js';

export interface SearchEntry {
  id: string;
  title: string;
  section: string;
  text: string;
}

/** Elements whose text does not belong to a page's text. */
const SKIPPED = ['template', 'script', 'nav', 'annotation'];
const SKIPPED_CLASSES = ['sources', 'katex-html', 'minutes', 'reference', 'wall'];
const BLOCKS = ['h2', 'p', 'li', 'summary', 'dd'];

function isSkipped(element: Element): boolean {
  const classes = attributeOf(element, 'class')?.split(/\s+/) ?? [];
  return (
    SKIPPED.includes(element.tagName) || SKIPPED_CLASSES.some((name) => classes.includes(name))
  );
}

/** The elements below a node in document order, without the skipped ones. */
function* shownIn(node: Element | Document): Generator<Element> {
  for (const child of node.childNodes) {
    if (!isElement(child) || isSkipped(child)) continue;
    yield child;
    yield* shownIn(child);
  }
}

/** The characters between the parts of a formula, by the names of MathML's elements. */
const PLACED: Record<string, string> = {msub: '_', msup: '^', mfrac: '/'};

/** The text of an element, its formulas as letters. */
export function textOf(element: Element): string {
  const parts = element.childNodes.map((node) => {
    if ('value' in node) return node.value;
    return isElement(node) && !isSkipped(node) ? textOf(node) : '';
  });
  if (element.tagName === 'msqrt') return `√${parts.join('')}`;
  return parts.join(PLACED[element.tagName] ?? '');
}

/** Sections and terms of one drawn page. */
export function searchEntries(page: string, tree: Document): SearchEntry[] {
  const elements = [...shownIn(tree)];
  const heading = elements.find(({tagName}) => tagName === 'h1');
  const main = elements.find(({tagName}) => tagName === 'main');
  const title = heading ? textOf(heading).trim() : page;
  // The line above the heading is the topic of a lesson, whose title is a question.
  const eyebrow = elements.find((element) => attributeOf(element, 'class') === 'eyebrow');
  const topic = eyebrow ? textOf(eyebrow).trim() : '';
  const entries: SearchEntry[] = [];
  let current: SearchEntry = {id: `${page}index.html`, title, section: topic, text: ''};
  for (const block of main ? shownIn(main) : []) {
    const id = attributeOf(block, 'id');
    // Each term of the glossary has an entry of its own.
    if (block.tagName === 'h2' || (block.tagName === 'dt' && id)) {
      entries.push(current);
      const address = `${page}index.html${id ? `#${id}` : ''}`;
      current = {id: address, title, section: textOf(block).trim(), text: ''};
    } else if (BLOCKS.includes(block.tagName)) {
      current.text += ` ${textOf(block).replace(/\s+/g, ' ').trim()}`;
    }
  }
  entries.push(current);
  return entries.filter((entry) => entry.text.trim() !== '');
}

export function searchIndex(entries: SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  index.addAll(entries);
  return JSON.stringify(index);
}
