// The offline search index: one entry a section.

import MiniSearch from 'minisearch';
import {parseHTML} from 'linkedom';
import {searchOptions} from './search-options.js';

export interface SearchEntry {
  id: string;
  title: string;
  section: string;
  text: string;
}

/** Sections and terms of one drawn page. */
export function searchEntries(page: string, html: string): SearchEntry[] {
  const {document} = parseHTML(html);
  for (const unwanted of document.querySelectorAll(
    'template, script, .sources, nav, annotation, .katex-html',
  ))
    unwanted.remove();
  const title = document.querySelector('h1')?.textContent?.trim() ?? page;
  const entries: SearchEntry[] = [];
  let current: SearchEntry = {id: `${page}index.html`, title, section: '', text: ''};
  for (const block of document.querySelectorAll(
    'main h2, main p, main li, main summary, main dt[id], main dd',
  )) {
    // A term of the glossary is found by itself.
    if (block.localName === 'h2' || block.localName === 'dt') {
      entries.push(current);
      current = {
        id: `${page}index.html${block.id ? `#${block.id}` : ''}`,
        title,
        section: block.textContent?.trim() ?? '',
        text: '',
      };
    } else {
      current.text += ` ${block.textContent?.replace(/\s+/g, ' ').trim() ?? ''}`;
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
