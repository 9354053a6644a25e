// An author's text that a widget shows: it comes with the page as `data`, or from the content
// folder.

import {fetchFile, pageAddress} from '../../shared/files.js';
import {runtime} from '../../shared/runtime.js';

/** Links of a text start at the site's root. A link is empty where no site is known. */
function linkTo(path: string): string {
  const address = pageAddress(path);
  return address && new URL(address).href;
}

export class AuthorContent<C> {
  readonly #element: HTMLElement;
  #value: C | undefined;
  #requested: string | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** The text; undefined until it is loaded. */
  get value(): C | undefined {
    return this.#value;
  }

  forget(): void {
    this.#value = undefined;
  }

  /** Takes the text that came with the page; false if the page has none. */
  takeGiven(): boolean {
    const given = this.#element.getAttribute('data');
    if (given === null) return false;
    this.#requested = undefined;
    this.#value = JSON.parse(given) as C;
    return true;
  }

  /** Resolves to false if another text was requested meanwhile. */
  async fetch(name: string): Promise<boolean> {
    this.#requested = name;
    const url = `${runtime.contentBase}${name}.json`;
    const response = await fetchFile(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    const text = await response.text();
    if (this.#requested !== name) return false;
    this.#value = JSON.parse(text, (key, value: unknown) =>
      key === 'href' ? linkTo(String(value)) : value,
    ) as C;
    return true;
  }
}
