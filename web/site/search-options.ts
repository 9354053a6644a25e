// How text is cut for the search, the same when the index is made and when it is asked.

import type {Options} from 'minisearch';

/** Latin words whole; Chinese in pairs of characters, and single ones for one-character queries. */
function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (const [run] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{Script=Han}]+|[a-z0-9_√]+/gu)) {
    if (!/\p{Script=Han}/u.test(run)) {
      tokens.push(run);
      continue;
    }
    const characters = [...run];
    characters.forEach((character, i) => {
      tokens.push(character);
      if (i + 1 < characters.length) tokens.push(character + (characters[i + 1] ?? ''));
    });
  }
  return tokens;
}

export const searchOptions: Options = {
  fields: ['title', 'section', 'text'],
  storeFields: ['title', 'section', 'text'],
  tokenize,
  processTerm: (term) => term,
  searchOptions: {
    boost: {title: 3, section: 2},
    combineWith: 'AND',
    // A query is cut into pairs only: single characters would find too much.
    tokenize: (query) => {
      const tokens = tokenize(query);
      const pairs = tokens.filter((token) => [...token].length > 1);
      return pairs.length > 0 ? pairs : tokens;
    },
  },
};
