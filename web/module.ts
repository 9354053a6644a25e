// A raw module as the page uses it: its calls give results or throw CoreError.

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

/** Embind notes on a function how many arguments it takes. */
const isBound = (value: unknown): value is Bound =>
  typeof value === 'function' && 'argCount' in value;

/** The answer of a raw call. Embind refuses arguments of a wrong type and deleted handles. */
function answerOf(call: string, run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    const {name, message} = error as Error;
    const refused = name === 'BindingError' || name === 'TypeError';
    throw new CoreError(refused ? 'invalid_argument' : 'internal', `${call}: ${message}`);
  }
}

/** The result in an answer; throws the error that it may stand for. */
function resultOf<Result>(answer: Result | Failure): Result {
  if (typeof answer === 'object' && answer !== null && 'error' in answer) {
    const {code, message} = (answer as Failure).error;
    throw new CoreError(code, message);
  }
  return answer as Result;
}

/** The functions of a raw module, or the methods of a handle, as calls that throw. */
export function callsOf<Calls>(raw: Raw<Calls>): Calls {
  const calls: Record<string, unknown> = {};
  // A handle inherits its methods.
  for (const name in raw) {
    const bound: unknown = raw[name];
    if (!isBound(bound)) continue;
    calls[name] = (...args: unknown[]) => resultOf(answerOf(name, () => bound.apply(raw, args)));
  }
  return calls as Calls;
}
