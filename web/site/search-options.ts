// Splits text into search terms, in the same way for the index and for a query.

import type {Options} from 'minisearch';

/**
 * Writes formulas as people type them, `\sqrt{d}` or `QKᵀ`, in one spelling, and full-width
 * characters as half-width ones.
 */
export function plainForm(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\\?sqrt\s*[{(]/g, '√')
    .replaceAll(/⊤|\\top\b/g, 't');
}

/**
 * The runs of characters that count as words: Chinese characters, or letters of a word or formula.
 */
const RUNS = /\p{Script=Han}+|[a-z0-9√](?:[a-z0-9_^√{}]*[a-z0-9}])?/gu;

/**
 * A formula's letters without the signs of subscripts and superscripts: d_k, d_{k} and dk are one
 * word.
 */
const unplaced = (word: string) => word.replaceAll(/[_^{}]/g, '');

/** Latin words whole; Chinese in pairs of characters, and single ones for one-character queries. */
function queryTokens(text: string): string[] {
  const tokens: string[] = [];
  for (const [run] of plainForm(text).matchAll(RUNS)) {
    if (!/\p{Script=Han}/u.test(run)) {
      tokens.push(unplaced(run));
      continue;
    }
    const characters = [...run];
    characters.forEach((character, i) => {
      tokens.push(character);
      if (i + 1 < characters.length) tokens.push(character + (characters[i + 1] ?? ''));
    });
  }
  return tokens.filter((token) => token !== '');
}

/** The terms under which a text is found: √d_k also under d_k, and QK^T also under QK. */
function tokenize(text: string): string[] {
  const parts = [...plainForm(text).matchAll(RUNS)]
    .flatMap(([run]) => (/[√^]/.test(run) ? run.split(/(√)|\^/) : []))
    .map((part = '') => unplaced(part))
    .filter((part) => part !== '');
  return [...queryTokens(text), ...parts];
}

const isLesson = (id: string) => /^c\d+\/\w+\/index\.html/.test(id);
const LESSON_BOOST = 3;

export const searchOptions: Options = {
  fields: ['title', 'section', 'text'],
  storeFields: ['title', 'section', 'text'],
  tokenize,
  processTerm: (term) => term,
  searchOptions: {
    boost: {title: 3, section: 2},
    // Lessons explain; the other pages list, correct or apply.
    boostDocument: (id: string) => (isLesson(id) ? LESSON_BOOST : 1),
    combineWith: 'AND',
    // A query is cut into pairs only: single characters would find too much.
    tokenize: (query) => {
      const tokens = queryTokens(query);
      const pairs = tokens.filter((token) => [...token].length > 1);
      return pairs.length > 0 ? pairs : tokens;
    },
  },
};
