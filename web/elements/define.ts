// Registers the tag of one widget.

import {runtime} from '../shared/runtime.js';
import type {AnyWidgetClass} from './attn-widget/spec.js';

/**
 * Makes each field of the state a property, unless every element has one of that name: `part` and
 * `prefix`.
 */
function addFields({prototype, spec}: AnyWidgetClass): void {
  for (const key of Object.keys(spec.schema as object)) {
    if (key in prototype) continue;
    Object.defineProperty(prototype, key, {
      get(this: {state: Record<string, unknown>}) {
        return this.state[key];
      },
      set(this: {state: Record<string, unknown>}, value: unknown) {
        this.state = {[key]: value};
      },
    });
  }
}

/** Registers a widget, after its modules unless the page carries the results of all of its kind. */
export async function define(tag: string, widget: AnyWidgetClass): Promise<void> {
  const drawn = [...(globalThis.document?.querySelectorAll(tag) ?? [])];
  const hasResults = drawn.length > 0 && drawn.every((element) => element.hasAttribute('result'));
  if (!hasResults) await Promise.all(widget.needs.map((need) => runtime.provide?.(need)));
  await widget.prepare?.();
  if (customElements.get(tag)) return;
  addFields(widget);
  customElements.define(tag, widget);
}
