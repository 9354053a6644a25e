import {describe, expect, it} from 'vitest';
import {
  binary,
  bytes,
  fixed,
  general,
  integer,
  percent,
  scientific,
  wan,
} from '../../web/shared/format.js';

describe('numbers as pages print them', () => {
  it('never shows a negative zero, and uses the typographic minus', () => {
    expect(fixed(-0, 3)).toBe('0.000');
    expect(fixed(-0.0004, 3)).toBe('0.000');
    expect(fixed(-1.5, 1)).toBe('−1.5');
    expect(percent(-4 / 9)).toBe('−44.4 %');
    // A hundred times 1.25e307 is beyond the largest double.
    expect(percent(1.25e307)).toBe('1.25×10³⁰⁹ %');
    expect(percent(99_999.94)).toBe('9999994.0 %');
    expect(general(-0)).toBe('0');
  });

  it('groups thousands', () => {
    expect(integer(12180.68)).toBe('12,181');
    expect(integer(-1234567n)).toBe('−1,234,567');
    expect(bytes(393216)).toBe('393,216 B');
  });

  it('gives powers of ten as superscripts', () => {
    expect(scientific(485165195.4)).toBe('4.85×10⁸');
    expect(scientific(2.57e-56)).toBe('2.57×10⁻⁵⁶');
    expect(general(1e300)).toBe('1.00×10³⁰⁰');
    expect(general(0.000012)).toBe('1.20×10⁻⁵');
  });

  it('drops trailing zeros', () => {
    expect(general(10, 5)).toBe('10');
    expect(general(2.71828, 4)).toBe('2.718');
    expect(general(0.5, 4)).toBe('0.5');
    expect(general(1000, 4)).toBe('1,000');
    // Rounding carries over the edge of a form.
    expect(general(999.7, 3)).toBe('1,000');
    expect(general(-99.96, 2)).toBe('−100');
  });

  it('counts in 万 and 亿', () => {
    expect(wan(485165195)).toBe('4.9亿');
    expect(wan(425984)).toBe('42.6万');
    expect(wan(999)).toBe('999');
  });

  // 393216 = 384·2¹⁰; 94220845056 = 87.75·2³⁰; 2⁶³−1 rounds up to 8 EiB.
  it('uses powers of 1024 exactly, beyond what a double holds', () => {
    expect(binary(393216)).toBe('384 KiB');
    expect(binary(94220845056n)).toBe('87.75 GiB');
    expect(binary(1023)).toBe('1,023 B');
    expect(binary(1024)).toBe('1 KiB');
    expect(binary(0)).toBe('0 B');
    expect(binary(9223372036854775807n)).toBe('8 EiB');
  });
});
