// The sentence that screen readers announce after a change.

import type {ReactiveController, ReactiveControllerHost} from 'lit';

/** The shortest time between two announcements while a slider moves. */
const INTERVAL_MS = 1000;

export class LiveRegion implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #text = '';
  #visible = false;
  #announcedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get text(): string {
    return this.#text;
  }

  /** True if the sentence is shown on the page too. */
  get visible(): boolean {
    return this.#visible;
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** Announces the value of `sentence` once the interval is over; nothing if the value is null. */
  announce(sentence: () => string | null): void {
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#announcedAt + INTERVAL_MS - Date.now());
    this.#timer = setTimeout(() => {
      const text = sentence();
      if (text === null) return;
      this.#announcedAt = Date.now();
      this.#set(text, false);
    }, wait);
  }

  /** Announces and shows the result of an action of the reader. */
  show(text: string): void {
    this.#set(text, true);
  }

  #set(text: string, visible: boolean): void {
    this.#text = text;
    this.#visible = visible;
    this.#host.requestUpdate();
  }
}
