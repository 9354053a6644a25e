// What the modules share that talk through the buffers of wasm/buffer.h. A call takes its arguments
// from the input buffer and leaves its results in the output buffer; it returns 0, or −1 when it failed.
export interface RawBuffers {
  /** The module's memory; a new one once it has grown, so it is taken from here after each call. */
  readonly HEAPF64: Float64Array;
  /** Makes the input buffer `length` doubles long; its index in HEAPF64, or −1. */
  input(length: number): number;
  /** The output buffer's index in HEAPF64. */
  output(): number;
  /** Of the last failure: 'invalid_argument' or 'internal'. */
  errorCode(): string;
  errorMessage(): string;
}
