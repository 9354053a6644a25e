// The one place that turns classes into tags, once the core is there.

import {runtime} from '../shared/runtime.js';
import type {AnyWidgetClass} from './attn-widget.js';

const LOADERS: Record<string, () => Promise<AnyWidgetClass>> = {
  'attn-check': async () => (await import('./attn-check.js')).AttnCheck,
  'attn-dataflow': async () => (await import('./attn-dataflow.js')).AttnDataflow,
  'attn-decode': async () => (await import('./attn-decode.js')).AttnDecode,
  'attn-failures': async () => (await import('./attn-failures.js')).AttnFailures,
  'attn-formula': async () => (await import('./attn-formula.js')).AttnFormula,
  'attn-groups': async () => (await import('./attn-groups.js')).AttnGroups,
  'attn-heads': async () => (await import('./attn-heads.js')).AttnHeads,
  'attn-jacobian': async () => (await import('./attn-jacobian.js')).AttnJacobian,
  'attn-kv-cache': async () => (await import('./attn-kv-cache.js')).AttnKvCache,
  'attn-latent': async () => (await import('./attn-latent.js')).AttnLatent,
  'attn-lookup': async () => (await import('./attn-lookup.js')).AttnLookup,
  'attn-mask': async () => (await import('./attn-mask.js')).AttnMask,
  'attn-memory': async () => (await import('./attn-memory.js')).AttnMemory,
  'attn-position': async () => (await import('./attn-position.js')).AttnPosition,
  'attn-qkv': async () => (await import('./attn-qkv.js')).AttnQkv,
  'attn-rnn': async () => (await import('./attn-rnn.js')).AttnRnn,
  'attn-scaling': async () => (await import('./attn-scaling.js')).AttnScaling,
  'attn-sink': async () => (await import('./attn-sink.js')).AttnSink,
  'attn-softmax': async () => (await import('./attn-softmax.js')).AttnSoftmax,
  'attn-timeline': async () => (await import('./attn-timeline.js')).AttnTimeline,
  'attn-train': async () => (await import('./attn-train.js')).AttnTrain,
  'attn-variance': async () => (await import('./attn-variance.js')).AttnVariance,
  'attn-world': async () => (await import('./attn-world.js')).AttnWorld,
};

export const TAGS: readonly string[] = Object.keys(LOADERS);

export async function widgetClass(tag: string): Promise<AnyWidgetClass> {
  const load = LOADERS[tag];
  if (!load) throw new Error(`no such widget: ${tag}`);
  return load();
}

export async function register(tags: Iterable<string>): Promise<void> {
  await Promise.all(
    [...new Set(tags)].map(async (tag) => {
      const widget = await widgetClass(tag);
      const drawn = [...(globalThis.document?.querySelectorAll(tag) ?? [])];
      const brought = drawn.length > 0 && drawn.every((element) => element.hasAttribute('result'));
      if (!brought) await Promise.all(widget.needs.map((need) => runtime.provide?.(need)));
      if (!customElements.get(tag)) customElements.define(tag, widget);
    }),
  );
}
