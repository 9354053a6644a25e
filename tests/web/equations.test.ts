// How printed equations are found, checked and printed; tests/web/any-state holds widgets to them.
import {describe, expect, it} from 'vitest';
import {equation, operand, roundsTo, sumOfProducts} from '../../web/shared/equation.js';
import {equationsIn, holds} from './printed-equations.js';

const verdicts = (text: string) => equationsIn(text).map((each) => [each.text, holds(each)]);

describe('a printed equation', () => {
  it('is found and evaluated with its printed digits', () => {
    expect(verdicts('小明：2.07×2＋(−2.38)×0.4＋1.88×0.2＋1.43×0.15＝3.77。')).toEqual([
      // 4.14 − 0.952 + 0.376 + 0.2145 = 3.7785
      ['2.07×2＋(−2.38)×0.4＋1.88×0.2＋1.43×0.15＝3.77', false],
    ]);
    expect(verdicts('得2.07×2＋(−2.38)×0.4＋1.88×0.2＋1.43×0.15≈3.77。')).toEqual([
      ['2.07×2＋(−2.38)×0.4＋1.88×0.2＋1.43×0.15≈3.77', true],
    ]);
    expect(verdicts('共50 × 512＝25,600个数；15 ÷ 21 ＝ 71.4 %，$e^{0}=1$，√2＝1.414')).toEqual([
      ['50 × 512＝25,600个数', true],
      ['15 ÷ 21＝71.4 %', true],
      ['e^(0)＝1', true],
      ['√2＝1.414', true],
    ]);
    expect(verdicts('0.9的49次方＝0.6 %，2³⁰＝1,073,741,824，1 − 4,096 ÷ 8,192 ＝ 49 %')).toEqual([
      ['0.9^49＝0.6 %', true],
      ['2³⁰＝1,073,741,824', true],
      ['1 − 4,096 ÷ 8,192＝49 %', false],
    ]);
    expect(
      verdicts('16 × 1,024 B＝16 KiB，512×2 B≈1.1 KB，0.42×(2, 0)＋0.42×(1, 1)＝(1.27, 0.42)'),
    ).toEqual([
      ['16 × 1,024 B＝16 KiB', true],
      ['512×2 B≈1.1 KB', false],
      ['0.42×(2, 0)＋0.42×(1, 1)＝(1.27, 0.42)', false],
    ]);
  });

  it('is ignored where a side has a letter, or is a label', () => {
    expect(verdicts('d＝64，x·2＝4，q₃·k＝1，第2维＝−2，W＝0.9·I，共T÷d＝8倍')).toEqual([]);
  });
});

describe('an equation of a widget', () => {
  it('is printed with as many decimals as make it hold', () => {
    // q = (2.074, −2.38, …): with two decimals the sum is 3.78, with three decimals 3.77.
    const pairs = [
      [2.07, 2],
      [-2.384, 0.4],
      [1.88, 0.2],
      [1.426, 0.15],
    ] as const;
    expect(sumOfProducts(pairs, '3.78')).toBe('2.07×2＋(−2.38)×0.4＋1.88×0.2＋1.43×0.15＝3.78');
    expect(sumOfProducts(pairs, '3.776')).toBe('2.07×2＋(−2.384)×0.4＋1.88×0.2＋1.426×0.15＝3.776');
  });

  it('is printed with ≈ where no number of decimals does', () => {
    expect(sumOfProducts([[1 / 3, 3]], '1.01')).toBe('0.3333×3≈1.01');
    expect(equation(() => ({text: '0×0', values: [NaN]}), ['0'])).toBe('0×0≈0');
  });

  it('is computed from its numbers as printed', () => {
    expect(operand(-0.5, 2)).toEqual({text: '(−0.5)', value: -0.5});
    expect(operand(5e-5, 2)).toEqual({text: '5.00×10⁻⁵', value: 5e-5});
    expect(roundsTo(0.71429, '71.4 %')).toBe(true);
    expect(roundsTo(0.7135, '71.4 %')).toBe(true);
    expect(roundsTo(0.7129, '71.4 %')).toBe(false);
    expect(roundsTo(12_345.4, '12,345')).toBe(true);
    expect(roundsTo(9.9985e-5, '9.999×10⁻⁵')).toBe(true);
  });
});
