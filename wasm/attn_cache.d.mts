// The module that computes the size of a KV cache and reads configs; only web/cache.ts uses it.
import type {CreateModule, Raw} from './raw.mjs';

/**
 * The content of a layer's cache: keys and values of every token, of a window, of a chunk; one
 * latent vector per token; one key per token for the choice of tokens (beside another kind); keys
 * and values of another input; a recurrent state; the last inputs of a convolution; another layer's
 * cache; nothing.
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

/** One kind of layer of a KV-cache layout. Fields that a kind does not use are 0. */
export interface LayerKind {
  kind: CacheKind;
  layers: number;
  /** full, window, chunk: KV heads; latent, index: 1. */
  heads: number;
  /** Values kept as key and as value, per head and token. latent, index: all in kWidth. */
  kWidth: number;
  vWidth: number;
  /** window, chunk: the largest number of tokens kept. */
  window: number;
  /** state, convolution: bytes per layer at any length. */
  stateBytes: number;
  /** Bits of a value, where the kind has a format of its own. */
  ownBits: number;
}

/** A stored value, and the scales of blocks of values. */
export interface ValueFormat {
  /** 4, 5, 8, 16 or 32. */
  bits: number;
  /** Bits of a scale; 0 for no scales. */
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
  /** Bytes that one more token adds to one sequence at the context. */
  growingPerToken: bigint;
  /** The same, for a context at which all windows are still filling. */
  withinWindowPerToken: bigint;
  /** Bytes of one sequence that do not depend on its length. */
  constant: bigint;
  /**
   * Bytes that a token of the other input adds to `constant`, where the config does not state that
   * input's length.
   */
  perSourceToken: bigint;
  /** Each kind's share, in the layout's order. */
  kinds: KindBytes[];
}

/** The source of a number of a layout: `path` is a config key, as in "text_config.head_dim". */
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
  /** The key that states the format; empty where the format was assumed. */
  dtypePath: string;
  format: ValueFormat;
  layers: number;
  /** Bytes of each token through all layers, if every layer had a cache of its own. */
  passes: number;
  /**
   * Query heads, and the context that the model is made for; 0 where the file does not state it.
   */
  heads: number;
  maxContext: number;
  sources: FieldSource[];
  /** Values that the file leaves open and the reader assumed. */
  assumed: {code: string; field: string; value: string; why: string; detail: string}[];
  /** The same model as other engines may store it. */
  variants: {code: string; what: string; layout: LayerKind[]; format: ValueFormat}[];
  /** Unknown keys that could change the cache; the layout ignores them. */
  doubts: {code: string; field: string; value: string}[];
  /** Unknown keys whose names do not concern the cache. */
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

/**
 * The reason why a config is refused. `reason` names a sentence of cache-words.json; the other
 * fields fill it in.
 */
export interface Refusal {
  code: RefusalCode;
  reason: string;
  /** The key that caused the refusal and its value; empty for the whole file. */
  field: string;
  value: string;
  /** A second key, and its value or the expected one. */
  other: string;
  detail: string;
}

/** How memory is laid out: exactly, or as an engine does it. */
export type Engine = '' | 'vllm' | 'llama.cpp' | 'sglang';

/** The cards, what else they hold, and the engine. */
export interface ServingRequest {
  cards: number;
  /** Bytes of one card; 0: not given. */
  memory: number;
  /** Bytes of the weights on all cards together. */
  weights: bigint;
  /** Tokens that begin every sequence alike, at most the context. */
  prefix: number;
  engine: Engine;
  /** Name of the cache's format in llama.cpp's log; empty: f16. */
  format: string;
}

/** Bytes of all cards together, and what fits. */
export interface Budget {
  memory: bigint;
  weights: bigint;
  /** Left for activations and the engine. */
  reserve: bigint;
  /** For the cache; may be negative. */
  available: bigint;
  /** Sequences of the query's context; −1: any number. */
  sequences: bigint;
  /** Tokens of each of the query's sequences; null: any length. */
  longest: bigint | null;
}

export interface ServingPlan {
  /** The exact size of one card's share. */
  card: CacheBytes;
  /** Bytes that a common beginning saves of the whole size. */
  saved: bigint;
  /** The memory that the engine takes on one card, in blocks of tokens; null without an engine. */
  reserved: {total: bigint; block: number} | null;
  /** null where the memory was not given. */
  budget: Budget | null;
  /** The lines that the engine's log would show. */
  log: string[];
}

/** Tensors of one name and one shape. */
export interface ParameterTensor {
  name: string;
  group: 'table' | 'attention' | 'feed_forward' | 'norm' | 'head';
  /** Blocks that have it; 0: it belongs to no block. */
  layers: number;
  /** Such tensors in a block, for experts. */
  each: number;
  rows: number;
  columns: number;
  /** max(layers, 1) · each · rows · columns, at most 2⁵³ − 1 */
  count: number;
}

export interface ParameterAccount {
  tensors: ParameterTensor[];
  total: number;
  layers: number;
  /** The output layer is the table of tokens. */
  tied: boolean;
  /** The class of the model is one whose tensors were checked. */
  known: boolean;
}

/** The calls of the module. */
export interface CacheCalls {
  cacheBytes(layout: readonly LayerKind[], query: CacheQuery): CacheBytes;
  /**
   * null if every length fits into the budget in bytes, −1 if even the constant part does not fit.
   */
  longestContext(layout: readonly LayerKind[], query: CacheQuery, budget: bigint): bigint | null;
  /**
   * Sequences of the query's context that fit into `available` bytes; the first `shared` tokens of
   * all are kept once. null if a further sequence takes no room.
   */
  sequencesThatFit(
    layout: readonly LayerKind[],
    query: CacheQuery,
    engine: Engine,
    shared: bigint,
    available: bigint,
  ): bigint | null;
  planServing(
    layout: readonly LayerKind[],
    query: CacheQuery,
    request: ServingRequest,
  ): ServingPlan;
  /** null for an unknown name. */
  valueFormat(name: string): ValueFormat | null;
  weightBytes(parameters: bigint, format: ValueFormat): bigint;
  /** The parameters of the config that gave a layout; null where they are not counted. */
  countParameters(
    tokens: string,
    numbers: readonly number[],
    layout: readonly LayerKind[],
  ): bigint | null;
  /** The account of a config's parameters; the form is that of `readConfig`. */
  readParameters(tokens: string, numbers: readonly number[]): ParameterAccount | {refused: Refusal};
  /** `tokens` and `numbers` have the form that web/cache.ts writes. */
  readConfig(
    tokens: string,
    numbers: readonly number[],
    ignored: readonly string[],
  ): ModelCache | {refused: Refusal};
}

declare const createModule: CreateModule<Raw<CacheCalls>>;
export default createModule;
