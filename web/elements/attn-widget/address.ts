// The state in the page's address: `#widget-id?scores=8,7,9`, or the query of a page with a single
// widget.

import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {readQuery, writeQuery, type Reading} from '../../shared/link.js';
import {runtime} from '../../shared/runtime.js';
import type {Schema} from '../../shared/schema.js';

interface Options<S> {
  schema: Schema<S>;
  /** The state that the page gave; a link changes fields of it. */
  initial: () => S | undefined;
  take: (reading: Reading<S>) => void;
}

export class AddressLink<S> implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: Options<S>;

  constructor(host: ReactiveControllerHost & HTMLElement, options: Options<S>) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Name of the widget in addresses and file names. */
  get anchor(): string {
    return this.#host.id || this.#host.localName;
  }

  hostConnected(): void {
    window.addEventListener('hashchange', this.read);
  }

  hostDisconnected(): void {
    window.removeEventListener('hashchange', this.read);
  }

  /** Applies the state of an address that names this widget, and scrolls the widget into view. */
  read = (): void => {
    // frame.ts reads the query before the widget is drawn.
    if (runtime.place === 'frame') return;
    const [anchor, query] = location.hash.slice(1).split('?', 2);
    if (query === undefined || anchor !== encodeURI(this.anchor)) return;
    const {schema, initial, take} = this.#options;
    take(readQuery(schema, query, initial()));
    this.#host.scrollIntoView({block: 'start'});
  };

  /** The address of this state; the page's own address is set to it. */
  write(state: S): string {
    const {schema, initial} = this.#options;
    const url = new URL(location.href);
    if (runtime.place === 'frame') url.search = writeQuery(schema, state);
    else {
      url.hash = `${this.anchor}?${writeQuery(schema, state, initial())}`;
      history.replaceState(null, '', url);
    }
    return url.href;
  }
}
