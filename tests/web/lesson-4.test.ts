import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import chapterNumbers from '../../lessons/c3/numbers.js';
import lessonNumbers from '../../lessons/c3/l04/numbers.js';
import questions from '../../lessons/c3/l04/questions.js';
import type {NumberContext, NumberSpec} from '../../web/site/numbers.js';
import {authorsContexts} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

let context: (change?: Record<string, number>) => NumberContext;
beforeAll(async () => {
  context = await authorsContexts();
});

const all = (): Record<string, NumberSpec> => ({
  ...chapterNumbers(context()),
  ...lessonNumbers(context()),
});

const textsOf = (expected: Record<string, string>) => {
  const numbers = all();
  return Object.fromEntries(Object.keys(expected).map((id) => [id, numbers[id]?.text]));
};

describe('the row of 给了', () => {
  it('has the weights worked by hand, without a mask and with it', () => {
    // Scaled scores: half of 3.7708, −1.9284, 4.4924, −2.3248, 4.1756 (see lesson 3).
    const scores = [1.8854, -0.9642, 2.2462, -1.1624, 2.0878];
    const share = (visible: number) => {
      const parts = scores.slice(0, visible).map(Math.exp);
      const sum = parts.reduce((total, part) => total + part, 0);
      return parts.map((part) => part / sum);
    };
    const numbers = all();
    const names = ['xiaoming', 'ba', 'pingguo', 'geile', 'xiaowang'];
    names.forEach((name, i) => {
      expect(numbers[`half_${name}`]?.value).toBeCloseTo(scores[i]!, 12);
      expect(numbers[`free_${name}`]?.value).toBeCloseTo(share(5)[i]!, 12);
      expect(numbers[`masked_${name}`]?.value).toBeCloseTo(share(4)[i] ?? 0, 12);
    });
    expect(numbers['masked_xiaowang']?.value).toBe(0);
  });

  it('prints the values that the chapter states', () => {
    const expected = {
      weight_answer: '32.5 %',
      free_xiaoming: '26.6 %',
      free_ba: '1.5 %',
      free_pingguo: '38.1 %',
      free_geile: '1.3 %',
      masked_xiaoming: '39.4 %',
      masked_ba: '2.3 %',
      masked_pingguo: '56.5 %',
      masked_geile: '1.9 %',
      // 38.11 ÷ 26.57 = 56.48 ÷ 39.37
      free_ratio: '1.43',
      masked_ratio: '1.43',
      // 1 − 0.325263
      after_geile: '0.675',
    };
    expect(textsOf(expected)).toEqual(expected);
  });

  it('is bit for bit the row of the prefix alone', () => {
    expect(all()['prefix_difference']?.value).toBe(0);
  });
});

describe('the numbers of lesson 4', () => {
  it('count prefixes, pairs and cells', () => {
    const expected = {
      // 1 + 2 + 3 + 4; 4096·4095/2
      n_questions: '4',
      prefix_positions: '10',
      long_prefix: '8,386,560',
      // 5·6/2 of 25; 4097/8192
      causal_pairs: '15',
      causal_share: '60.0 %',
      long_share: '50.01 %',
      // 15 of 21; (1+2+3+4+5+5+5) + (1+2+3+3+3+3+3) + 28 of 3·49
      pad_useful: '71.4 %',
      pad_pairs: '71',
      pad_square: '147',
      pad_pair_share: '48.3 %',
      // 15 + 6 + 28 pairs with real queries, and the rest of 71 with fillers as queries; 49 of 147
      pad_real_pairs: '49',
      pad_padding_pairs: '22',
      pad_real_pair_share: '33.3 %',
      pad_right_last: '3',
      query_empty: '4',
      // (2048 + 16)/4096; (2048 + 4·16)/(5·2048)
      two_useful: '50.4 %',
      four_useful: '20.6 %',
      // 15 + 6 of 64; the causal mask alone has 36
      pack_useful: '100.0 %',
      pack_pairs: '21',
      pack_pair_share: '32.8 %',
      cross_pairs: '15',
      // 1 + 2 + 3 + 3 + 3 of 25
      window_pairs: '12',
      window_share: '48.0 %',
      // Cells: 4096·4097/2 + 126,976·4096 = 528,484,352; 131072² and 131072·131073/2 over it.
      wide_ratio: '32',
      wide_saving: '32.51',
      wide_saving_causal: '16.25',
      // 32·4095
      wide_reach: '131,040',
    };
    expect(textsOf(expected)).toEqual(expected);
  });

  it('give the results of the wrong ways of hiding', () => {
    const expected = {
      // 1/(1+e), e/(1+e); e, e², 1 over their sum 11.1073
      hand_1: '26.9 %',
      hand_2: '73.1 %',
      zero_1: '24.5 %',
      zero_2: '66.5 %',
      zero_3: '9.0 %',
      // e^(−6000) is 0
      fill_hidden: '100.0 %',
      add_left: '6,000',
      // 238 steps of 2²²
      bf16_constant: '−998,244,352',
      bf16_step: '4,194,304',
      fp16_max: '65,504',
    };
    expect(textsOf(expected)).toEqual(expected);
    expect(all()['zero_3']?.value).toBeCloseTo(0.090031, 6);
  });

  it('have a lower loss with a leak, in our two recorded runs of 300 steps', () => {
    const record = (name: string) =>
      JSON.parse(readFileSync(`lessons/case/${name}.json`, 'utf8')) as {
        finalLoss: number;
        stepsDone: number;
        seed: number;
      };
    const [leak, right] = [record('failure-hidden-as-zero'), record('failure-scaled')];
    const expected = {
      leak_loss: leak.finalLoss.toFixed(3),
      right_loss: right.finalLoss.toFixed(3),
      leak_steps: String(right.stepsDone),
    };
    expect(textsOf(expected)).toEqual(expected);
    expect(all()['leak_loss']?.kind).toBe('recorded');
    expect(leak.finalLoss).toBeLessThan(right.finalLoss);
    expect([leak.stepsDone, leak.seed]).toEqual([right.stepsDone, right.seed]);
  });

  it('give a row without visible keys no weight, its own value, or the mean of all', () => {
    // v of the filler is half the column sums of W_V: (0.5, 1, 0.5, 0.5). The tokens' values are
    // (人, 2·身份, 物, 语法): sums over the sentence 2.4, 2·0.3, 1.6, 2.2; and two fillers.
    const mean = [(2.4 + 1) / 7, (0.6 + 2) / 7, (1.6 + 1) / 7, (2.2 + 1) / 7];
    const numbers = all();
    for (let i = 0; i < 4; i++) {
      expect(numbers[`empty_zero_${i + 1}`]?.value).toBe(0);
      expect(numbers[`empty_self_${i + 1}`]?.value).toBeCloseTo([0.5, 1, 0.5, 0.5][i]!, 12);
      expect(numbers[`empty_mean_${i + 1}`]?.value).toBeCloseTo(mean[i]!, 12);
    }
    const expected = {
      empty_zero_sum: '0.000',
      empty_self_sum: '1.000',
      empty_self_real: '0.0 %',
      empty_mean_sum: '1.000',
      empty_mean_real: '71.4 %',
    };
    expect(textsOf(expected)).toEqual(expected);
  });
});

describe('the questions of lesson 4', () => {
  it('have the answers of a derivation', () => {
    const lessonQuestions = questions({...context(), numbers: all()});
    const right = rightAnswers(lessonQuestions);
    expect(right('prefix-positions')).toBe(10);
    // e^2.2462 over the sum of the first four
    expect(right('masked-weight')).toBeCloseTo(56.48, 2);
    expect(right('zero-hidden')).toMatch(/^大于0/);
    expect(right('left-first')).toBe('0个');
    expect(right('useful-share')).toBe('一半多一点');
    expect(right('after-sum')).toBeCloseTo(1 - 0.3252632, 6);
    expect(right('packed-visible')).toBe(2);
    expect(right('window-edge')).toBe(4);
    expect(right('which-test')).toMatch(/^换掉最后一个词元/);
  });
});
