// The layers of a model's cache, read from its config in the same way as by the calculator and the
// models' pages.
import type {Cache, LayerKind} from '../../web/cache.js';
import {mustRead} from '../../web/site/model-files.js';
import type {ModelFile} from '../../web/site/numbers.js';

/** The kinds of a model's layers; a config that can't be read stops the build. */
export function keptBy(cache: Cache, file: ModelFile): LayerKind[] {
  return mustRead(cache, file).layout;
}

/** Only the layers that cache K and V of every token, with the given number of heads. */
export function withHeads(layout: readonly LayerKind[], heads: number): LayerKind[] {
  return layout.flatMap((kind) => (kind.kind === 'full' ? [{...kind, heads}] : []));
}
