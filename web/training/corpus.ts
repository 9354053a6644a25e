// The text that the page's runs learn from, fetched when one starts.

import {fetchFile} from '../shared/files.js';
import {runtime} from '../shared/runtime.js';
import {Missing} from './protocol.js';

/**
 * The training text. Its hash must be the records'; where the page can't compute hashes, the
 * comparison of digits detects another text.
 */
export async function fetchCorpus(corpusHash: string | undefined): Promise<string> {
  const url = new URL('../data/tang.txt', new URL(runtime.contentBase, location.href));
  const response = await fetchFile(url.href).catch(() => undefined);
  if (!response?.ok) throw new Missing('no-corpus');
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  // The server answers every address with a page.
  if (text.trimStart().startsWith('<')) throw new Missing('no-corpus');
  if (corpusHash !== undefined && 'subtle' in crypto) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    if ([...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('') !== corpusHash)
      throw new Missing('wrong-corpus');
  }
  return text;
}
