// A reader's config.json: pasted, dropped, or opened as a file.

import type {RefusalWords} from './cache-json.js';

interface Host {
  readonly drafts: Map<string, {text: string; problem: string | null}>;
  /** Takes over another config; the text that cannot be read gives a sentence. */
  change: (config: string) => void;
  requestUpdate: () => void;
  /** The sentence for each reason of a refusal. */
  refused: () => Readonly<Record<string, RefusalWords>>;
  /** The config of the present state. */
  current: () => string;
}

export class ConfigInput {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** The pasted text stays unchanged until it can be read. */
  paste = (config: string): void => {
    this.#host.drafts.set('config', {text: config, problem: null});
    this.#host.change(config.trim() === '' ? '' : config);
    this.#host.requestUpdate();
  };

  typed = (event: Event): void => this.paste((event.target as HTMLTextAreaElement).value);

  open = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    void this.#read(input.files?.[0]);
    input.value = '';
  };

  drop = (event: DragEvent): void => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void this.#read(file);
    else this.paste(event.dataTransfer?.getData('text/plain') ?? '');
  };

  async #read(file: File | undefined): Promise<void> {
    if (!file) return;
    const [{decodedText, LARGEST_FILE, tooLarge}, {refusalSentence}] = await Promise.all([
      import('../config-json.js'),
      import('./cache-json.js'),
    ]);
    if (file.size > LARGEST_FILE) {
      const {drafts, change, current, refused, requestUpdate} = this.#host;
      const problem = refusalSentence(refused(), tooLarge(file.size).refusal);
      // The sentence about an earlier text goes.
      change(current());
      drafts.set('config', {text: '', problem: `${problem}图仍是上一次的。`});
      requestUpdate();
      return;
    }
    this.paste(decodedText(new Uint8Array(await file.arrayBuffer())));
  }
}
