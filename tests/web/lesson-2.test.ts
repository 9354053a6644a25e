import {describe, expect, it} from 'vitest';
import chapterNumbers from '../../lessons/c3/numbers.js';
import lessonNumbers from '../../lessons/c3/l02/numbers.js';
import {tanh} from '../../lessons/c3/l02/additive.js';
import questions from '../../lessons/c3/l02/questions.js';
import {authorsContext, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const context = await authorsContext();
const numbers = {...chapterNumbers(context), ...lessonNumbers(context)};
const lessonQuestions = questions({...context, numbers});
const {texts, value} = printed(numbers);
const NAMES = ['xiaoming', 'ba', 'pingguo', 'geile', 'xiaowang'];

describe('additive scoring in lesson 2', () => {
  it('computes tanh from the exponential of the core', () => {
    for (const x of [-20, -1.5, -0.1, 0, 0.1, 0.75, 2, 40]) {
      expect(tanh(context.core, x)).toBeCloseTo(Math.tanh(x), 14);
    }
  });

  it('scores the small example as worked by hand', () => {
    // q + k = (2, 0) and (2, 4); tanh 2 = 0.9640, tanh 4 = 0.9993; q·k = 1 − 4 and 1 + 4.
    expect(
      texts('example_1_hidden_1', 'example_1_hidden_2', 'example_1_additive', 'example_1_dot'),
    ).toEqual(['0.964', '0.000', '0.964', '−3']);
    expect(
      texts('example_2_hidden_1', 'example_2_hidden_2', 'example_2_additive', 'example_2_dot'),
    ).toEqual(['0.964', '0.999', '1.963', '5']);
    // Ten times the length gives 100 times the dot product, and the additive score stays below |1|
    // + |1|.
    expect(texts('longer_1_dot', 'longer_2_dot', 'longer_dot')).toEqual(['−300', '500', '100']);
    expect(value('longer_2_additive')).toBeGreaterThan(value('example_2_additive'));
    expect(value('longer_2_additive')).toBeLessThanOrEqual(value('bound_example'));
  });

  it('ranks keys equally in every row without tanh', () => {
    // Sums of the components: q[给了] = 3, q[苹果] = 0.436;
    // k = 2.75, 2.7, 2.95, 3.4, 2.5.
    const keys = [2.75, 2.7, 2.95, 3.4, 2.5];
    NAMES.forEach((name, i) => {
      expect(value(`linear_geile_${name}`)).toBeCloseTo(3 + keys[i]!, 12);
      expect(value(`linear_pingguo_${name}`)).toBeCloseTo(0.436 + keys[i]!, 12);
    });
    expect(texts('linear_gap')).toEqual(['0.45']);
  });
});

describe('the costs of lesson 2', () => {
  it('are those of the published comparison', () => {
    // 4096² = 16,777,216; · 256 = 4,294,967,296; · 2 B = 8 GiB; 4096 · 256 · 2 B = 2 MiB;
    // 8192² · 2 B = 128 MiB, · 32 · 32 = 128 GiB (137.4 GB); 50² · 1000 · 2 B = 5,000,000 B.
    // Bahdanau 2014, appendix A.2: 1,000 units in the alignment model.
    expect(
      texts('pairs_long', 'additive_memory', 'dot_memory', 'ratio', 'half_memory', 'tanh_count'),
    ).toEqual(['16,777,216', '8 GiB', '32 MiB', '256', '2 MiB', '42.9亿']);
    expect(texts('doubled_memory', 'full_memory', 'short_memory', 'pairs_teaching')).toEqual([
      '128 MiB',
      '128 GiB',
      '4.77 MiB',
      '25',
    ]);
    expect(value('bahdanau_hidden')).toBe(1000);
    expect(value('multiply_count')).toBe(4096 * 4096 * 256);
  });
});

describe('the table of scores', () => {
  it('contains q·k of every pair', () => {
    const {world} = context;
    const product = (x: number[], w: number[][]) =>
      w[0]!.map((_, c) => x.reduce((sum, a, r) => sum + a * w[r]![c]!, 0));
    NAMES.forEach((asking, i) => {
      const q = product(world.embeddings[i]!, world.W_Q);
      NAMES.forEach((name, j) => {
        const k = product(world.embeddings[j]!, world.W_K);
        const score = q.reduce((sum, x, d) => sum + x * k[d]!, 0);
        expect(value(`s_${asking}_${name}`)).toBeCloseTo(score, 12);
      });
    });
    // The row that lesson 3 uses.
    expect(texts(...NAMES.map((name) => `s_geile_${name}`))).toEqual(
      texts(...NAMES.map((name) => `score_${name}`)),
    );
  });
});

describe('the questions of lesson 2', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(lessonQuestions);
    // T²·d_a ÷ T²; a_i + b_j; (2T)² ÷ T²; tanh is not linear; 5 · 5; 2, 4, −1 + 2; 0.5 + 1 + 2.
    expect(right('how-many-times')).toBe(256);
    expect(right('all-alike')).toBe('每一行都是同一个');
    expect(right('twice-as-long')).toBe(4);
    expect(right('pairwise-step')).toBe('tanh(W₁q＋W₂k)');
    expect(right('how-many-scores')).toBe(25);
    expect(right('best-key')).toBe('(0, 2)');
    expect(right('bound')).toBe(3.5);
  });
});
