// The raw module, for web/core.ts alone.
import type {RawBuffers} from './buffer.mjs';

export interface RawModule extends RawBuffers {
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
