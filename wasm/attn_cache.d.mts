// The module that weighs a KV cache and reads configs; web/cache.ts alone sees it.
import type {CreateModule, Raw} from './raw.mjs';

/**
 * What a layer keeps: keys and values of every token, of a window, of a chunk; one latent vector a
 * token; one key a token for choosing (on top of another kind); keys and values of another input; a
 * recurrent state; the last inputs of a convolution; another layer's cache; nothing.
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

/** One kind of layer of a KV-cache layout. What a kind has no use for is 0. */
export interface LayerKind {
  kind: CacheKind;
  layers: number;
  /** full, window, chunk: KV heads; latent, index: 1. */
  heads: number;
  /** Values kept as key and as value, per head and token. latent, index: all in kWidth. */
  kWidth: number;
  vWidth: number;
  /** window, chunk: tokens kept at most. */
  window: number;
  /** state, convolution: bytes a layer, whatever the length. */
  stateBytes: number;
  /** Bits a value where the kind has a format of its own. */
  ownBits: number;
}

/** A stored value and the scales between the values. */
export interface ValueFormat {
  /** 4, 5, 8, 16 or 32. */
  bits: number;
  /** Of a scale; 0 for none. */
  scaleBits: number;
  /** Values that share a scale; 0 for all of a head. */
  scaleBlock: number;
}

export interface CacheQuery {
  /** Tokens read so far. */
  context: number;
  /** Sequences. */
  batch: number;
  /** Tokens of the other input, for cross-attention. */
  source: number;
  format: ValueFormat;
}

/** One kind's share, in bytes. */
export interface KindBytes {
  bytesPerToken: bigint;
  constant: bigint;
  total: bigint;
  perSourceToken: bigint;
}

/** Exact bytes, at most 2⁶³ − 1; more is refused. */
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
  kinds: KindBytes[];
}

/** Where a number of a layout comes from: `path` is the config key, as in "text_config.head_dim". */
export interface FieldSource {
  /** Index into the layout. */
  kind: number;
  field: Exclude<keyof LayerKind, 'kind' | 'ownBits'>;
  path: string;
}

/** A model's cache as its config describes it. */
export interface ModelCache {
  layout: LayerKind[];
  /** For each layer from the input on, its index in the layout; empty where the file has counts only. */
  layerKinds: number[];
  /** "float32", "float16", "bfloat16", "8-bit" or "nvfp4". */
  dtype: string;
  /** The key that states it; empty where it was assumed. */
  dtypePath: string;
  format: ValueFormat;
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
  variants: {code: string; what: string; layout: LayerKind[]; format: ValueFormat}[];
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

/** The calls of the module. */
export interface CacheCalls {
  cacheBytes(layout: readonly LayerKind[], query: CacheQuery): CacheBytes;
  /** null if any length fits into the bytes of the budget, −1 if even the constant part does not. */
  longestContext(layout: readonly LayerKind[], query: CacheQuery, budget: bigint): bigint | null;
  /** `tokens` and `numbers` as web/cache.ts writes them. */
  readConfig(
    tokens: string,
    numbers: readonly number[],
    ignored: readonly string[],
  ): ModelCache | {refused: Refusal};
}

declare const createModule: CreateModule<Raw<CacheCalls>>;
export default createModule;
