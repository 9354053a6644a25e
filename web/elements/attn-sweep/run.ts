// The one sweep of a page, shared by every <attn-sweep> on it.

import {SweepDesk} from '../../training/sweep.js';

let corpusHash: string | undefined;

/** Sets the SHA-256 of the text that the record is made of; a sweep on another text is refused. */
export function expectCorpus(hash: string): void {
  corpusHash = hash;
}

export const desk = new SweepDesk({
  open: async (options) => (await import('../../training/port.js')).openPort(options),
  corpus: async () => (await import('../../training/corpus.js')).fetchCorpus(corpusHash),
});
