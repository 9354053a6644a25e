// State and results of <attn-world>.

import {matrix, type Matrix, rowsOf} from '../../core.js';
import type {Token} from '../../shared/plot.js';
import type {Resources} from '../../shared/runtime.js';
import {choiceField, type Schema} from '../../shared/schema.js';
import {tokenField} from '../../shared/token-field.js';

export type Stage = 'embeddings' | 'projections' | 'scores' | 'weights' | 'outputs';

export interface WorldState {
  /** 从哪个词元看，写那个词 */
  token: string;
  /** 走到哪一步 */
  stage: Stage;
}

/** One token, with its scores and weights for the chosen token's query. */
export interface WorldRow {
  token: string;
  /** Embedding and its projections, (d_model) each. */
  x: number[];
  q: number[];
  k: number[];
  v: number[];
  /** Dot product of the chosen embedding with this one. */
  cosine: number;
  /** Dot product of the chosen query with this key, and the same divided by √d_k. */
  score: number;
  scaled: number;
  weight: number;
}

/** One head over the whole sentence, without a mask. */
export interface WorldResult {
  /** The meaning of each component of an embedding. */
  features: string[];
  rows: WorldRow[];
  /** Index of the chosen token. */
  me: WorldRow;
  /** (d_model, d_model) */
  matrices: {q: number[][]; k: number[][]; v: number[][]};
  /** Σ weight · v */
  output: number[];
}

export const STAGES: readonly {stage: Stage; name: string}[] = [
  {stage: 'embeddings', name: '词向量'},
  {stage: 'projections', name: '投影'},
  {stage: 'scores', name: '分数'},
  {stage: 'weights', name: '权重'},
  {stage: 'outputs', name: '输出'},
];

export interface Projection {
  letter: 'q' | 'k' | 'v';
  name: string;
  tone: Token;
}

export const PROJECTIONS: readonly Projection[] = [
  {letter: 'q', name: '查询', tone: 'query'},
  {letter: 'k', name: '键', tone: 'key'},
  {letter: 'v', name: '值', tone: 'value'},
];

export const schema: Schema<WorldState> = {
  token: tokenField(),
  stage: choiceField<Stage>(
    'embeddings',
    STAGES.map(({stage}) => stage),
  ),
};

export function compute({core, world}: Resources, {token}: WorldState): WorldResult {
  const {tokens, feature_names: features, embeddings, W_Q, W_K, W_V} = world;
  const x = matrix(embeddings);
  const [q, k, v] = [
    core.product(x, matrix(W_Q)),
    core.product(x, matrix(W_K)),
    core.product(x, matrix(W_V)),
  ];
  const from = Math.max(0, tokens.indexOf(token));
  const row = (rows: Matrix) => rowsOf(rows)[from] ?? [];
  const raw = row(core.attention(q, k, v, {scaled: false, mask: 'none'}).scores);
  const trace = core.attention(q, k, v, {scaled: true, mask: 'none'});
  const [scaled, weights] = [row(trace.scores), row(trace.weights)];
  const rows = tokens.map((token, i): WorldRow => ({
    token,
    x: embeddings[i] ?? [],
    q: rowsOf(q)[i] ?? [],
    k: rowsOf(k)[i] ?? [],
    v: rowsOf(v)[i] ?? [],
    cosine: core.cosine(row(x), embeddings[i] ?? []),
    score: raw[i] ?? 0,
    scaled: scaled[i] ?? 0,
    weight: weights[i] ?? 0,
  }));
  const me = rows[from];
  if (!me) throw new Error('attn-world: a sentence without tokens');
  return {features, rows, me, matrices: {q: W_Q, k: W_K, v: W_V}, output: row(trace.output)};
}
