// The attention mechanism of a model, by the layers of its cache.

import type {LayerKind, ModelCache} from '../cache.js';

/** How many of a model's heads have keys and values of their own; MLA keeps a latent vector. */
export type DesignName = 'MHA' | 'GQA' | 'MQA' | 'MLA';

/** A model with some layers of another kind is named by those. */
export type Mechanism = DesignName | 'window' | 'state';

export const hasHeads = ({kind}: LayerKind): boolean =>
  kind === 'full' || kind === 'window' || kind === 'chunk';

export function designOf({heads, layout}: Pick<ModelCache, 'heads' | 'layout'>): DesignName {
  if (layout.some(({kind}) => kind === 'latent')) return 'MLA';
  const kept = layout.filter(hasHeads);
  if (kept.every((kind) => kind.heads === 1)) return 'MQA';
  return kept.every((kind) => kind.heads === heads) ? 'MHA' : 'GQA';
}

export function mechanismOf(model: Pick<ModelCache, 'heads' | 'layout'>): Mechanism {
  if (model.layout.some(({stateBytes}) => stateBytes)) return 'state';
  return model.layout.some(({window}) => window) ? 'window' : designOf(model);
}
