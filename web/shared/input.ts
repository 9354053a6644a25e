// Reads numbers that people type into boxes, attributes and links, with common variants of signs.

/** An error for input that can't be used; the message is shown on the page. */
export class InputError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'InputError';
    this.code = code;
  }
}

/** Full-width characters, the Unicode minus signs and Chinese separators, as ASCII. */
export function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[−–—﹣]/g, '-')
    .replace(/[、；;]/g, ',')
    .trim();
}

/**
 * True for a key that belongs to an input method: it picks a candidate or ends the composition.
 * Safari sends the Enter that ends one after `compositionend`, and marks it by the key code alone.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** Thousands set apart as pages print them. */
const GROUPED = /^[+\-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/** True for the printed form of one number from a thousand on, which could be a list as well. */
export function isGrouped(text: string): boolean {
  return GROUPED.test(text.trim());
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** One number. Throws InputError with a sentence that states the expected form. */
export function readNumber(
  text: string,
  range: {min?: number; max?: number; integer?: boolean} = {},
): number {
  const clean = normalise(isGrouped(text) ? text.replaceAll(',', '') : text);
  if (clean === '') throw new InputError('empty', '这里还空着，图仍按上一个数画。');
  if (!NUMBER.test(clean))
    throw new InputError(
      'not-a-number',
      `「${shorten(text)}」不是一个数。请写成3、−1.5或2e3这样。`,
    );
  const value = Number(clean);
  if (!Number.isFinite(value))
    throw new InputError(
      'too-large',
      `「${shorten(text)}」超出双精度能表示的范围（约 ±1.8×10³⁰⁸）。`,
    );
  if (range.integer && !Number.isInteger(value))
    throw new InputError('not-an-integer', `这里要一个整数，「${shorten(text)}」不是。`);
  if (range.min !== undefined && value < range.min)
    throw new InputError('too-small', `这里最小是${range.min}。`);
  if (range.max !== undefined && value > range.max)
    throw new InputError('too-big', `这里最大是${range.max}。`);
  return value === 0 ? 0 : value;
}

/** Numbers separated by commas (of any width), spaces or line breaks. */
export function readNumbers(
  text: string,
  limit: number,
  range: {min?: number; max?: number; integer?: boolean} = {},
): number[] {
  const parts = normalise(text)
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  if (parts.length === 0) throw new InputError('empty', '这里还空着，图仍按上一组数画。');
  if (parts.length > limit)
    throw new InputError('too-many', `最多${limit}个数，这里有${parts.length}个。`);
  return parts.map((part) => readNumber(part, range));
}

/** True if a box for one number was given several. */
export function holdsSeveral(text: string): boolean {
  return (
    normalise(text)
      .split(/[\s,]+/)
      .filter((part) => part !== '').length > 1
  );
}

function shorten(text: string): string {
  const characters = [...text.trim()];
  return characters.length > 16 ? `${characters.slice(0, 16).join('')}…` : characters.join('');
}
