// Wraps the calls of a raw module: each returns its result or throws CoreError.

import type {Failure, Raw} from '../build/wasm/raw.mjs';

/** Thrown when the core refuses an argument ('invalid_argument') or fails ('internal'). */
export class CoreError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'CoreError';
    this.code = code;
  }
}

type Bound = (...args: unknown[]) => unknown;

/** Embind stores the number of arguments on each function. */
const isBound = (value: unknown): value is Bound =>
  typeof value === 'function' && 'argCount' in value;

/** Calls the raw module. Embind itself rejects arguments of a wrong type and deleted handles. */
function answerOf(call: string, run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    const {name, message} = error as Error;
    const refused = name === 'BindingError' || name === 'TypeError';
    throw new CoreError(refused ? 'invalid_argument' : 'internal', `${call}: ${message}`);
  }
}

/** The result of a raw call; throws if the call gave an error. */
function resultOf<Result>(answer: Result | Failure): Result {
  if (typeof answer === 'object' && answer !== null && 'error' in answer) {
    const {code, message} = (answer as Failure).error;
    throw new CoreError(code, message);
  }
  return answer as Result;
}

/** The functions of a raw module, or the methods of a handle, wrapped so that they throw errors. */
export function callsOf<Calls>(raw: Raw<Calls>): Calls {
  const calls: Record<string, unknown> = {};
  // `in` also finds the methods that a handle inherits.
  for (const name in raw) {
    const bound: unknown = raw[name];
    if (!isBound(bound)) continue;
    calls[name] = (...args: unknown[]) => resultOf(answerOf(name, () => bound.apply(raw, args)));
  }
  return calls as Calls;
}
