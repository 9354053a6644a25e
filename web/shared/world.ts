// The teaching sentence's vectors, and computed rows that widgets offer as presets.

import {matrix, rowsOf, type Core} from '../core.js';

/** Row vectors: Q = X W_Q and so on, with X the embeddings, one row a token. */
export interface TeachingWorld {
  tokens: string[];
  d_model: number;
  n_heads: number;
  d_head: number;
  /** The meaning of each component of an embedding. */
  feature_names: string[];
  /** (T, d_model) */
  embeddings: number[][];
  /** (d_model, d_model) each; heads are cut by columns. */
  W_Q: number[][];
  W_K: number[][];
  W_V: number[][];
  W_O: number[][];
}

/** (T, T) raw products q·k of the teaching sentence, before ÷√d. */
function rawScores(core: Core, world: TeachingWorld): number[][] {
  const x = matrix(world.embeddings);
  const q = core.product(x, matrix(world.W_Q));
  const k = rowsOf(core.product(x, matrix(world.W_K)));
  const transposed = matrix((k[0] ?? []).map((_, c) => k.map((row) => row[c] ?? 0)));
  return rowsOf(core.product(q, transposed));
}

const GIVEN = '给了';
let given: {tokens: string[]; scores: number[]} | undefined;

/** The raw row of 「给了」, to the four decimals that the vectors' own decimals make exact. */
export function givenRow(core: Core, world: TeachingWorld): {tokens: string[]; scores: number[]} {
  if (given) return given;
  const row = rawScores(core, world)[world.tokens.indexOf(GIVEN)] ?? [];
  given = {tokens: world.tokens, scores: row.map((score) => Number(score.toFixed(4)))};
  return given;
}
