// The raw module, for web/core.ts alone. Where a result is `unknown`, it is what the method of the
// same name in `Core` returns, or {error: {code, message}}.
export interface RawModule {
  exp(x: number): number;
  log(x: number): number;
  weigh(scores: unknown, options: unknown): unknown;
  jacobian(probabilities: unknown): unknown;
  attention(q: unknown, k: unknown, v: unknown, options: unknown): unknown;
  multiHead(q: unknown, k: unknown, v: unknown, options: unknown): unknown;
  product(x: unknown, w: unknown): unknown;
  cosine(a: unknown, b: unknown): unknown;
  variance(options: unknown): unknown;
  divisors(scores: unknown, d: unknown): unknown;
  initSweep(options: unknown): unknown;
}

/** Starts the module from the bytes of attn_core.wasm. */
export default function createModule(options: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<RawModule>;
