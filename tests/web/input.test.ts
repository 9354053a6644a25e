import {describe, expect, it} from 'vitest';
import {
  holdsSeveral,
  InputError,
  isGrouped,
  readNumber,
  readNumbers,
} from '../../web/shared/input.js';

const codeOf = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return error.code;
  }
  return 'accepted';
};

describe('typed input', () => {
  it('accepts full-width digits, the Unicode minus and full-width commas', () => {
    expect(readNumber('−1.5')).toBe(-1.5);
    expect(readNumber('－１．５')).toBe(-1.5);
    expect(readNumbers('１，２，３', 10)).toEqual([1, 2, 3]);
    expect(readNumbers(' 8、7\n9 ', 10)).toEqual([8, 7, 9]);
    expect(readNumber('2e3')).toBe(2000);
    expect(readNumber('.5')).toBe(0.5);
  });

  it('accepts separators between thousands, as pages print them', () => {
    expect(readNumber('1,000')).toBe(1000);
    expect(readNumber('−12,345,678.5')).toBe(-12345678.5);
    expect(['1,000', '12,345.5', '−1,000'].map(isGrouped)).toEqual([true, true, true]);
    expect(['1, 000', '1,00', '1000,000', '8,7,9', '1，000'].map(isGrouped)).toEqual(
      Array(5).fill(false),
    );
    expect(readNumbers('100,200', 10)).toEqual([100, 200]);
  });

  it('never gives a negative zero', () => {
    expect(Object.is(readNumber('-0'), 0)).toBe(true);
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['abc', 'not-a-number'],
    ['1e', 'not-a-number'],
    ['--1', 'not-a-number'],
    ['NaN', 'not-a-number'],
    ['Infinity', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['1e400', 'too-large'],
  ])('refuses %j as %s', (text, code) => {
    expect(codeOf(() => readNumber(text))).toBe(code);
  });

  it('refuses values outside a range and names the range', () => {
    expect(codeOf(() => readNumber('0', {min: 1}))).toBe('too-small');
    expect(codeOf(() => readNumber('1.5', {integer: true}))).toBe('not-an-integer');
    expect(() => readNumber('65', {max: 64})).toThrow('64');
  });

  it('names the limit when a list is too long', () => {
    expect(() => readNumbers('1,2,3', 2)).toThrow(/2.*3/);
    expect(readNumbers(Array.from({length: 200}, (_, i) => i).join(','), 256)).toHaveLength(200);
  });

  it('refuses a list in a box for one number', () => {
    expect(holdsSeveral('1，2')).toBe(true);
    expect(holdsSeveral(' 1 ')).toBe(false);
  });
});
