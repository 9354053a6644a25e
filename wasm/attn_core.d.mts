// The raw module, for web/core.ts alone. A call takes its arguments from the input buffer and leaves
// its results in the output buffer, both in the format that wasm/buffer.h describes; it returns 0, or
// −1 when it failed.
export interface RawModule {
  /** The module's memory; a new one once it has grown, so it is taken from here after each call. */
  readonly HEAPF64: Float64Array;
  /** Makes the input buffer `length` doubles long; its index in HEAPF64, or −1. */
  input(length: number): number;
  /** The output buffer's index in HEAPF64. */
  output(): number;
  /** Of the last failure: 'invalid_argument' or 'internal'. */
  errorCode(): string;
  errorMessage(): string;

  weigh(): number;
  jacobian(): number;
  attention(): number;
  multiHead(): number;
  pastMask(): number;
  maskedWeights(): number;
  product(): number;
  cosine(): number;
  variance(): number;
  divisors(): number;
  initSweep(): number;

  exp(x: number): number;
  log(x: number): number;
}

/** Starts the module from the bytes of attn_core.wasm. */
export default function createModule(options: {
  wasmBinary: ArrayBuffer | Uint8Array;
}): Promise<RawModule>;
