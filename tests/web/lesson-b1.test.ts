import {describe, expect, it} from 'vitest';
import {startingWith, walk, WORDS} from '../../lessons/c3/b1/example.js';
import lessonNumbers from '../../lessons/c3/b1/numbers.js';
import questions from '../../lessons/c3/b1/questions.js';
import chapterNumbers from '../../lessons/c3/numbers.js';
import {rowsOf} from '../../web/core.js';
import {authorsContext, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const context = await authorsContext();
const numbers = {...chapterNumbers(context), ...lessonNumbers(context)};
const {texts, value} = printed(numbers);

describe('the three weaknesses of a recurrent network', () => {
  it('are a state of about 10 numbers per word: 512 for 50 words', () => {
    expect(texts('state_width', 'words', 'per_word')).toEqual(['512', '50', '10.2']);
    // 512 ÷ 4096 = 1/8
    expect(texts('per_token_long')).toEqual(['0.125']);
  });

  it('are a share of 0.9⁴⁹ ≈ 0.006 of the first word after 49 updates', () => {
    expect(texts('hops', 'keep', 'left_words')).toEqual(['49', '0.9', '0.006']);
    expect(value('left_words')).toBeCloseTo(Math.exp(49 * Math.log(0.9)), 14);
    // log₁₀ 0.9 = −0.0457575, × 4095 = −187.377: 4.2×10⁻¹⁸⁸
    expect(texts('left_long')).toEqual(['4.2×10⁻¹⁸⁸']);
    // e^(49 ln 0.99) = e^−0.49246 = 0.6111; 4095 ln 0.99 = −41.156: 1.34×10⁻¹⁸
    expect(texts('gate_words', 'gate_long')).toEqual(['61.1 %', '1.3×10⁻¹⁸']);
  });

  it('are 4,096 sequential steps per layer and 4,095 updates of the first token', () => {
    expect(texts('rnn_length', 'rnn_updates')).toEqual(['4,096', '4,095']);
  });

  it('are not the multiply-adds: 512³ = 134 million on either side', () => {
    expect(texts('one_product')).toEqual(['134,217,728']);
    // 4096 · 2¹⁸ = 2³⁰ = 10.7亿; 2²⁴ · 2⁹ = 2³³ = 85.9亿; 2³³⁻³⁰ = 8
    expect(texts('walked_long', 'scored_long', 'work_ratio')).toEqual(['10.7亿', '85.9亿', '8']);
  });
});

describe('the small RNN on the teaching sentence', () => {
  it('follows its formula', () => {
    const embeddings = context.world.embeddings;
    let state = [0, 0, 0, 0];
    for (const [t, id] of ['xiaoming', 'ba', 'pingguo', 'geile', 'xiaowang'].entries()) {
      state = state.map((h, i) => Math.tanh(0.3 * embeddings[t]![i]! + 0.9 * h));
      state.forEach((h, i) => expect(value(`h_${id}_${i + 1}`)).toBeCloseTo(h, 12));
    }
  });

  it('loses the difference of the first token sooner than the bound', () => {
    // The states differ in 身份 alone: tanh 0.18 + tanh 0.18 = 2 · 0.178081 = 0.356162
    expect(value('apart_first')).toBeCloseTo(2 * Math.tanh(0.18), 12);
    expect(value('apart_sentence')).toBeLessThan(value('apart_first') * 0.9 ** 3);
    // Below half of the step between neighbouring BF16 numbers, 2⁻⁹.
    expect(value('apart_words')).toBeLessThan(2 ** -10);
    expect(value('reach_words')).toBeLessThan(value('left_words'));
  });

  it('has the gradient of the chain rule on the repeated sentence', () => {
    // Both matrices are multiples of I: each component's derivative is the product of 0.9·(1 − h²).
    const through = [1, 1, 1, 1];
    let state = [0, 0, 0, 0];
    for (let t = 0; t < 50; t++) {
      const token = context.world.embeddings[t % 5]!;
      state = state.map((h, i) => Math.tanh(0.3 * token[i]! + 0.9 * h));
      if (t > 0) state.forEach((h, i) => (through[i]! *= 0.9 * (1 - h * h)));
    }
    expect(value('reach_words')).toBeCloseTo(Math.hypot(...through) / 2, 12);
  });

  it('ends in one state for either first token when stored as BF16', () => {
    // 8 binary digits from the largest power of two in the number on.
    const bf16 = (x: number) => {
      const step = 2 ** (Math.floor(Math.log2(Math.abs(x))) - 7);
      return Math.round(x / step) * step;
    };
    const kept = ([0, 4] as const).map((name) => {
      const {states} = walk(
        context.sequence,
        context.world,
        startingWith(context.world, name, WORDS),
      );
      return rowsOf(states).at(-1)!.map(bf16);
    });
    expect(kept[0]).toEqual(kept[1]);
  });
});

describe('comparisons', () => {
  it('give the fixed state of the anchor: 144 MiB, as much as 2,304 tokens of cache', () => {
    expect(texts('state_total', 'state_tokens', 'n_linear_layers', 'n_full_layers')).toEqual([
      '144 MiB',
      '2,304',
      '48',
      '16',
    ]);
  });

  it('quote the two papers', () => {
    expect(texts('bleu_fixed', 'bleu_search', 'bleu_gnmt', 'bleu_base')).toEqual([
      '17.82',
      '26.75',
      '24.6',
      '27.3',
    ]);
    for (const id of [
      'bleu_fixed',
      'bleu_search',
      'bleu_gnmt',
      'bleu_base',
      'flops_gnmt',
      'flops_base',
    ]) {
      expect(numbers[id]?.kind).toBe('quoted');
      expect(numbers[id]?.inputs[0]?.source).toMatch(/，表\d/);
    }
  });
});

describe('the questions of branch B1', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(questions({...context, numbers}));
    // 100 · 0.9⁴⁹; the fading above; 512·512·512 on both sides; T − 1; only the capacity depends on
    // the width; 100 · 0.99⁴⁹; T ÷ d.
    expect(right('first-left')).toBeCloseTo(100 * 0.9 ** 49, 10);
    expect(right('names-apart')).toBe('差不到0.001');
    expect(right('same-work')).toBe('一样多');
    expect(right('updates')).toBe(4095);
    expect(right('wider')).toMatch(/^容量/);
    expect(right('gate')).toBeCloseTo(100 * 0.99 ** 49, 10);
    expect(right('longer-work')).toBe(8);
  });
});
