// Authors' JSON files: each is read once, and every mistake is reported with its line.

import {readFileSync} from 'node:fs';
import {
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import {refusalSentence} from '../shared/cache-json.js';
import {ConfigTextError, parseConfig, withoutBare} from '../config-json.js';
import {refusalWords} from '../shared/course-data.js';
import {BuildError, lineAt} from './build-error.js';

export interface DataFile {
  /** From the project's root. */
  path: string;
  text: string;
  root: Node;
  value: unknown;
}

const PROBLEMS: Record<string, string> = {
  CommaExpected: '缺一个逗号',
  ColonExpected: '缺一个冒号',
  ValueExpected: '这里缺一个值，或多了一个逗号',
  PropertyNameExpected: '这里要一个带双引号的键，或多了一个逗号',
  CloseBraceExpected: '缺一个右花括号',
  CloseBracketExpected: '缺一个右方括号',
  EndOfFileExpected: '文件末尾多了东西',
  InvalidCommentToken: 'JSON里不能写注释',
  InvalidSymbol: '这里不是一个值；文字要用双引号括起来',
  InvalidNumberFormat: '这个数写得不对',
  InvalidCharacter: '引号里有不能直接写的字符',
  InvalidUnicode: '\\u后面应是四位十六进制数',
  InvalidEscapeCharacter: '反斜线后面的字符不对',
  UnexpectedEndOfString: '文字的后一个双引号没有写',
  UnexpectedEndOfNumber: '这个数没有写完',
  UnexpectedEndOfComment: 'JSON里不能写注释',
};

/**
 * Throws BuildError with the line of the first mistake. `neededBy` is the page that uses the file.
 */
export function readData(path: string, neededBy: string): DataFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new BuildError(path, 1, `找不到这个文件（${neededBy}需要它）`);
  }
  const errors: ParseError[] = [];
  const root = parseTree(withoutBare(text), errors, {
    disallowComments: true,
    allowTrailingComma: false,
  });
  const [first] = errors;
  if (first || !root) {
    const code = first ? printParseErrorCode(first.error) : 'ValueExpected';
    throw new BuildError(
      path,
      lineAt(text, first?.offset ?? 0),
      `${PROBLEMS[code] ?? '不是合法的JSON'}（${neededBy}需要这个文件）`,
    );
  }
  try {
    return {path, text, root, value: parseConfig(text)};
  } catch (error) {
    if (!(error instanceof ConfigTextError)) throw error;
    const {refusal} = error;
    throw new BuildError(
      path,
      lineOfRepeated(root, text, refusal.field),
      `${refusalSentence(refusalWords, refusal)}（${neededBy}需要这个文件）`,
    );
  }
}

/** Line where a key of that path stands for the second time, or 1. */
function lineOfRepeated(node: Node, text: string, path: string): number {
  const seen = new Set<string>();
  const walk = (at: Node, above: string): number | undefined => {
    for (const child of at.children ?? []) {
      const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
      const own = key ? [above, String(key.value)].filter(Boolean).join('.') : above;
      // Objects of a list share their path, and each may have the key once.
      const place = `${at.offset} ${own}`;
      if (key && own === path && seen.has(place)) return lineAt(text, key.offset);
      seen.add(place);
      const inside = value && walk(value, own);
      if (inside !== undefined) return inside;
    }
    return undefined;
  };
  return walk(node, '') ?? 1;
}

/** A key of an object, or an index into a list. */
export const placeOf = (key: string): string | number => (/^\d+$/.test(key) ? Number(key) : key);

/** The line of the value under a path of keys, or 1. */
function lineOfKeys({root, text}: DataFile, keys: readonly string[]): number {
  const node = findNodeAtLocation(root, keys.map(placeOf));
  return lineAt(text, (node ?? root).offset);
}

/** A mistake at a path of keys: its value cannot be used. */
export function mistakeAt(file: DataFile, keys: readonly string[], message: string): BuildError {
  return new BuildError(file.path, lineOfKeys(file, keys), message);
}

/** The value under a path of keys; throws BuildError at the innermost object that is there. */
export function valueAt(file: DataFile, keys: readonly string[], neededBy: string): unknown {
  let value: unknown = file.value;
  for (const [i, key] of keys.entries()) {
    if (typeof value !== 'object' || value === null || !(key in value)) {
      throw new BuildError(
        file.path,
        lineOfKeys(file, keys.slice(0, i)),
        `缺少「${keys.slice(0, i + 1).join('.')}」（${neededBy}需要它）`,
      );
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** The number under a path of keys; throws BuildError at its line for anything else. */
export function numberAt(file: DataFile, keys: readonly string[], neededBy: string): number {
  const value = valueAt(file, keys, neededBy);
  if (typeof value === 'number') return value;
  throw new BuildError(
    file.path,
    lineOfKeys(file, keys),
    `「${keys.join('.')}」应是一个数，现在是${JSON.stringify(value)}（${neededBy}需要它）`,
  );
}

/** Refuses anything but `rows` lists of `columns` finite numbers under a key, with its line. */
export function requireMatrix(
  file: DataFile,
  key: string,
  rows: number,
  columns: number,
  neededBy: string,
): void {
  const value = valueAt(file, [key], neededBy);
  const whole =
    Array.isArray(value) &&
    value.length === rows &&
    value.every(
      (row) => Array.isArray(row) && row.length === columns && row.every(Number.isFinite),
    );
  if (!whole)
    throw new BuildError(
      file.path,
      lineOfKeys(file, [key]),
      `「${key}」应有${rows}行，每行${columns}个数（${neededBy}需要它）`,
    );
}
