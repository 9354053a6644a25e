import {describe, expect, it} from 'vitest';
import chapterNumbers from '../../lessons/c3/numbers.js';
import lessonNumbers from '../../lessons/c3/l01/numbers.js';
import questions from '../../lessons/c3/l01/questions.js';
import {authorsContext, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const context = await authorsContext();
const numbers = {...chapterNumbers(context), ...lessonNumbers(context)};
const lessonQuestions = questions({...context, numbers});
const {texts} = printed(numbers);

describe('the numbers of lesson 1', () => {
  it('compare embeddings as worked by hand', () => {
    // x[给了] = (0.2, 0.2, 1, 0), x[小明] = (1, 0.1, 0.2, 0.6): 0.2 + 0.02 + 0.2 = 0.42;
    // lengths √(0.04 + 0.04 + 1) = 1.0392 and √(1 + 0.01 + 0.04 + 0.36) = 1.1874.
    expect(texts('x_geile_1', 'x_geile_2', 'x_geile_3', 'x_geile_4')).toEqual([
      '0.2',
      '0.2',
      '1',
      '0',
    ]);
    expect(texts('dot_example', 'length_geile', 'length_xiaoming')).toEqual([
      '0.42',
      '1.039',
      '1.187',
    ]);
    // The others are checked against the chapter's list of stated values.
    expect(texts('cos_geile', 'cos_ba', 'cos_xiaoming', 'cos_pingguo', 'cos_xiaowang')).toEqual([
      '1.000',
      '0.969',
      '0.340',
      '0.303',
      '0.262',
    ]);
  });

  it('give a symmetric score with one projection', () => {
    // W_K gives z[给了] = (0.4, 2, 0.4, 0.6); with (2, 0.4, 0.2, 0.15), (0.2, 1.6, 0.4, 0.5),
    // (0.2, 0.2, 2, 0.55), itself and (2, 0.2, 0.2, 0.1):
    // 0.8 + 0.8 + 0.08 + 0.09; 0.08 + 3.2 + 0.16 + 0.3; 0.08 + 0.4 + 0.8 + 0.33;
    // 0.16 + 4 + 0.16 + 0.36; 0.8 + 0.4 + 0.08 + 0.06.
    expect(
      texts('shared_xiaoming', 'shared_ba', 'shared_pingguo', 'shared_geile', 'shared_xiaowang'),
    ).toEqual(['1.77', '3.74', '1.61', '4.68', '1.34']);
    expect(numbers['shared_back']?.value).toBe(numbers['shared_pingguo']?.value);
  });

  it('reverse the order with two projections, without symmetry', () => {
    expect(
      texts('score_pingguo', 'score_xiaowang', 'score_xiaoming', 'score_ba', 'score_geile'),
    ).toEqual(['4.49', '4.18', '3.77', '−1.93', '−2.32']);
    // q[苹果] = 0.1·W_Q[0] + W_Q[1] + 0.1·W_Q[2] = (−0.05, 0.436, −0.07, 0.12);
    // with k[给了]: −0.02 + 0.872 − 0.028 + 0.072 = 0.896.
    expect(numbers['score_back']?.value).toBeCloseTo(0.896, 12);
    expect(texts('score_back')).toEqual(['0.90']);
    // q = (2.066, −2.382, 1.884, 1.432), k = (0.4, 2, 0.4, 0.6).
    expect(numbers['cos_own']?.value).toBeCloseTo(
      -2.3248 / Math.hypot(2.066, 2.382, 1.884, 1.432) / Math.hypot(0.4, 2, 0.4, 0.6),
      12,
    );
  });

  it('give every score by the matrix between two embeddings', () => {
    // Row 语法 of W_Q is (2.1, −2.74, 1.9, 1.4); rows of W_K are (2,0,0,0), (0,0,2,0.5), (0,2,0,0.5):
    // 4.2; 3.8 + 0.7; −5.48 + 0.7.
    expect(
      texts('m_grammar_person', 'm_grammar_thing', 'm_grammar_grammar', 'm_grammar_identity'),
    ).toEqual(['4.20', '4.50', '−4.78', '0.00']);
    const features = ['person', 'thing', 'grammar', 'identity'];
    const [query, key] = [context.world.embeddings[3]!, context.world.embeddings[2]!];
    const score = features.reduce(
      (sum, row, i) =>
        sum +
        features.reduce(
          (part, column, j) =>
            part + query[i]! * Number(numbers[`m_${row}_${column}`]?.value) * key[j]!,
          0,
        ),
      0,
    );
    expect(score).toBeCloseTo(Number(numbers['score_pingguo']?.value), 12);
  });

  it('quote weights that add up to the whole row', () => {
    expect(
      texts('weight_pingguo', 'weight_answer', 'weight_xiaoming', 'weight_ba', 'weight_geile'),
    ).toEqual(['38.1 %', '32.5 %', '26.6 %', '1.5 %', '1.3 %']);
  });

  it('count parameters and pairs', () => {
    // 768 ÷ 12 = 64; 2 · 768 · 64; 768²; 5²; 4096².
    expect(texts('gpt2_head_width', 'gpt2_pair', 'gpt2_square', 'pairs', 'long_pairs')).toEqual([
      '64',
      '98,304',
      '589,824',
      '25',
      '16,777,216',
    ]);
  });
});

describe('the questions of lesson 1', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(lessonQuestions);
    // cos(x, x) = 1; z_i·z_j = z_j·z_i; −2.32 is the lowest of the row; 3 + 0 − 2;
    // q[小王]·k = 1.08, 1.95, 1.16, 2.43, 0.87.
    expect(right('most-alike')).toBe('「给了」自己');
    expect(right('shared-back')).toBeCloseTo(1.61, 12);
    expect(right('own-place')).toBe('最后');
    expect(right('by-hand')).toBe(1);
    expect(right('one-matrix')).toBe('词元i给j的分，总等于j给i的分');
    expect(right('from-xiaowang')).toBe('「给了」');
    expect(right('parameters')).toBe(98304);
  });
});
