// The page's reader of config.json: JSON.parse for the values, and a scan for facts that JSON.parse
// does not give (the place of an error, a duplicate key, the depth). Published files hold bare NaN
// and Infinity, which JSON.parse refuses.

/** The reason for which a text is not read, of the shape of a refused config's. */
export interface TextRefusal {
  code: 'not_json' | 'too_large' | 'contradiction';
  reason: string;
  field: string;
  value: string;
  other: string;
  detail: string;
}

/** Limit in characters and in bytes: real configs are far smaller. */
export const LARGEST_FILE = 8 << 20;
/** Limit of the nesting of lists and objects. */
const MOST_LEVELS = 64;

/** An error for a text that is not read, with the reason. */
export class ConfigTextError extends SyntaxError {
  override readonly name = 'ConfigTextError';

  constructor(readonly refusal: TextRefusal) {
    super(`${refusal.code} ${refusal.reason} ${refusal.value}:${refusal.other} ${refusal.detail}`);
  }
}

const refuse = (
  code: TextRefusal['code'],
  reason: string,
  rest: Partial<Omit<TextRefusal, 'code' | 'reason'>>,
): ConfigTextError =>
  new ConfigTextError({code, reason, field: '', value: '', other: '', detail: '', ...rest});

/** Line and column from 1, in characters, and the character there. */
function syntaxError(text: string, at: number): ConfigTextError {
  const before = text.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const value = String(before.split('\n').length);
  const other = String(1 + [...before.slice(start)].length);
  const found = text.codePointAt(at);
  return found === undefined
    ? refuse('not_json', 'cut_off', {value, other})
    : refuse('not_json', 'syntax', {value, other, detail: String.fromCodePoint(found)});
}

const SPACE = /[ \t\n\r]*/y;
// The longest prefix of a string; the string is complete if a quotation mark follows.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;
const SCALAR = /true|false|null|NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

interface Level {
  /** The keys of an object read so far; null for a list. */
  keys: Set<string> | null;
  key: string;
}

class Scanner {
  #at = 0;
  readonly #open: Level[] = [];

  constructor(readonly text: string) {}

  /**
   * Throws ConfigTextError unless the text is one JSON value. Not recursive: depth costs no stack.
   */
  scan(): void {
    let more = true;
    while (more) {
      this.#space();
      more = this.#value() || this.#close();
    }
    this.#space();
    if (this.#at < this.text.length) throw syntaxError(this.text, this.#at);
  }

  /** Reads a scalar, or opens a list or object; true if a value has to follow. */
  #value(): boolean {
    const char = this.text[this.#at];
    if (char === '{' || char === '[') {
      this.#push(char === '{');
      this.#space();
      if (this.text[this.#at] === (char === '{' ? '}' : ']')) return false;
      if (char === '{') this.#key();
      return true;
    }
    if (char === '"') this.#string();
    else if (!this.#take(SCALAR)) throw syntaxError(this.text, this.#at);
    return false;
  }

  /** After a value: closes finished lists and objects; true if another value has to follow. */
  #close(): boolean {
    for (;;) {
      this.#space();
      const level = this.#open.at(-1);
      if (!level) return false;
      const char = this.text[this.#at];
      if (char === ',') {
        this.#at++;
        this.#space();
        if (level.keys) this.#key();
        return true;
      }
      if (char !== (level.keys ? '}' : ']')) throw syntaxError(this.text, this.#at);
      this.#at++;
      this.#open.pop();
    }
  }

  #push(object: boolean): void {
    if (this.#open.length === MOST_LEVELS)
      throw refuse('too_large', 'nested_too_deep', {detail: String(MOST_LEVELS)});
    this.#open.push({keys: object ? new Set() : null, key: ''});
    this.#at++;
  }

  #key(): void {
    const level = this.#open.at(-1);
    if (this.text[this.#at] !== '"' || !level?.keys) throw syntaxError(this.text, this.#at);
    const key = JSON.parse(this.#string()) as string;
    if (level.keys.has(key)) {
      const path = [...this.#open.slice(0, -1).map((outer) => outer.key), key].filter(Boolean);
      throw refuse('contradiction', 'repeated_key', {field: path.join('.')});
    }
    level.keys.add(key);
    level.key = key;
    this.#space();
    if (this.text[this.#at] !== ':') throw syntaxError(this.text, this.#at);
    this.#at++;
  }

  #string(): string {
    const start = this.#at;
    this.#take(STRING);
    if (this.text[this.#at] !== '"') throw syntaxError(this.text, this.#at);
    this.#at++;
    return this.text.slice(start, this.#at);
  }

  #space(): void {
    this.#take(SPACE);
  }

  #take(token: RegExp): boolean {
    token.lastIndex = this.#at;
    if (!token.test(this.text)) return false;
    this.#at = token.lastIndex;
    return true;
  }
}

const bare: Record<string, number> = {NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity};

// A string, which is passed over, or a bare number.
const stringOrBare = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/gs;

/** Marks a bare number as a string that no published file holds: it begins with U+0000. */
const mark = (token: string) => (token.startsWith('"') ? token : `"\\u0000${token}"`);

const unmark = (_key: string, value: unknown) =>
  typeof value === 'string' && value.startsWith('\0') ? (bare[value.slice(1)] ?? value) : value;

/**
 * JSON text to plain values, for `Cache.readConfig`.
 *
 * @throws {ConfigTextError} if it is no JSON, has a key twice, nests too deep or is too long
 */
export function parseConfig(text: string): unknown {
  if (text.length > LARGEST_FILE) throw tooLarge(text.length);
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  new Scanner(plain).scan();
  const marked = plain.replaceAll(stringOrBare, mark);
  // The reviver is slow, and few files need it.
  return marked === plain ? JSON.parse(plain) : JSON.parse(marked, unmark);
}

/** The error for a file of that many bytes. */
export const tooLarge = (bytes: number): ConfigTextError =>
  refuse('too_large', 'file_too_large', {value: String(bytes), detail: String(LARGEST_FILE)});

/** The text of a file: a byte-order mark is dropped, UTF-16 of either order is converted. */
export function decodedText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  // JSON begins with an ASCII character, so a zero byte beside it identifies UTF-16.
  const big = (first === 0xfe && second === 0xff) || (first === 0 && second !== undefined);
  const little = (first === 0xff && second === 0xfe) || (first !== undefined && second === 0);
  return new TextDecoder(big ? 'utf-16be' : little ? 'utf-16le' : 'utf-8').decode(bytes);
}

/**
 * The same text with each bare number replaced by another of the same length, for readers of strict
 * JSON that report places.
 */
export function withoutBare(text: string): string {
  return text.replaceAll(stringOrBare, (token) =>
    token.startsWith('"') ? token : '1'.repeat(token.length),
  );
}
