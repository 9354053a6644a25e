import {describe, expect, it} from 'vitest';
import lessonNumbers from '../../lessons/c3/l07/numbers.js';
import chapterNumbers from '../../lessons/c3/numbers.js';
import questions from '../../lessons/c3/l07/questions.js';
import {authorsContext, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const context = await authorsContext();
const numbers = {...chapterNumbers(context), ...lessonNumbers(context)};
const {texts, value} = printed(numbers);
const SEEN = ['xiaoming', 'ba', 'pingguo', 'geile'];

describe('two heads of the teaching sentence', () => {
  it('have the rows that the chapter states', () => {
    expect(texts(...SEEN.map((name) => `one_${name}`))).toEqual([
      '39.4 %',
      '2.3 %',
      '56.5 %',
      '1.9 %',
    ]);
    expect(texts(...SEEN.map((name) => `a_${name}`))).toEqual([
      '89.5 %',
      '0.9 %',
      '9.0 %',
      '0.6 %',
    ]);
    expect(texts(...SEEN.map((name) => `b_${name}`))).toEqual([
      '4.7 %',
      '8.7 %',
      '77.0 %',
      '9.6 %',
    ]);
    expect(texts('head_a_xiaoming', 'head_b_pingguo')).toEqual(texts('a_xiaoming', 'b_pingguo'));
  });

  it('have scores whose sum over √2 is the undivided score', () => {
    for (const name of SEEN) {
      const sum = value(`a_score_${name}`) + value(`b_score_${name}`);
      expect(value(`one_score_${name}`)).toBeCloseTo(sum / Math.SQRT2, 12);
    }
  });

  it('output both answers with full weight', () => {
    // Sums of w·v with the rows above and the V columns 人, 身份 | 物, 语法.
    expect(texts('joined_1', 'joined_2', 'joined_3', 'joined_4')).toEqual([
      '0.906',
      '1.096',
      '0.812',
      '0.252',
    ]);
    // W_O maps 人, 身份, 物, 语法 to 人, 物, 语法, 身份/2.
    expect(value('projected_1')).toBeCloseTo(value('joined_1'), 14);
    expect(value('projected_2')).toBeCloseTo(value('joined_3'), 14);
    expect(value('projected_4')).toBeCloseTo(value('joined_2') / 2, 14);
    expect(value('two_both')).toBeGreaterThan(1);
    expect(value('one_both')).toBeLessThan(1);
  });

  it('have flatter weights under √d_model', () => {
    // Twice the squared divisor: each score is divided by √2 once more.
    const wrong = (way: string, token: string) => {
      const parts = SEEN.map((name) => Math.exp(value(`${way}_score_${name}`) / Math.SQRT2));
      return parts[SEEN.indexOf(token)]! / parts.reduce((sum, part) => sum + part, 0);
    };
    expect(value('wrong_a')).toBeCloseTo(wrong('a', 'xiaoming'), 12);
    expect(value('wrong_b')).toBeCloseTo(wrong('b', 'pingguo'), 12);
  });
});

describe('the cost of dividing into heads', () => {
  it('counts parameters, products and weights', () => {
    // 3·4·4 = 2·3·4·2 = 48; two heads of full width 96; 5·5·4 = 2·5·5·2 = 100; 25 weights per head.
    expect(texts('parameters', 'parameters_cut', 'parameters_copied')).toEqual(['48', '48', '96']);
    expect(texts('products', 'products_cut', 'cells', 'cells_cut')).toEqual([
      '100',
      '100',
      '25',
      '50',
    ]);
    // 24·256 = 6144; √24 = 4.90; 512 ÷ 8 = 64; √8 = 2.83.
    expect(texts('anchor_joined', 'anchor_over', 'base_width', 'base_over')).toEqual([
      '6,144',
      '4.90',
      '64',
      '2.83',
    ]);
  });

  it('has the baselines of a portrait of heads', () => {
    // The mean of i/2 over rows 0 … 23 is 23/4; the last row alone has 23/2.
    expect(texts('portrait_distance', 'portrait_last')).toEqual(['5.75', '11.5']);
  });
});

describe('the example in four dimensions', () => {
  it('is worked by hand', () => {
    // Scores 0, 1/√2: 1, 2.02811 over 3.02811; undivided 0, 1: 1, e over 3.71828.
    expect(texts('pair_score', 'pair_first', 'pair_second')).toEqual(['0.707', '0.330', '0.670']);
    expect(texts('pair_out_1', 'pair_out_2', 'pair_out_3', 'pair_out_4')).toEqual([
      '0.330',
      '0.670',
      '0.330',
      '0.670',
    ]);
    expect(texts('pair_one_first', 'pair_one_second')).toEqual(['0.269', '0.731']);
  });
});

describe('the questions of lesson 7', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(questions({...context, numbers}));
    // 100 − 90; h·3·d·(d/h) = 3·d²; a larger divisor flattens; 2 · 100; equal halves; 24 · 256;
    // a sum has no order; 23/4.
    expect(right('shares-left')).toBe(10);
    expect(right('cut-parameters')).toBe('不变');
    expect(right('wrong-divisor')).toBe('更平');
    expect(right('two-hundred')).toBeCloseTo(200, 10);
    expect(right('identical-heads')).toBe('完全一样');
    expect(right('anchor-joined')).toBe(6144);
    expect(right('swap-heads')).toBe('不变');
    expect(right('uniform-distance')).toBe(5.75);
  });
});
