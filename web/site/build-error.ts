// A mistake in an author's file, reported as `path:line: message`.

export class BuildError extends Error {
  constructor(path: string, line: number, message: string) {
    super(`${path}:${line}: ${message}`);
    this.name = 'BuildError';
  }
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Line of the first occurrence, or 1. */
export function lineOf(text: string, needle: string): number {
  const offset = text.indexOf(needle);
  return offset < 0 ? 1 : lineAt(text, offset);
}
