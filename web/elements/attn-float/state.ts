// State and results of <attn-float>.

import type {Resources} from '../../shared/runtime.js';
import {InputError, normalise} from '../../shared/input.js';
import type {Sample} from '../../shared/samples.js';
import {choiceField, type Field, numberField, type Schema} from '../../shared/schema.js';
import type {FormatLimits, RoundedSum, StorageFormat, StoredNumber} from '../../sequence.js';

export interface FloatState {
  /** 写法 */
  format: StorageFormat;
  /** 要存的数 */
  value: number;
  /** 存之前先乘它，取出来再除以它 */
  scale: number;
  /** 直接给出存下的位，十六进制；空着就存value */
  bits: string;
  /** 求和的项数；每一项是1÷项数 */
  terms: number;
}

/** One format's account of the number and of the sum. */
export interface Kept {
  format: StorageFormat;
  limits: FormatLimits;
  number: StoredNumber;
  /** The stored number divided by the scale again. */
  back: number;
  sum: RoundedSum;
}

export interface FloatResult {
  /** The number that is stored: value × scale; 0 where a given pattern is no number. */
  wanted: number;
  chosen: Kept;
  all: Kept[];
}

export const FORMATS: readonly StorageFormat[] = ['float32', 'float16', 'bfloat16', 'e4m3', 'e5m2'];
/** Partial sums in the picture. */
const POINTS = 64;
const MOST_TERMS = 65536;

export const VALUES = {min: -1e60, max: 1e60};
export const SCALES = {min: 1, max: 2 ** 24};
export const TERMS = {min: 2, max: MOST_TERMS, integer: true};

export const PRESETS: readonly Sample<FloatState>[] = [
  {name: '1.001', patch: {value: 1.001, scale: 1, bits: ''}},
  {name: '0.1', patch: {value: 0.1, scale: 1, bits: ''}},
  {name: '70000', patch: {value: 70000, scale: 1, bits: ''}},
  {name: '小梯度', patch: {value: 1e-8, scale: 1, bits: ''}},
  {name: '小梯度×1024', patch: {value: 1e-8, scale: 1024, bits: ''}},
];

/** Up to eight hexadecimal digits, or none. */
const bitsField: Field<string> = {
  fallback: '',
  read: (text) => {
    const clean = normalise(text).toLowerCase();
    if (!/^[0-9a-f]{0,8}$/.test(clean))
      throw new InputError('not-bits', '这里只能是至多8位的十六进制数，例如7c00。');
    return clean;
  },
  write: (value) => value,
  about: import.meta.env.SSR
    ? {
        takes: '至多8位的十六进制数，或空着',
        sample: (random) =>
          random() < 0.7 ? '' : Math.floor(2 ** (4 + 28 * random())).toString(16),
      }
    : undefined,
};

export const schema: Schema<FloatState> = {
  format: choiceField('float16', FORMATS),
  value: numberField(1.001, VALUES),
  scale: numberField(1, SCALES),
  bits: bitsField,
  terms: numberField(4096, TERMS),
};

export const widthOf = ({exponentBits, fractionBits}: FormatLimits): number =>
  1 + exponentBits + fractionBits;

export function compute({sequence}: Resources, state: FloatState): FloatResult {
  const {format, scale, bits, terms} = state;
  const width = widthOf(sequence.formatLimits(format));
  const pattern = bits === '' ? null : parseInt(bits, 16);
  if (pattern !== null && pattern >= 2 ** width)
    throw new InputError('too-many-bits', `${format}只有${width}位，装不下这个十六进制数。`);
  const given = pattern === null ? null : sequence.numberOfBits(pattern, format);
  const wanted = given ? meaningOf(given) : state.value * scale;
  const all = FORMATS.map((each): Kept => {
    const number = given && each === format ? given : sequence.storedNumber(wanted, each);
    return {
      format: each,
      limits: sequence.formatLimits(each),
      number,
      back: number.value / scale,
      sum: sequence.roundedSum(1 / terms, terms, Math.min(POINTS, terms), each),
    };
  });
  return {wanted: Number.isFinite(wanted) ? wanted : 0, chosen: all[FORMATS.indexOf(format)]!, all};
}

function meaningOf({kind, negative, value}: StoredNumber): number {
  if (kind === 'nan') return NaN;
  return kind === 'infinity' ? (negative ? -Infinity : Infinity) : value;
}

/** Infinities and NaN are no numbers. */
export const isNumber = ({kind}: StoredNumber): boolean => kind !== 'infinity' && kind !== 'nan';

/** The pattern after a bit of the stored number is turned over; bit 0 is the lowest. */
export const flipped = ({number}: Kept, bit: number): string =>
  ((number.bits ^ (2 ** bit)) >>> 0).toString(16);
