// The raw module, for web/cache.ts alone. Where a result is `unknown`, it is what the method of the
// same name in `Cache` returns, or {error: {code, message}}.
export interface RawModule {
  /** Exact integers as decimal strings. */
  cacheBytes(layout: unknown, query: unknown): unknown;
  /** {tokens}, a decimal string; absent where any length fits. */
  longestContext(layout: unknown, query: unknown, budget: number): unknown;
  /** `tokens` and `numbers` as web/cache.ts writes them. */
  readConfig(tokens: string, numbers: Float64Array, ignored: readonly string[]): unknown;
}

/** Starts the module from the bytes of attn_cache.wasm. */
export default function createModule(options: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<RawModule>;
