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
  | 'full'
  | 'window'
  | 'chunk'
  | 'latent'
  | 'index'
  | 'cross'
  | 'state'
  | 'convolution'
  | 'shared'
  | 'none';

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
  /** Scales between the values; none where left out. */
  scales?: Scales;
  /** Tokens of the other input, for cross-attention; 0 where left out. */
  source?: number;
}

/** Bits of a scale, 0 for none, and how many values share it, 0 for all of a head. */
export interface Scales {
  bits: number;
  block: number;
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
  /** What a token of the other input adds to `constant`, where the config leaves its length open. */
  perSourceToken: bigint;
  /** Each kind's share, in the layout's order. */
  kinds: {bytesPerToken: bigint; constant: bigint; total: bigint; perSourceToken: bigint}[];
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
  /** "float32", "float16", "bfloat16", "8-bit" or "nvfp4". */
  dtype: string;
  /** The key that states it; empty where it was assumed. */
  dtypePath: string;
  bytesPerValue: number;
  scales: Scales;
  layers: number;
  /** Of each token through all layers, each with a cache of its own. */
  passes: number;
  /** Query heads, and tokens the model is made for; 0 where the file does not say. */
  heads: number;
  maxContext: number;
  sources: FieldSource[];
  /** What the file leaves open and was filled in. */
  assumed: {code: string; field: string; value: string; why: string; detail: string}[];
  /** The same model as other engines may keep it. */
  variants: {
    code: string;
    what: string;
    layout: LayerKind[];
    bytesPerValue: number;
    scales: Scales;
  }[];
  /** Unknown keys that could change the cache; the layout is the one without them. */
  doubts: {code: string; field: string; value: string}[];
  /** Unknown keys whose names do not speak of the cache. */
  ignored: string[];
}

export type RefusalCode =
  | 'no_cache'
  | 'unknown_kind'
  | 'missing'
  | 'contradiction'
  | 'type'
  | 'range'
  | 'not_json'
  | 'too_large';

/** Why a config is not read. `reason` names a sentence of cache-words.json; the rest fills it in. */
export interface Refusal {
  code: RefusalCode;
  reason: string;
  /** The key that caused it and its value; empty for the whole file. */
  field: string;
  value: string;
  /** A second key, and its value or what was expected. */
  other: string;
  detail: string;
}

export interface Cache {
  cacheBytes(layout: readonly LayerKind[], query: CacheQuery): CacheBytes;
  /**
   * The longest context whose cache fits into `budget` bytes (the query's context is not looked at):
   * null if any length fits, −1 if even the constant part does not.
   */
  longestContext(layout: readonly LayerKind[], query: CacheQuery, budget: number): bigint | null;
  /**
   * What a published config, parsed by `parseConfig`, says about the cache. Keys whose paths are in
   * `ignored` count as absent.
   */
  readConfig(config: unknown, ignored?: readonly string[]): ModelCache | {refused: Refusal};
}

/** Of lists and objects inside each other, as `parseConfig` allows. */
const MOST_LEVELS = 64;

/**
 * A parsed config as one text of tokens and a list of its numbers: the module reads a large file in
 * one call. A token is a letter and its text, with U+0000 behind it.
 */
function flattened(config: unknown): {tokens: string; numbers: Float64Array} {
  const tokens: string[] = [];
  const numbers: number[] = [];
  const plain = (text: string) => text.replaceAll('\0', '\uFFFD');
  const write = (value: unknown, level: number): void => {
    if (level > MOST_LEVELS)
      throw new CoreError('invalid_argument', `config: expected at most ${MOST_LEVELS} levels`);
    if (typeof value === 'boolean') tokens.push(value ? 't' : 'f');
    else if (typeof value === 'string') tokens.push(`s${plain(value)}`);
    else if (typeof value === 'number') {
      tokens.push('d');
      numbers.push(value);
    } else if (Array.isArray(value)) {
      tokens.push('[');
      for (const item of value) write(item, level + 1);
      tokens.push(']');
    } else if (typeof value === 'object' && value !== null) {
      tokens.push('{');
      for (const [key, item] of Object.entries(value)) {
        tokens.push(`k${plain(key)}`);
        write(item, level + 1);
      }
      tokens.push('}');
    } else tokens.push('n');
  };
  write(config, 1);
  return {tokens: `${tokens.join('\0')}\0`, numbers: Float64Array.from(numbers)};
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
    readConfig: (config, ignored = []) => {
      const {tokens, numbers} = flattened(config);
      return unwrap(raw.readConfig(tokens, numbers, ignored));
    },
  };
}
