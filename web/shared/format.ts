// The format of numbers everywhere: tables, sentences, pictures, prose.

const SUPERSCRIPTS: Record<string, string> = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};

/** The typographic minus, and never a negative zero. */
function signed(text: string): string {
  const negative = text.startsWith('-');
  const magnitude = negative ? text.slice(1) : text;
  return negative && /[1-9]/.test(magnitude) ? `−${magnitude}` : magnitude;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A fixed number of decimals: 0.5 → "0.500". */
export function fixed(value: number, digits: number): string {
  return signed(value.toFixed(digits));
}

/** A share of one as a percentage: 0.2447 → "24.5 %", 3.1e8 → "3.10×10¹⁰ %". */
export function percent(share: number, digits = 1): string {
  // A hundred times the largest doubles would be infinite.
  const text = Math.abs(share) < 1e5 ? fixed(share * 100, digits) : scientific(share, 2, 2);
  return `${text} %`;
}

/** Whole numbers with thousands separators: 12180.68 → "12,181". */
export function integer(value: number | bigint): string {
  const text = typeof value === 'bigint' ? value.toString() : value.toFixed(0);
  return signed(text.replace(/\d+/, grouped));
}

/** 4.851652e8 → "4.85×10⁸"; with `shift` as a text of 10^shift times the value. */
export function scientific(value: number, digits = 2, shift = 0): string {
  if (value === 0) return '0';
  const [mantissa = '0', exponent = '0'] = value.toExponential(digits).split('e');
  const power = [...String(Number(exponent) + shift)].map((c) => SUPERSCRIPTS[c] ?? c).join('');
  return `${signed(mantissa)}×10${power}`;
}

/**
 * The significant digits that a reader can use: a decimal in the ordinary range, a power of ten
 * outside it.
 */
export function general(value: number, digits = 4): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return scientific(value, 2);
  if (size >= 1000) return integer(value);
  const text = value.toPrecision(digits);
  // 999.7 with three digits has the four of 1000.
  if (text.includes('e')) return integer(value);
  return signed(text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}

/** The shortest text that reads back as the same number, as an input box shows it. */
export function plain(value: number): string {
  return signed(String(value));
}

/** Chinese large units: 485165195 → "4.9亿". */
export function wan(value: number, digits = 1): string {
  const size = Math.abs(value);
  // 9,999.96万 rounds to 1亿.
  if (Number((size / 1e4).toFixed(digits)) >= 1e4) return `${fixed(value / 1e8, digits)}亿`;
  if (size >= 1e4) return `${fixed(value / 1e4, digits)}万`;
  return integer(value);
}

/** "393,216 B" */
export function bytes(value: number | bigint): string {
  return `${integer(value)} B`;
}

const BINARY_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/**
 * Powers of 1024, at most two decimals, trailing zeros dropped: 393216 → "384 KiB". Digits as text
 * are exact too.
 */
export function binary(value: number | bigint | string): string {
  const exact = BigInt(value);
  let unit = 0;
  let scale = 1n;
  while (unit < BINARY_UNITS.length - 1 && exact >= scale * 1024n) {
    scale *= 1024n;
    unit++;
  }
  const hundredths = (exact * 200n + scale) / (scale * 2n);
  const whole = grouped((hundredths / 100n).toString());
  const rest = (hundredths % 100n).toString().padStart(2, '0').replace(/0+$/, '');
  return `${whole}${rest ? `.${rest}` : ''} ${BINARY_UNITS[unit]}`;
}
