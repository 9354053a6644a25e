// Reads what a widget prints, and compares it with numbers that a test computed by itself.

import type {TeachingWorld} from '../../../web/shared/world.js';

/** The texts of a widget in one state. */
export interface Shown {
  says: string;
  rows: readonly (readonly string[])[];
}

/** The authors' texts by name, as widgets get them. */
export type Contents = ReadonlyMap<string, unknown>;

/** Compares the sentence and the table of a state with a slow computation; returns wrong claims. */
export type Opinion = (
  state: never,
  shown: Shown,
  world: TeachingWorld,
  contents: Contents,
) => string[];

/** A number as it should be printed: `form` is the shape of the text, `half` half a unit of it. */
export interface Expected {
  value: number | bigint;
  form: RegExp;
  half: number;
  /** The error that a computation in doubles may have made, in either of the two computations. */
  slack: number;
}

/** A text must be there as it is. */
export type Value = Expected | string;

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const PRINTED = /^(−?)([\d,]+)(?:\.(\d+))?(?:×10(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))?( %)?$/u;
const SCIENTIFIC = String.raw`−?[1-9](\.\d+)?×10⁻?[${RAISED}]+`;

/** The value of a printed number; NaN of what is none. */
function read(text: string): number {
  const match = PRINTED.exec(text);
  if (!match) return NaN;
  const [, minus, whole = '', decimals = '', power = '', percent] = match;
  const raised = [...power].map((c) => (c === '⁻' ? '-' : RAISED.indexOf(c))).join('');
  const exponent = Number(raised || '0') - (percent ? 2 : 0);
  const size = Number(`${whole.replaceAll(',', '')}.${decimals}e${exponent}`);
  return minus ? -size : size;
}

const slackOf = (value: number) => 1e-9 * Math.abs(value) + 1e-13;

/** A fixed number of decimals. */
export const dec = (value: number, digits: number, slack = slackOf(value)): Expected => ({
  value,
  form: digits === 0 ? /^−?\d+$/ : new RegExp(`^−?\\d+\\.\\d{${digits}}$`),
  half: 0.5 * 10 ** -digits,
  slack,
});

/** A share as a percentage. */
export function pct(share: number, digits = 1, slack = slackOf(share)): Expected {
  const size = Math.abs(share);
  const decimals = new RegExp(`^−?\\d+${digits === 0 ? '' : `\\.\\d{${digits}}`} %$`);
  return size < 1e5
    ? {value: share, form: decimals, half: 0.5 * 10 ** (-digits - 2), slack}
    : {
        value: share,
        form: new RegExp(`^${SCIENTIFIC} %$`, 'u'),
        half: 0.5 * 10 ** (Math.floor(Math.log10(size)) - 2),
        slack,
      };
}

/** A whole number, with commas. */
export const int = (value: number | bigint): Expected => ({
  value,
  form: /^−?\d{1,3}(,\d{3})*$/,
  half: typeof value === 'bigint' ? 0 : 0.5,
  slack: 0,
});

/** Significant digits; three and a power of ten outside the ordinary range. */
export function sig(value: number, digits = 4, slack = slackOf(value)): Expected {
  const size = Math.abs(value);
  const exponent = size === 0 ? 0 : Math.floor(Math.log10(size));
  // Rounding may carry a value over the edge between two forms.
  const near = (edge: number) => Math.abs(size - edge) <= 1e-3 * edge;
  const power = size >= 1e7 || size < 1e-4;
  const form =
    size === 0
      ? /^0$/
      : near(1e7) || near(1e-4)
        ? PRINTED
        : power
          ? new RegExp(`^${SCIENTIFIC}$`, 'u')
          : /^−?[\d,]+(\.\d+)?$/;
  const half = power
    ? 0.5 * 10 ** (exponent - 2)
    : size >= 1000
      ? 0.5
      : 0.5 * 10 ** (exponent + 1 - digits);
  return {value, form, half, slack};
}

/** A power of ten with digits behind the point. */
export const power = (value: number, digits: number): Expected => ({
  value,
  form: new RegExp(`^${SCIENTIFIC}$`, 'u'),
  half: 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits),
  slack: slackOf(value),
});

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** "384 KiB": the largest unit that the bytes fill, and at most two decimals. */
export function binary(bytes: bigint): string {
  let unit = 0;
  while (unit < UNITS.length - 1 && bytes >= 1024n ** BigInt(unit + 1)) unit++;
  const one = 1024n ** BigInt(unit);
  const hundredths = (200n * bytes + one) / (2n * one);
  const whole = String(hundredths / 100n).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = String(hundredths % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${whole}${rest && `.${rest}`} ${UNITS[unit]}`;
}

/** Why a printed text is not what it should be; undefined if it is. */
function mismatch(text: string, expected: Value): string | undefined {
  if (typeof expected === 'string')
    return text === expected ? undefined : `“${text}” instead of “${expected}”`;
  const {value, form, half, slack} = expected;
  const wrong = `“${text}” for ${value}`;
  if (!form.test(text) || /^−0(\.0*)?( %)?$/.test(text)) return wrong;
  if (typeof value === 'bigint')
    return BigInt(text.replace('−', '-').replaceAll(',', '')) === value ? undefined : wrong;
  return Math.abs(read(text) - value) <= half * (1 + 1e-9) + slack ? undefined : wrong;
}

/** Collects what is wrong with one state. */
export class Reader {
  readonly wrong: string[] = [];
  constructor(private readonly shown: Shown) {}

  /** The sentence has the pattern, and in the places of its stars the values, in order. */
  says(pattern: string, ...values: Value[]): void {
    const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
    const match = new RegExp(escaped.replaceAll('*', '([^「」，。：；、]+?)'), 'u').exec(
      this.shown.says,
    );
    if (!match) {
      this.wrong.push(`no “${pattern}” in “${this.shown.says}”`);
      return;
    }
    values.forEach((value, i) => this.is(match[i + 1] ?? '', value, `“${match[0]}”`));
  }

  saysNot(words: string): void {
    if (this.shown.says.includes(words)) this.wrong.push(`“${words}” in “${this.shown.says}”`);
  }

  /** The table has these rows and no others. */
  table(rows: readonly (readonly Value[])[]): void {
    if (rows.length !== this.shown.rows.length)
      this.wrong.push(`${this.shown.rows.length} rows instead of ${rows.length}`);
    rows.forEach((row, i) => this.row(i, row));
  }

  row(i: number, values: readonly Value[]): void {
    const cells = this.shown.rows[i] ?? [];
    if (cells.length !== values.length)
      this.wrong.push(`row ${i + 1} has ${cells.length} cells instead of ${values.length}`);
    values.forEach((value, j) => this.is(cells[j] ?? '', value, `row ${i + 1}, column ${j + 1}`));
  }

  is(text: string, value: Value, where = 'the table'): void {
    const why = mismatch(text, value);
    if (why) this.wrong.push(`${why} in ${where}`);
  }

  /** "(1.00, −2.50)" with these components. */
  vector(text: string, values: readonly Value[]): void {
    const cells = text.replace(/^\(|\)$/g, '').split(', ');
    if (cells.length !== values.length) this.wrong.push(`“${text}” has ${cells.length} components`);
    values.forEach((value, i) => this.is(cells[i] ?? '', value, `“${text}”`));
  }

  cell(i: number, j: number): string {
    return this.shown.rows[i]?.[j] ?? '';
  }
}
