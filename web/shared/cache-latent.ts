// The teaching sentence with cached latents instead of keys. The widget and lesson 10 compute from
// here.

import {matrix, rowsOf, type Core} from '../core.js';
import type {Sequence} from '../sequence.js';
import type {TeachingWorld} from './world.js';

/**
 * No rotation; rotation of the whole key; rotation of a separate part that is cached beside the
 * latent.
 */
export type Turn = 'none' | 'all' | 'apart';

export interface LatentExample {
  /** The components of the embedding that the latent keeps, by name. */
  kept: string[];
  /** (T, r) */
  latents: number[][];
  /** (r, d_k) and (r, d_v): keys and values are latent · up. */
  upK: number[][];
  upV: number[][];
  /** (T, d_k) */
  queries: number[][];
  /**
   * (T, 2) the rotated part for Turn 'apart', chosen by hand: large in the queries of verbs and the
   * keys of nouns.
   */
  rotaryQueries: number[][];
  rotaryKeys: number[][];
}

export interface LatentToken {
  token: string;
  /** Distance from the querying token. */
  distance: number;
  /** The cached part: the latent, and the separately rotated part. */
  latent: number[];
  turned: number[];
  /** The folded query that gives the correct score. */
  folded: number[];
  /** Score of the key expanded from the latent. */
  expanded: number;
  /** Score of the cached part with the one folded query of distance 0. */
  once: number;
}

export interface LatentRow {
  rows: LatentToken[];
  /** Different vectors among `folded`. */
  needed: number;
  /** Largest |once − expanded|. */
  error: number;
  /** Largest difference with the matching `folded` query for each token. */
  ownError: number;
}

const BASE = 10000;
/** The query has the feature 语法; the keys have 人 and 物. */
const ROTARY_QUERY = [
  [0, 0],
  [0, 0],
  [1, 0],
  [0, 0],
];
const ROTARY_KEY = [
  [1, 0],
  [1, 0],
  [0, 0],
  [0, 0],
];

const times = (core: Core, x: number[][], w: number[][]) =>
  rowsOf(core.product(matrix(x), matrix(w)));
const transposed = (rows: number[][]) =>
  (rows[0] ?? []).map((_, c) => rows.map((row) => row[c] ?? 0));

export function latentExample(core: Core, world: TeachingWorld): LatentExample {
  const {embeddings, W_Q, W_K, W_V, feature_names: names} = world;
  const features = W_K.flatMap((row, i) => (row.some((x) => x !== 0) ? [i] : []));
  const pick = <Item>(items: readonly Item[]) => features.flatMap((i) => items.slice(i, i + 1));
  return {
    kept: pick(names),
    latents: embeddings.map(pick),
    upK: pick(W_K),
    upV: pick(W_V),
    queries: times(core, embeddings, W_Q),
    rotaryQueries: times(core, embeddings, ROTARY_QUERY),
    rotaryKeys: times(core, embeddings, ROTARY_KEY),
  };
}

/** The scores of the token at `position` with its visible tokens, from keys and from latents. */
export function latentRow(
  {core, sequence}: {core: Core; sequence: Sequence},
  world: TeachingWorld,
  position: number,
  turn: Turn,
): LatentRow {
  const {latents, upK, queries, rotaryQueries, rotaryKeys} = latentExample(core, world);
  const seen = <Item>(items: readonly Item[]) => items.slice(0, position + 1);
  const query = queries[position] ?? [];
  const whole = sequence.latentScores(query, matrix(seen(latents)), matrix(upK), {
    rotated: turn === 'all' ? query.length : 0,
    base: BASE,
  });
  const folded = rowsOf(whole.folded);
  const tokens = (turned: number[][], turnedQuery: number[], expanded: number[], once: number[]) =>
    seen(latents).map((latent, j): LatentToken => ({
      token: world.tokens[j] ?? '',
      distance: position - j,
      latent,
      turned: turned[j] ?? [],
      folded: [...(folded[j] ?? []), ...turnedQuery],
      expanded: expanded[j] ?? 0,
      once: once[j] ?? 0,
    }));
  const needed = new Set(folded.map(String)).size;
  if (turn !== 'apart')
    return {
      rows: tokens([], [], whole.expanded, whole.once),
      needed,
      error: whole.onceError,
      ownError: whole.eachError,
    };

  // A key of two parts against a query of two parts: expanded from the latent, or cached.
  const turnedBy = (rows: number[][], positions: number[]) =>
    rowsOf(sequence.rotate(matrix(rows), {positions, rotated: 2, base: BASE}));
  const turned = turnedBy(
    seen(rotaryKeys),
    seen(rotaryKeys).map((_, j) => j),
  );
  const [turnedQuery = []] = turnedBy([rotaryQueries[position] ?? []], [position]);
  const beside = (rows: number[][]) =>
    transposed(rows.map((row, j) => [...row, ...(turned[j] ?? [])]));
  const [expanded = []] = times(core, [[...query, ...turnedQuery]], beside(rowsOf(whole.keys)));
  const [once = []] = times(core, [[...(folded[0] ?? []), ...turnedQuery]], beside(seen(latents)));
  const error = Math.max(...once.map((score, j) => Math.abs(score - (expanded[j] ?? 0))));
  return {rows: tokens(turned, turnedQuery, expanded, once), needed, error, ownError: error};
}
