// Types that the declarations of all modules share.

/** Row-major: `data[r * cols + c]`. */
export interface Matrix {
  data: Float64Array;
  rows: number;
  cols: number;
}

/** The right rule of attention, and faulty ones for comparison. */
export type AttentionKind =
  | 'scaled'
  | 'unscaled'
  // The next four are mistakes that raise no error.
  | 'hidden-as-zero'
  | 'scaled-after-softmax'
  | 'no-max-subtraction'
  | 'divided-by-width';

/** The value of a failed call, in place of a result. */
export interface Failure {
  error: {
    /** The code says whether an argument was refused or the module failed. */
    code: 'invalid_argument' | 'internal';
    message: string;
  };
}

/** Calls of the raw module: a failed call returns a failure instead of throwing. */
export type Raw<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Result | Failure
    : Calls[Name];
};

/** Starts a module from the bytes of its .wasm; the same call in a page, a worker and Node. */
export type CreateModule<Module> = (options: {
  wasmBinary: ArrayBuffer | Uint8Array;
}) => Promise<Module>;
