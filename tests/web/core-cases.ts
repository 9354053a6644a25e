// The core's native results, replayed through the module: the same code runs in Node and in a
// browser.
import type {Matrix} from '../../web/core.js';

/** A call with its native result, as build/native/attn_cases prints it: −∞ as a text. */
export interface CoreCase {
  /** A function of attn_core or attn_scaling. */
  call: string;
  /** Matrices as {data, rows, cols} with a plain list as data. */
  args: unknown[];
  result: unknown;
}

const isMatrix = (value: unknown): value is Matrix =>
  typeof value === 'object' && value !== null && 'data' in value;

function revive(arg: unknown): unknown {
  return isMatrix(arg) ? {...arg, data: Float64Array.from(arg.data, Number)} : arg;
}

/**
 * The first place where `got` differs from `expected` in a bit (except for the sign of 0):
 * "weights[2]: …".
 */
function difference(expected: unknown, got: unknown, path: string): string | undefined {
  if (typeof expected !== 'object' || expected === null) {
    const number = expected === '-Infinity' ? -Infinity : expected;
    return number === got ? undefined : `${path}: expected ${expected}, got ${got}`;
  }
  if (typeof got !== 'object' || got === null) return `${path}: expected an object, got ${got}`;
  const actual = got as Record<string, unknown>;
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  for (const key of keys) {
    const found = difference((expected as typeof actual)[key], actual[key], `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}

/** One line for each case whose result differs from the native one; an empty list if all agree. */
export function replay(calls: object, cases: readonly CoreCase[]): string[] {
  return cases.flatMap(({call, args, result}, index) => {
    const method = (calls as Record<string, (...args: unknown[]) => unknown>)[call]!;
    return difference(result, method(...args.map(revive)), `case ${index}, ${call}`) ?? [];
  });
}

/** The module for tests, build/wasm/attn_digest.mjs. */
export interface DigestModule {
  /** "<hash> <number of results>", as build/native/attn_digest prints it. */
  digest(): string;
}

/** The digest that this engine computes. */
export async function moduleDigest(
  createModule: (options: {wasmBinary: ArrayBuffer | Uint8Array}) => Promise<DigestModule>,
  wasmBinary: ArrayBuffer | Uint8Array,
): Promise<string> {
  return (await createModule({wasmBinary})).digest();
}
