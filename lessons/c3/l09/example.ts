// The teaching sentence with fewer sets of K and V, for the numbers and the questions of lesson 9.
import {matrix, type Core} from '../../../web/core.js';
import type {Sequence} from '../../../web/sequence.js';
import type {TeachingWorld} from '../../../web/shared/world.js';

/** Two query heads with `groups` sets of K and V; each is the mean of those it replaces. */
export function shared(core: Core, sequence: Sequence, world: TeachingWorld, groups: number) {
  const x = matrix(world.embeddings);
  const [q, k, v] = [world.W_Q, world.W_K, world.W_V].map((w) => core.product(x, matrix(w))) as [
    typeof x,
    typeof x,
    typeof x,
  ];
  const options = {heads: world.n_heads, groups};
  const [pooledK, pooledV] = [sequence.poolHeads(k, options), sequence.poolHeads(v, options)];
  return {...sequence.groupedQuery(q, pooledK, pooledV, options), k: pooledK, v: pooledV};
}
