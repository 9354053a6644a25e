// The one training run of a page, shared by every <attn-train> on it.

import {runtime} from '../../shared/runtime.js';
import {Missing, TrainDesk} from '../../training/desk.js';

let corpusHash: string | undefined;

/** Sets the SHA-256 of the text that the records are made of; a run on another text is refused. */
export function expectCorpus(hash: string | undefined): void {
  corpusHash = hash;
}

/**
 * The training text. Its hash must be the records'; where the page can't compute hashes, the
 * comparison of digits detects another text.
 */
async function fetchCorpus(): Promise<string> {
  const url = new URL('../data/tang.txt', new URL(runtime.contentBase, location.href));
  const response = await fetch(url).catch(() => undefined);
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

export const desk = new TrainDesk({
  open: async (options) => (await import('../../training/port.js')).openPort(options),
  corpus: fetchCorpus,
});

let watching = false;

/** A hidden tab may be closed next, so the run is saved. */
export function watchPage(): void {
  if (watching) return;
  watching = true;
  document.addEventListener('visibilitychange', () => desk.visible(!document.hidden));
  addEventListener('pagehide', () => desk.save());
}
