// Three engines behind one small interface, so that the checks of tests/browser serve them all.
import type {InPage} from '../browser/checks/in-page.js';

/** One window of a browser. */
export interface Engine {
  readonly name: string;
  /** Name and version, as the browser gives them. */
  readonly version: string;
  /** What checks work with: it evaluates functions in the page. */
  readonly page: InPage;
  /** Loads an address and waits for its load event. */
  readonly open: (url: string) => Promise<void>;
  /** In CSS pixels. */
  readonly resize: (width: number, height: number) => Promise<void>;
  /** A picture of what is in sight: PNG as base64. */
  readonly screenshot: () => Promise<string>;
  /**
   * Uncaught errors and messages of error level since the last call, where the browser tells them.
   */
  readonly complaints: () => string[];
  readonly close: () => Promise<void>;
}

/** Something that exists in the page only: the source text that makes it. */
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
 * Playwright's two calls, for browsers that it does not drive.
 *
 * @param run  evaluates an expression that gives a promise of JSON, and waits for it
 */
export function inPage(run: (expression: string) => Promise<unknown>): InPage {
  const call = (fn: unknown, arg: unknown) => `(${String(fn)})(${literal(arg)})`;
  return {
    evaluate: (fn: unknown, arg?: unknown) => run(`(async () => ${call(fn, arg)})()`),
    // Made anew wherever it is used: no browser has to keep it.
    evaluateHandle: (fn: unknown, arg?: unknown) => Promise.resolve(new Handle(call(fn, arg))),
  } as unknown as InPage;
}
