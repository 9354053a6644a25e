// Prints computed equations. Every widget that joins rounded numbers with a sign uses it.
//
// 「＝」 promises that the printed operands give the printed result, rounded to its own digits. So an
// equation gets as many decimals as it needs for that, and 「≈」 where no reasonable number suffices.

import {fixed, scientific} from './format.js';

/** More decimals than the first choice that are tried before 「≈」. */
const MORE = 4;
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A printed number: −1,234.5, 24.5 %, 9.99×10⁻⁵. */
const PRINTED = /^([−-]?)([\d,]+)(?:\.(\d+))?(?:×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?( %)?$/;

/** The value that a printed number reads as, and half a unit of its last digit. */
export function readBack(text: string): {value: number; half: number} {
  const match = PRINTED.exec(text);
  if (!match) return {value: NaN, half: 0};
  const [, minus, whole = '', decimals = '', power = '', percent] = match;
  const raised = [...power].map((c) => (c === '⁻' ? '-' : RAISED.indexOf(c))).join('');
  const exponent = Number(raised) - (percent ? 2 : 0);
  const digits = Number(`${whole.replaceAll(',', '')}.${decimals}e${exponent}`);
  return {value: minus ? -digits : digits, half: 0.5 * 10 ** (exponent - decimals.length)};
}

/** True if a value, rounded to the digits of a printed number, is that number. */
export function roundsTo(value: number, printed: string): boolean {
  const {value: read, half} = readBack(printed);
  return Math.abs(value - read) <= half + 1e-12 * Math.abs(value);
}

/**
 * A number with at most the given decimals, as it stands in an equation: negative ones in brackets.
 */
export interface Operand {
  text: string;
  /** The value that the text reads as. */
  value: number;
}

export function operand(value: number, decimals: number): Operand {
  const size = Math.abs(value);
  const text =
    size > 0 && (size < 1e-3 || size >= 1e7)
      ? scientific(value, decimals)
      : fixed(value, decimals)
          .replace(/(\.\d*?)0+$/, '$1')
          .replace(/\.$/, '');
  return {text: text.startsWith('−') ? `(${text})` : text, value: readBack(text).value};
}

/**
 * The left side with a number of decimals: its text and the values that its printed operands give.
 */
export type LeftSide = (decimals: number) => {text: string; values: readonly number[]};

/**
 * An equation with as few decimals as it needs to hold as printed, or with 「≈」.
 *
 * @param results  the printed results, one for each of the left side's values
 * @param right    the right side as printed, where it is more than the one result
 */
export function equation(
  left: LeftSide,
  results: readonly string[],
  {decimals = 2, right = results.join('')} = {},
): string {
  for (let more = 0; more <= MORE; more++) {
    const {text, values} = left(decimals + more);
    if (values.every((value, i) => roundsTo(value, results[i] ?? ''))) return `${text}＝${right}`;
  }
  return `${left(decimals + MORE / 2).text}≈${right}`;
}

/** a×b＋c×d＝e */
export function sumOfProducts(
  pairs: readonly (readonly [number, number])[],
  result: string,
  decimals = 2,
): string {
  return equation(
    (digits) => {
      const factors = pairs.map((pair) => pair.map((value) => operand(value, digits)));
      return {
        text: factors.map((pair) => pair.map(({text}) => text).join('×')).join('＋'),
        values: [
          factors.reduce((sum, pair) => sum + pair.reduce((all, {value}) => all * value, 1), 0),
        ],
      };
    },
    [result],
    {decimals},
  );
}
