// Three browser engines behind one small interface, so that the checks of tests/browser run in all
// of them.
import type {InPage} from '../browser/checks/in-page.js';

/** One window of a browser. */
export interface Engine {
  readonly name: string;
  /** The name and version, as the browser reports them. */
  readonly version: string;
  /** The page as the checks use it: it evaluates functions inside. */
  readonly page: InPage;
  /** Loads an address and waits for its load event. */
  readonly open: (url: string) => Promise<void>;
  /** In CSS pixels. */
  readonly resize: (width: number, height: number) => Promise<void>;
  /** A screenshot of the window: PNG as base64. */
  readonly screenshot: () => Promise<string>;
  /**
   * Uncaught errors and messages of error level since the last call, in browsers that report them.
   */
  readonly complaints: () => string[];
  readonly close: () => Promise<void>;
}

/** An object that exists only in the page: the source text that creates it. */
class Handle {
  constructor(readonly source: string) {}
}

function literal(value: unknown): string {
  if (value instanceof Handle) return value.source;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([name, field]) => `${JSON.stringify(name)}: ${literal(field)}`,
    );
    return `({${fields.join(', ')}})`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

/**
 * Playwright's two functions, for browsers that it does not drive.
 *
 * @param run  evaluates an expression that gives a promise of JSON, and waits for it
 */
export function inPage(run: (expression: string) => Promise<unknown>): InPage {
  const call = (fn: unknown, arg: unknown) => `(${String(fn)})(${literal(arg)})`;
  return {
    evaluate: (fn: unknown, arg?: unknown) => run(`(async () => ${call(fn, arg)})()`),
    // The object is created again at each use, so the browser need not keep it.
    evaluateHandle: (fn: unknown, arg?: unknown) => Promise.resolve(new Handle(call(fn, arg))),
  } as unknown as InPage;
}
