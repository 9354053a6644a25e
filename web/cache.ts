// The one file that sees the raw module attn_cache: what a KV cache weighs, and what a published config
// says about it.

import createModule from '../build/wasm/attn_cache.mjs';
import {CoreError} from './core.js';

/**
 * What a layer keeps: keys and values of every token, of a window, of a chunk; one latent vector a
 * token; one key a token for choosing (on top of another kind); a recurrent state; the last inputs of
 * a convolution; another layer's cache; nothing.
 */
export type CacheKind =
  'full' | 'window' | 'chunk' | 'latent' | 'index' | 'state' | 'convolution' | 'shared' | 'none';

/** One kind of layer of a KV-cache layout. What a kind has no use for is 0 or left out. */
export interface LayerKind {
  kind: CacheKind;
  layers: number;
  /** full, window, chunk: KV heads; latent, index: 1. */
  heads?: number;
  /** Values kept as key and as value, per head and token. latent, index: all in kWidth. */
  kWidth?: number;
  vWidth?: number;
  /** window, chunk: tokens kept at most. */
  window?: number;
  /** state, convolution: bytes a layer, whatever the length. */
  stateBytes?: number;
  /** Bits a value where the kind has a format of its own. */
  ownBits?: number;
}

export interface CacheQuery {
  /** Tokens read so far. */
  context: number;
  /** Sequences. */
  batch: number;
  /** 0.5, 1, 2 or 4. */
  bytesPerValue: number;
}

/** Exact, as decimal strings turned into bigint; at most 2⁶³ − 1, more is refused. */
export interface CacheBytes {
  /** The whole batch at the context. */
  total: bigint;
  /** What one more token adds to one sequence at the context. */
  growingPerToken: bigint;
  /** The same while all windows are still filling. */
  withinWindowPerToken: bigint;
  /** Of one sequence, whatever the length. */
  constant: bigint;
  /** Each kind's share, in the layout's order. */
  kinds: {bytesPerToken: bigint; constant: bigint; total: bigint}[];
}

/** Where a number of a layout comes from: `path` is the config key, as in "text_config.head_dim". */
export interface FieldSource {
  /** Index into the layout. */
  kind: number;
  field: Exclude<keyof LayerKind, 'kind' | 'ownBits'>;
  path: string;
}

/** A model's cache as its config describes it. Codes are the keys of lessons/data/cache-words.json. */
export interface ModelCache {
  layout: LayerKind[];
  /** For each layer from the input on, its index in the layout; empty where the file has counts only. */
  layerKinds: number[];
  /** "float32", "float16", "bfloat16" or "8-bit". */
  dtype: string;
  /** The key that states it; empty where it was assumed. */
  dtypePath: string;
  bytesPerValue: number;
  layers: number;
  /** Query heads, and tokens the model is made for; 0 where the file does not say. */
  heads: number;
  maxContext: number;
  sources: FieldSource[];
  /** What the file leaves open and was filled in. */
  assumed: {code: string; field: string; value: string; why: string}[];
  /** The same model as other engines may keep it. */
  variants: {code: string; what: string; layout: LayerKind[]; bytesPerValue: number}[];
  /** Keys that nobody knows and whose names do not speak of the cache. */
  ignored: string[];
}

export type RefusalCode =
  | 'not_an_object'
  | 'missing'
  | 'wrong_type'
  | 'out_of_range'
  | 'conflict'
  | 'unknown_key'
  | 'unknown_word'
  | 'not_modelled';

/** Why a config is not read: the field that the reader stumbled on and one English sentence. */
export interface Refusal {
  code: RefusalCode;
  field: string;
  reason: string;
}

export interface Cache {
  cacheBytes(layout: readonly LayerKind[], query: CacheQuery): CacheBytes;
  /**
   * The longest context whose cache fits into `budget` bytes (the query's context is not looked at):
   * null if any length fits, −1 if even the constant part does not.
   */
  longestContext(layout: readonly LayerKind[], query: CacheQuery, budget: number): bigint | null;
  /** What a published config, parsed by `parseConfig`, says about the cache. */
  readConfig(config: unknown): ModelCache | {refused: Refusal};
}

/** The result of a raw call; throws the error that it may stand for. */
function unwrap<Result>(result: unknown): Result {
  const {error} = result as {error?: {code: string; message: string}};
  if (error) throw new CoreError(error.code, error.message);
  return result as Result;
}

/** The same tree with every decimal string as the bigint it stands for. */
function exact<Result>(value: unknown): Result {
  if (typeof value === 'string') return BigInt(value) as Result;
  if (Array.isArray(value)) return value.map(exact) as Result;
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => [key, exact(item)]),
  ) as Result;
}

/** Starts the module from the bytes of attn_cache.wasm; the same call in a page, a worker and Node. */
export async function loadCache(source: {wasmBinary: ArrayBuffer | Uint8Array}): Promise<Cache> {
  const raw = await createModule({wasmBinary: source.wasmBinary});
  return {
    cacheBytes: (layout, query) => exact(unwrap(raw.cacheBytes(layout, query))),
    longestContext: (layout, query, budget) => {
      const {tokens} = unwrap<{tokens?: string}>(raw.longestContext(layout, query, budget));
      return tokens === undefined ? null : BigInt(tokens);
    },
    readConfig: (config) => unwrap(raw.readConfig(config)),
  };
}
