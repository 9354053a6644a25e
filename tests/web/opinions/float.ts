// Number formats by the definition: a sign, a power of two, and a fraction in steps of it.

import type {FloatState} from '../../../web/elements/attn-float/state.js';
import {int, Reader, type Shown, sig, type Value} from './reading.js';

/** Bits of exponent and fraction; the largest number; whether there are infinities. */
const FORMATS = {
  float32: {e: 8, f: 23, max: (2 - 2 ** -23) * 2 ** 127, infinite: true},
  float16: {e: 5, f: 10, max: 65504, infinite: true},
  bfloat16: {e: 8, f: 7, max: (2 - 2 ** -7) * 2 ** 127, infinite: true},
  e4m3: {e: 4, f: 3, max: 448, infinite: false},
  e5m2: {e: 5, f: 2, max: 57344, infinite: true},
};
type Name = keyof typeof FORMATS;

const biasOf = (name: Name) => 2 ** (FORMATS[name].e - 1) - 1;
/** The power of two of the smallest numbers with all digits. */
const lowest = (name: Name) => 1 - biasOf(name);

/** The power of two below or at a positive number. */
function powerOf(x: number): number {
  let power = Math.floor(Math.log2(x));
  if (2 ** power > x) power--;
  if (2 ** (power + 1) <= x) power++;
  return power;
}

/** The nearest multiple of the step that the format has at this size; of two, the even one. */
function nearest(x: number, name: Name): number {
  const {f, max, infinite} = FORMATS[name];
  const size = Math.abs(x);
  if (size === 0 || !Number.isFinite(x)) return Number.isFinite(x) || infinite ? x : NaN;
  const step = 2 ** (Math.max(lowest(name), powerOf(size)) - f);
  const below = Math.floor(size / step);
  const rest = size / step - below;
  const up = rest > 0.5 || (rest === 0.5 && below % 2 === 1);
  const rounded = (below + (up ? 1 : 0)) * step;
  const end = infinite ? Infinity : NaN;
  return Math.sign(x) * (rounded > max ? end : rounded);
}

function bitsOf(x: number, name: Name): bigint {
  const {e, f, infinite} = FORMATS[name];
  const sign = x < 0 || Object.is(x, -0) ? 1n << BigInt(e + f) : 0n;
  const size = Math.abs(x);
  const full = ((1n << BigInt(e)) - 1n) << BigInt(f);
  if (Number.isNaN(x)) return infinite ? full | (1n << BigInt(f - 1)) : full | 7n;
  if (size === Infinity) return sign | full;
  if (size < 2 ** lowest(name)) return sign | BigInt(size / 2 ** (lowest(name) - f));
  const power = powerOf(size);
  const fraction = BigInt((size / 2 ** power - 1) * 2 ** f);
  return sign | (BigInt(power + biasOf(name)) << BigInt(f)) | fraction;
}

function read(bits: number, name: Name): number {
  const {e, f, infinite} = FORMATS[name];
  const fraction = bits % 2 ** f;
  const exponent = Math.floor(bits / 2 ** f) % 2 ** e;
  const sign = Math.floor(bits / 2 ** (e + f)) % 2 === 1 ? -1 : 1;
  if (exponent === 2 ** e - 1) {
    if (infinite) return fraction === 0 ? sign * Infinity : NaN;
    if (fraction === 2 ** f - 1) return NaN;
  }
  const digits = fraction + (exponent === 0 ? 0 : 2 ** f);
  return sign * digits * 2 ** (Math.max(1, exponent) - biasOf(name) - f);
}

/** A sum of equal terms, each addition rounded, and the terms that still change it. */
function sumOf(terms: number, name: Name): {total: number; added: number} {
  const term = nearest(1 / terms, name);
  let total = 0;
  for (let added = 0; added < terms; added++) {
    const next = nearest(total + term, name);
    // The same addition gives the same sum from here on.
    if (next === total) return {total, added};
    total = next;
  }
  return {total, added: terms};
}

/** So many significant digits, fewer at the end where they are zeros. */
function digits(value: number, count: number): Value {
  if (Number.isNaN(value)) return '不是数';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  const size = Math.abs(value);
  if (size === 0) return '0';
  const whole = size >= 1000 && size < 1e7;
  const half = whole ? 0.5 : 0.5 * 10 ** (Math.floor(Math.log10(size)) + 1 - count);
  return {...(sig(value, count) as Exclude<Value, string>), half};
}

const unsigned = (x: number) => (x === 0 ? 0 : x);

export function floatOpinion(state: FloatState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {format, value, scale, bits, terms} = state;
  const wanted = bits === '' ? value * scale : read(parseInt(bits, 16), format);
  const names = Object.keys(FORMATS) as Name[];
  names.forEach((name, i) => {
    const {e, f, max} = FORMATS[name];
    const kept = nearest(wanted, name);
    const given = bits !== '' && name === format;
    reader.row(i, [
      name,
      `${1 + e + f}位：1＋${e}＋${f}位`,
      digits(max, 4),
      digits(2 ** lowest(name), 4),
      digits(2 ** (lowest(name) - f), 4),
      digits(2 ** -f, 4),
      digits(Math.log(max), 4),
      // Several patterns are no number.
      given || Number.isNaN(kept)
        ? reader.cell(i, 7)
        : `0x${bitsOf(kept, name)
            .toString(16)
            .padStart((1 + e + f) / 4, '0')}`,
      digits(unsigned(kept), 7),
      digits(unsigned(kept / scale), 7),
      digits(sumOf(terms, name).total, 5),
    ]);
    if (given) reader.is(String(parseInt(reader.cell(i, 7), 16)), String(parseInt(bits, 16)));
  });
  const kept = nearest(wanted, format);
  if (kept === wanted && Number.isFinite(kept)) reader.says('一点不差');
  else reader.saysNot('一点不差');
  if (Number.isNaN(kept)) reader.says('不是数');
  if (Math.abs(kept) === Infinity) reader.says('成了无穷');
  if (kept === 0 && wanted !== 0)
    reader.says('最小是*；', digits(2 ** (lowest(format) - FORMATS[format].f), 3));
  else if (Number.isFinite(kept) && kept !== wanted)
    reader.says('，差*。', digits(Math.abs(kept - wanted), 3));
  const {total, added} = sumOf(terms, format);
  if (added === terms) reader.says('逐项加*个，得*。', int(terms), digits(total, 5));
  else reader.says('逐项加*个，加到第*个就停在*。', int(terms), int(added), digits(total, 5));
  return reader.wrong;
}
