// State and result of <attn-sentence>.

import {matrix, rowsOf} from '../../core.js';
import type {Stop} from '../../shared/beats.js';
import type {Resources} from '../../shared/runtime.js';
import {numberField, type Schema} from '../../shared/schema.js';
import {tokenField} from '../../shared/token-field.js';

export interface SentenceState {
  /** 从哪个词元看 */
  token: string;
  /** 算到哪里，0是词向量，1是输出 */
  at: number;
}

export interface SentenceResult {
  tokens: string[];
  /** Index of the token that asks. */
  from: number;
  /** Word vectors, keys and values of all tokens; (T, 4) each. */
  x: number[][];
  k: number[][];
  v: number[][];
  /** The query of the token that asks. */
  q: number[];
  /** q·k ÷ √d of all tokens, before the mask. */
  scores: number[];
  /** 0 for the tokens after the one that asks. */
  weights: number[];
  output: number[];
}

const NAMES = ['向量', '投影', '分数', '掩码', '权重', '输出'];

/** The steps of the computation, evenly along the playhead. */
export const STOPS: readonly Stop[] = NAMES.map((name, i) => ({at: i / (NAMES.length - 1), name}));

/** The moment at which the percentages stand. */
const AT_WEIGHTS = 0.8;

export const schema: Schema<SentenceState> = {
  token: tokenField(),
  at: numberField(AT_WEIGHTS, {min: 0, max: 1}),
};

export function compute({core, world}: Resources, {token}: SentenceState): SentenceResult {
  const x = matrix(world.embeddings);
  const [q, k, v] = [world.W_Q, world.W_K, world.W_V].map((w) => core.product(x, matrix(w)));
  if (!q || !k || !v) throw new Error('attn-sentence: three projections');
  const trace = core.attention(q, k, v, {scaled: true, mask: 'causal'});
  const from = Math.max(0, world.tokens.indexOf(token));
  return {
    tokens: [...world.tokens],
    from,
    x: world.embeddings.map((row) => [...row]),
    k: rowsOf(k),
    v: rowsOf(v),
    q: rowsOf(q)[from] ?? [],
    scores: rowsOf(trace.scores)[from] ?? [],
    weights: rowsOf(trace.weights)[from] ?? [],
    output: rowsOf(trace.output)[from] ?? [],
  };
}
