// Registers the tags of the widgets, once the core is loaded.

import {runtime} from '../shared/runtime.js';
import type {AnyWidgetClass} from './attn-widget/spec.js';

/** Each file attn-….ts exports the class of its tag: attn-kv-cache.ts the class AttnKvCache. */
const FILES = import.meta.glob<Record<string, AnyWidgetClass>>([
  './attn-*.ts',
  '!./attn-widget.ts',
]);

const fileOf = (tag: string) => `./${tag}.ts`;

export const TAGS: readonly string[] = Object.keys(FILES)
  .map((file) => file.slice(2, -3))
  .sort();

export async function widgetClass(tag: string): Promise<AnyWidgetClass> {
  const name = tag.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const widget = (await FILES[fileOf(tag)]?.())?.[name];
  if (!widget) throw new Error(`no such widget: ${tag}`);
  return widget;
}

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

export async function register(tags: Iterable<string>): Promise<void> {
  await Promise.all(
    [...new Set(tags)].map(async (tag) => {
      const widget = await widgetClass(tag);
      const drawn = [...(globalThis.document?.querySelectorAll(tag) ?? [])];
      const hasResults =
        drawn.length > 0 && drawn.every((element) => element.hasAttribute('result'));
      if (!hasResults) await Promise.all(widget.needs.map((need) => runtime.provide?.(need)));
      if (customElements.get(tag)) return;
      addFields(widget);
      customElements.define(tag, widget);
    }),
  );
}
