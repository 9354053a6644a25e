// The only file that uses the raw module attn_cache: the size of a KV cache, and the cache that a
// published config describes.

import createModule, {
  type CacheBytes,
  type CacheCalls,
  type LayerKind as WholeLayerKind,
  type ModelCache as ReadModel,
  type ParameterAccount,
  type Refusal,
  type ServingPlan,
  type ServingRequest,
  type ValueFormat,
} from '../build/wasm/attn_cache.mjs';
import {parseConfig} from './config-json.js';
import {callsOf, CoreError} from './module.js';

export type {
  CacheBytes,
  CacheKind,
  FieldSource,
  ParameterAccount,
  ParameterTensor,
  Refusal,
  ServingPlan,
  ServingRequest,
} from '../build/wasm/attn_cache.mjs';

/** One kind of layer of a KV-cache layout. Fields that a kind does not use are left out. */
export type LayerKind = Pick<WholeLayerKind, 'kind' | 'layers'> &
  Partial<Omit<WholeLayerKind, 'kind' | 'layers'>>;

export interface CacheQuery {
  /** Tokens read so far. */
  context: number;
  /** Sequences. */
  batch: number;
  /** 0.5, 1, 2 or 4. */
  bytesPerValue: number;
  /** Scales of blocks of values; without them values have no scales. */
  scales?: Scales;
  /** Tokens of the other input, for cross-attention; 0 by default. */
  source?: number;
}

/**
 * The bits of a scale (0: no scales), and the number of values that share it (0: all of a head).
 */
export interface Scales {
  bits: number;
  block: number;
}

/** The format of a value. */
export interface StoredFormat {
  bytesPerValue: number;
  scales: Scales;
}

/** How keys and values are stored. */
interface Stored extends StoredFormat {
  layout: LayerKind[];
}

/** A model's cache by its config. Codes are the keys of lessons/data/cache-words.json. */
export type ModelCache = Omit<ReadModel, 'layout' | 'format' | 'variants'> &
  Stored & {
    /** The same model as other engines may store it. */
    variants: ({code: string; what: string} & Stored)[];
  };

export interface Cache {
  /** A config.json as a value; throws ConfigTextError. */
  parseConfig(text: string): unknown;
  cacheBytes(layout: readonly LayerKind[], query: CacheQuery): CacheBytes;
  /**
   * The longest context whose cache fits into `budget` bytes, whatever the query's context:
   * null if any length fits, −1 if even the constant part does not.
   */
  longestContext(layout: readonly LayerKind[], query: CacheQuery, budget: number): bigint | null;
  /**
   * Sequences of the query's context that fit into `budget` bytes, whatever the query's batch; null
   * if a sequence takes no room.
   */
  sequencesThatFit(layout: readonly LayerKind[], query: CacheQuery, budget: number): bigint | null;
  /** The cache on several cards beside the weights, as an engine takes room for it. */
  planServing(
    layout: readonly LayerKind[],
    query: CacheQuery,
    request: ServingRequest,
  ): ServingPlan;
  /** The format of a name, as `npm run cache -- --dtype` takes it; throws for others. */
  formatOf(name: string): StoredFormat;
  weightBytes(parameters: bigint, format: StoredFormat): bigint;
  /** The parameters of a config that gave a layout; null where they are not counted. */
  countParameters(config: unknown, layout: readonly LayerKind[]): bigint | null;
  /** The account of a parsed config's parameters, tensor by tensor. */
  readParameters(config: unknown): ParameterAccount | {refused: Refusal};
  /**
   * The cache that a published config, parsed by `parseConfig`, describes. Keys whose paths are in
   * `ignored` count as absent.
   */
  readConfig(config: unknown, ignored?: readonly string[]): ModelCache | {refused: Refusal};
}

/** The most levels of nested lists and objects, the limit of `parseConfig` as well. */
const MOST_LEVELS = 64;

/**
 * A parsed config as one text of tokens and a list of its numbers, so that the module reads a large
 * file in one call. A token is a letter and its text, followed by U+0000.
 */
function flattened(config: unknown): {tokens: string; numbers: number[]} {
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
  return {tokens: `${tokens.join('\0')}\0`, numbers};
}

const EMPTY: WholeLayerKind = {
  kind: 'none',
  layers: 0,
  heads: 0,
  kWidth: 0,
  vWidth: 0,
  window: 0,
  stateBytes: 0,
  ownBits: 0,
};

const whole = (layout: readonly LayerKind[]): WholeLayerKind[] =>
  layout.map((layer) => ({...EMPTY, ...layer}));

/** The layer without its zeros. */
function sparse({kind, layers, ...sizes}: WholeLayerKind): LayerKind {
  return {kind, layers, ...Object.fromEntries(Object.entries(sizes).filter(([, size]) => size))};
}

const formatFrom = ({bits, scaleBits, scaleBlock}: ValueFormat): StoredFormat => ({
  bytesPerValue: bits / 8,
  scales: {bits: scaleBits, block: scaleBlock},
});

const rawFormat = ({bytesPerValue, scales}: Pick<CacheQuery, 'bytesPerValue' | 'scales'>) => ({
  bits: bytesPerValue * 8,
  scaleBits: scales?.bits ?? 0,
  scaleBlock: scales?.block ?? 0,
});

const stored = (layout: WholeLayerKind[], format: ValueFormat): Stored => ({
  layout: layout.map(sparse),
  ...formatFrom(format),
});

const rawQuery = ({context, batch, source = 0, ...format}: CacheQuery) => ({
  context,
  batch,
  source,
  format: rawFormat(format),
});

/** Starts the module from the bytes of attn_cache.wasm, in a page, a worker and Node alike. */
export async function loadCache({
  wasmBinary,
}: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<Cache> {
  const calls = callsOf<CacheCalls>(await createModule({wasmBinary}));
  return {
    parseConfig,
    cacheBytes: (layout, query) => calls.cacheBytes(whole(layout), rawQuery(query)),
    longestContext: (layout, query, budget) =>
      calls.longestContext(whole(layout), rawQuery(query), BigInt(budget)),
    sequencesThatFit: (layout, query, budget) =>
      calls.sequencesThatFit(whole(layout), rawQuery(query), '', 0n, BigInt(budget)),
    planServing: (layout, query, request) =>
      calls.planServing(whole(layout), rawQuery(query), request),
    formatOf: (name) => {
      const format = calls.valueFormat(name);
      if (!format) throw new CoreError('invalid_argument', `format: unknown name ${name}`);
      return formatFrom(format);
    },
    weightBytes: (parameters, format) => calls.weightBytes(parameters, rawFormat(format)),
    countParameters: (config, layout) => {
      const {tokens, numbers} = flattened(config);
      return calls.countParameters(tokens, numbers, whole(layout));
    },
    readParameters: (config) => {
      const {tokens, numbers} = flattened(config);
      return calls.readParameters(tokens, numbers);
    },
    readConfig: (config, ignored = []) => {
      const {tokens, numbers} = flattened(config);
      const result = calls.readConfig(tokens, numbers, ignored);
      if ('refused' in result) return result;
      const {layout, format, variants, ...rest} = result;
      return {
        ...rest,
        ...stored(layout, format),
        variants: variants.map(({code, what, layout: kept, format: as}) => ({
          code,
          what,
          ...stored(kept, as),
        })),
      };
    },
  };
}
