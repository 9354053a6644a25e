// The page's reader of config.json. Published files hold bare NaN and Infinity, which JSON.parse refuses.

const bare: Record<string, number> = {NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity};

// A string, which is passed over, or a bare number.
const stringOrBare = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gs;

/** Marks a bare number as a string that no published file holds: it begins with U+0000. */
const mark = (token: string) => (token.startsWith('"') ? token : `"\\u0000${token}"`);

const unmark = (_key: string, value: unknown) =>
  typeof value === 'string' && value.startsWith('\0') ? (bare[value.slice(1)] ?? value) : value;

/**
 * JSON text to plain values, for `Cache.readConfig`.
 *
 * @throws {SyntaxError} if it is no JSON
 */
export function parseConfig(text: string): unknown {
  return JSON.parse(text.replaceAll(stringOrBare, mark), unmark);
}

/** The same text with another number of the same length for each bare one, for readers of strict JSON that tell places. */
export function withoutBare(text: string): string {
  return text.replaceAll(stringOrBare, (token) =>
    token.startsWith('"') ? token : '1'.repeat(token.length),
  );
}
