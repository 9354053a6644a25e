// The size of a model's cache as plain JSON: the shape that `npm run cache -- --json` prints.

import type {Cache, CacheKind, LayerKind, ModelCache, Refusal, Scales} from '../cache.js';
import type {Format} from './value-formats.js';

/** A number up to 2⁵³, which JSON holds exactly; a decimal string from there on. */
export type Exact = number | string;

export interface CacheJson {
  /** Bytes of the whole batch at the context. */
  total: Exact;
  /**
   * The bytes that one more token adds to one sequence at that context, and while no window is
   * full.
   */
  growing_per_token: Exact;
  within_window_per_token: Exact;
  /** Bytes of one sequence that don't depend on its length. */
  constant: Exact;
  dtype: string;
  kinds: {
    kind: CacheKind;
    layers: number;
    heads: number;
    k_width: number;
    v_width: number;
    window: number | null;
    bytes_per_token: Exact;
    constant: Exact;
  }[];
  assumed: {field: string; value: number | string; why: string; code: string}[];
  variants: {
    what: string;
    total: Exact;
    growing_per_token: Exact;
    within_window_per_token: Exact;
    constant: Exact;
    code: string;
  }[];
  doubts: {field: string; value: string; code: string}[];
  ignored: string[];
}

export interface Ask {
  context: number;
  batch: number;
  /** null: the format of the file. */
  dtype: Format | null;
}

export const exact = (value: bigint): Exact =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();

const COUNT = /^\d+$/;

/** Throws CoreError where a result passes 2⁶³ − 1 bytes. */
export function cacheJson(
  cache: Cache,
  model: ModelCache,
  {context, batch, dtype}: Ask,
): CacheJson {
  const at = (layout: readonly LayerKind[], own: number, scales: Scales) => {
    const {total, growingPerToken, withinWindowPerToken, constant, kinds} = cache.cacheBytes(
      layout,
      dtype
        ? {context, batch, ...cache.formatOf(dtype)}
        : {context, batch, bytesPerValue: own, scales},
    );
    return {
      kinds,
      sizes: {
        total: exact(total),
        growing_per_token: exact(growingPerToken),
        within_window_per_token: exact(withinWindowPerToken),
        constant: exact(constant),
      },
    };
  };
  const {sizes, kinds} = at(model.layout, model.bytesPerValue, model.scales);
  return {
    ...sizes,
    dtype: dtype ?? model.dtype,
    kinds: model.layout.map(({kind, layers, heads = 0, kWidth = 0, vWidth = 0, window}, i) => ({
      kind,
      layers,
      heads,
      k_width: kWidth,
      v_width: vWidth,
      window: window || null,
      bytes_per_token: exact(kinds[i]?.bytesPerToken ?? 0n),
      constant: exact(kinds[i]?.constant ?? 0n),
    })),
    assumed: model.assumed.map(({code, field, value, why}) => ({
      field,
      value: COUNT.test(value) ? exact(BigInt(value)) : value,
      why,
      code,
    })),
    // Once another format is chosen, the file's own format is no longer a comparison.
    variants: model.variants
      .filter(({code}) => !(dtype && code === 'cache_in_model_dtype'))
      .map(({code, what, layout, bytesPerValue, scales}) => ({
        what,
        ...at(layout, bytesPerValue, scales).sizes,
        code,
      })),
    doubts: model.doubts.map(({code, field, value}) => ({field, value, code})),
    ignored: model.ignored,
  };
}

/** The sentences of a refusal, with placeholders for its values. */
export interface RefusalWords {
  why: string;
  expected: string;
}

const filled = (template: string, refusal: Refusal) =>
  template.replaceAll(
    /\{(field|value|other|detail)\}/g,
    (_, place: 'field' | 'value' | 'other' | 'detail') => refusal[place],
  );

/**
 * The reason for which a config is not read, with the expected form, in Chinese; `words` are the
 * sentences by reason.
 */
export function refusalSentence(
  words: Readonly<Record<string, RefusalWords>>,
  refusal: Refusal,
): string {
  const {why, expected} = words[refusal.reason] ?? {why: refusal.reason, expected: ''};
  return `${filled(why, refusal)}${expected ? `应为：${filled(expected, refusal)}。` : ''}`;
}

/** A parsed config, or the one inside a file of lessons/models. */
export function configIn(parsed: unknown): unknown {
  const file = parsed as {model?: unknown; origin?: unknown; config?: unknown} | null;
  return file?.model !== undefined && file.origin !== undefined && file.config !== undefined
    ? file.config
    : parsed;
}
