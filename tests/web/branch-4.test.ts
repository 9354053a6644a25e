import {describe, expect, it} from 'vitest';
import branchNumbers from '../../lessons/c3/b4/numbers.js';
import questions from '../../lessons/c3/b4/questions.js';
import chapterNumbers from '../../lessons/c3/numbers.js';
import {authorsContext, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const context = await authorsContext();
const numbers = {...chapterNumbers(context), ...branchNumbers(context)};
const {texts, value} = printed(numbers);
const ROW = ['xiaoming', 'ba', 'pingguo'];

describe('row 苹果', () => {
  it('has the published scores and weights', () => {
    expect(texts(...ROW.map((id) => `sink_score_${id}`))).toEqual(['0.04', '0.36', '0.00']);
    expect(texts(...ROW.map((id) => `row_${id}`))).toEqual(['30 %', '41 %', '29 %']);
    expect(texts('spread')).toEqual(['0.36']);
  });

  it('leaves 77.7, 56.1, 32.0, 14.7 % to tokens with a sink logit of 0, 1, 2, 3', () => {
    // Σe^s = 3.4746; ÷ (3.4746 + e^s₀).
    expect(texts('sum_0', 'sum_1', 'sum_2', 'sum_3')).toEqual([
      '77.7 %',
      '56.1 %',
      '32.0 %',
      '14.7 %',
    ]);
    for (const sink of [0, 1, 2, 3]) {
      expect(value(`sum_${sink}`) + value(`rest_${sink}`)).toBeCloseTo(1, 14);
    }
  });

  it('gives tokens σ(log-sum-exp − sink logit)', () => {
    // ln 3.4746 = 1.2455; σ(0.2455) = 0.561; −0.561·0.439.
    expect(texts('lse', 'one_slope')).toEqual(['1.245', '−0.246']);
    expect(value('sum_1')).toBeCloseTo(1 / (1 + Math.exp(1 - value('lse'))), 14);
  });

  it('outputs the same vector, scaled down', () => {
    for (const c of [1, 2, 3, 4]) {
      const plain = value(`plain_out_${c}`);
      expect(value(`one_out_${c}`)).toBeCloseTo(value('sum_1') * plain, 14);
      expect(value(`gate_out_${c}`)).toBeCloseTo(0.2 * plain, 14);
    }
    // 人: .2993·1 + .4124·.1 + .2883·.1, with the V columns 人, 身份, 物, 语法.
    expect(texts('plain_out_1')).toEqual(['0.369']);
  });
});

describe('a constant added to the scores', () => {
  it('changes nothing without a sink, and nearly everything with one', () => {
    expect(texts('low_plain', 'low_ba')).toEqual(['100 %', '41 %']);
    // 3.4746·e⁻¹⁰ = 1.578e−4, over 1 + that.
    expect(texts('low_sum')).toEqual(['0.02 %']);
    // e⁵ + 2 = 150.413, over that + e = 153.131.
    expect(texts('match_sum')).toEqual(['98.2 %']);
  });
});

describe('a first token with a large score', () => {
  it('leaves 100 % to the others when it is evicted', () => {
    // e⁵ = 148.413; ÷ 156.413 = 94.9 %; 1 ÷ 156.413 = 0.64 %; 1/8 = 12.5 %; 156.413 ÷ 8 = 19.6.
    expect(texts('dump_first', 'dump_each', 'evicted_each', 'evicted_times')).toEqual([
      '94.9 %',
      '0.64 %',
      '12.5 %',
      '19.6',
    ]);
    expect(value('kept_each')).toBeCloseTo(value('dump_each'), 15);
  });
});

describe('the questions of branch B4', () => {
  it('have the answers that a derivation gives', () => {
    const all = questions({...context, numbers});
    const right = rightAnswers(all);
    expect(right('all-lower')).toBeCloseTo(100, 10);
    expect(right('evict-first')).toBe('20倍左右');
    expect(right('sink-zero')).toBe('约78 %');
    expect(right('same-ratio')).toBe('不变');
    expect(right('shift-matters')).toBe('变多');
    expect(right('match-takes-all')).toBe('九成以上');
    // 77.65 · 0.2
    expect(right('gate-and-sink')).toBeCloseTo(15.53, 2);
  });
});
