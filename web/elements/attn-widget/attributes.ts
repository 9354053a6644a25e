// The state in a widget's attributes, which a page reads and writes.

import {readFields, type Problem, type Reading} from '../../shared/link.js';
import {keysOf, type Schema} from '../../shared/schema.js';

/** Some frameworks write an object that was meant for the property into an attribute. */
const NO_STATE: Problem = {
  code: 'state-attribute',
  message: 'state要由脚本设成元素的属性（property）；标签里请分项写。',
};

export class StateAttributes<S> {
  readonly #element: HTMLElement;
  readonly #schema: Schema<S>;
  /** The state that the page gave first; undefined before the first reading. */
  initial: S | undefined;
  #stale = true;
  #writing = false;

  constructor(element: HTMLElement, schema: Schema<S>) {
    this.#element = element;
    this.#schema = schema;
  }

  /** True if attributes were set since the last reading. */
  get stale(): boolean {
    return this.#stale;
  }

  invalidate(): void {
    this.#stale = true;
  }

  /** True if a change of this attribute from outside the widget gives another state. */
  concerns(name: string): boolean {
    return !this.#writing && (name === 'data' || name === 'state' || name in this.#schema);
  }

  read(): Reading<S> {
    this.#stale = false;
    const reading = readFields(this.#schema, (key) => this.#element.getAttribute(key));
    this.initial ??= reading.state;
    return this.#element.hasAttribute('state') ? {...reading, problem: NO_STATE} : reading;
  }

  /** Attributes follow the state. A field at its default gets no attribute unless it has one. */
  write(state: S): void {
    this.#writing = true;
    this.#set(state);
    this.#writing = false;
  }

  /** Sets another state in the way a page does. */
  ask(state: S): void {
    this.#element.removeAttribute('data');
    this.#set(state);
  }

  #set(state: S): void {
    const element = this.#element;
    for (const key of keysOf(this.#schema)) {
      const field = this.#schema[key];
      const text = field.write(state[key]);
      const needed = text !== field.write(field.fallback) || element.hasAttribute(key);
      if (needed && element.getAttribute(key) !== text) element.setAttribute(key, text);
    }
  }
}
