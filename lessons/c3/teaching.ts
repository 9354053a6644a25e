// Attention on the teaching sentence, shared by text, questions and timeline.
import {matrix, rowsOf, type AttentionTrace, type Core} from '../../web/core.js';
import type {TeachingWorld} from '../../web/shared/world.js';

/** The index of each token of 小明 把 苹果 给了 小王. */
export const TOKEN = {xiaoming: 0, ba: 1, pingguo: 2, geile: 3, xiaowang: 4} as const;

export interface Sentence {
  /** (T, d_k) and (T, d_v) projections of the embeddings. */
  q: number[][];
  k: number[][];
  v: number[][];
  /** One head without a mask, with unscaled scores Q Kᵀ. */
  raw: AttentionTrace;
  /** The same with scores divided by √d_k. */
  scaled: AttentionTrace;
  /** Divided by √d_k, with a causal mask. */
  causal: AttentionTrace;
  /** The projections cut into n_heads, scaled and causal. */
  heads: AttentionTrace[];
}

/** Projects the sentence and runs the variants of attention that the chapter quotes. */
export function attend(core: Core, world: TeachingWorld): Sentence {
  const x = matrix(world.embeddings);
  const q = core.product(x, matrix(world.W_Q));
  const k = core.product(x, matrix(world.W_K));
  const v = core.product(x, matrix(world.W_V));
  return {
    q: rowsOf(q),
    k: rowsOf(k),
    v: rowsOf(v),
    raw: core.attention(q, k, v, {scaled: false, mask: 'none'}),
    scaled: core.attention(q, k, v, {scaled: true, mask: 'none'}),
    causal: core.attention(q, k, v, {scaled: true, mask: 'causal'}),
    heads: core.multiHead(q, k, v, {heads: world.n_heads, scaled: true, mask: 'causal'}).heads,
  };
}
