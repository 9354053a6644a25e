// The one training run of a page, shared by every <attn-train> on it.

import {TrainDesk} from '../../training/desk.js';

let corpusHash: string | undefined;

/** Sets the SHA-256 of the text that the records are made of; a run on another text is refused. */
export function expectCorpus(hash: string | undefined): void {
  corpusHash = hash;
}

export const desk = new TrainDesk({
  open: async (options) => (await import('../../training/port.js')).openPort(options),
  corpus: async () => (await import('../../training/corpus.js')).fetchCorpus(corpusHash),
});

let watching = false;

/** A hidden tab may be closed next, so the run is saved. */
export function watchPage(): void {
  if (watching) return;
  watching = true;
  document.addEventListener('visibilitychange', () => desk.visible(!document.hidden));
  addEventListener('pagehide', () => desk.save());
}
