// What the modules share that talk through the buffers of wasm/buffer.h. A call takes its arguments
// from the input buffer and leaves its results in the output buffer; it returns 0, or −1 when it failed.
export interface RawBuffers {
  readonly memory: WebAssembly.Memory;
  /** Runs the constructors: once, before anything else. */
  _initialize(): void;
  /** Makes the input buffer `length` doubles long; its index among the doubles, or −1. */
  input(length: number): number;
  /** The output buffer's index among the doubles of the memory. */
  output(): number;
  /** Of the last failure: 1 when the caller's argument was refused, else 0. */
  refused(): number;
  /** Of the last failure: where its text begins in the memory, UTF-8 up to a zero. */
  errorMessage(): number;
}
