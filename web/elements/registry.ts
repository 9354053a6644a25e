// The one place that turns classes into tags, once the core is there.

import type {AnyWidgetClass} from './attn-widget.js';

const LOADERS: Record<string, () => Promise<AnyWidgetClass>> = {
  'attn-softmax': async () => (await import('./attn-softmax.js')).AttnSoftmax,
  'attn-check': async () => (await import('./attn-check.js')).AttnCheck,
  'attn-dataflow': async () => (await import('./attn-dataflow.js')).AttnDataflow,
  'attn-formula': async () => (await import('./attn-formula.js')).AttnFormula,
  'attn-timeline': async () => (await import('./attn-timeline.js')).AttnTimeline,
};

export const TAGS: readonly string[] = Object.keys(LOADERS);

export async function widgetClass(tag: string): Promise<AnyWidgetClass> {
  const load = LOADERS[tag];
  if (!load) throw new Error(`no such widget: ${tag}`);
  return load();
}

export async function register(tags: Iterable<string>): Promise<void> {
  await Promise.all([...new Set(tags)].map(async (tag) => {
    const widget = await widgetClass(tag);
    if (!customElements.get(tag)) customElements.define(tag, widget);
  }));
}
