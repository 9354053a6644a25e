// Registers the tags of the widgets, once the core is loaded.

import type {AnyWidgetClass} from './attn-widget/spec.js';
import {define} from './define.js';

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

export async function register(tags: Iterable<string>): Promise<void> {
  await Promise.all([...new Set(tags)].map(async (tag) => define(tag, await widgetClass(tag))));
}
