import {beforeAll, describe, expect, it} from 'vitest';
import chapterNumbers from '../../lessons/c3/numbers.js';
import lessonNumbers from '../../lessons/c3/l03/numbers.js';
import questions from '../../lessons/c3/l03/questions.js';
import errataNumbers from '../../lessons/errata/numbers.js';
import type {NumberContext, NumberSpec} from '../../web/site/numbers.js';
import {authorsContexts} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

let context: (change?: Record<string, number>) => NumberContext;
beforeAll(async () => {
  context = await authorsContexts();
});

function allNumbers(change: Record<string, number> = {}): Record<string, NumberSpec> {
  return {...chapterNumbers(context(change)), ...lessonNumbers(context(change))};
}

const texts = (numbers: Record<string, NumberSpec>, ids: string[]) =>
  ids.map((id) => numbers[id]?.text);

describe('the teaching sentence', () => {
  it('gives row 给了 the scores of its two-decimal vectors', () => {
    // e[给了] = (0.2, 0.2, 1, 0), so q = 0.2·W_Q[0] + 0.2·W_Q[1] + W_Q[2]
    //   = (2.066, −2.382, 1.884, 1.432);
    // k[小明] = (2, 0.4, 0.2, 0.15): 4.132 − 0.9528 + 0.3768 + 0.2148 = 3.7708
    // k[把]   = (0.2, 1.6, 0.4, 0.5): 0.4132 − 3.8112 + 0.7536 + 0.716 = −1.9284
    // k[苹果] = (0.2, 0.2, 2, 0.55): 0.4132 − 0.4764 + 3.768 + 0.7876 = 4.4924
    // k[给了] = (0.4, 2, 0.4, 0.6): 0.8264 − 4.764 + 0.7536 + 0.8592 = −2.3248
    // k[小王] = (2, 0.2, 0.2, 0.1): 4.132 − 0.4764 + 0.3768 + 0.1432 = 4.1756
    const numbers = allNumbers();
    const names = ['xiaoming', 'ba', 'pingguo', 'geile', 'xiaowang'];
    const scores = [3.7708, -1.9284, 4.4924, -2.3248, 4.1756];
    names.forEach((name, i) => expect(numbers[`score_${name}`]?.value).toBeCloseTo(scores[i]!, 12));

    const share = (divisor: number) => {
      const parts = scores.map((score) => Math.exp(score / divisor));
      const sum = parts.reduce((total, part) => total + part, 0);
      return parts.map((part) => part / sum);
    };
    names.forEach((name, i) => {
      expect(numbers[`raw_${name}`]?.value).toBeCloseTo(share(1)[i]!, 12);
      expect(numbers[`scaled_${name}`]?.value).toBeCloseTo(share(2)[i]!, 12);
    });
  });

  it('meets the requirements of the chapter', () => {
    // The vectors were chosen to meet these values to the printed digit.
    const numbers = allNumbers();
    expect(texts(numbers, ['raw_xiaowang', 'scaled_xiaowang', 'weight_answer'])).toEqual([
      '32.9 %',
      '32.5 %',
      '32.5 %',
    ]);
    expect(texts(numbers, ['cos_geile', 'cos_k_names'])).toEqual(['1.000', '0.995']);
    expect(texts(numbers, ['causal_pingguo', 'causal_xiaoming'])).toEqual(['56.5 %', '39.4 %']);
    expect(texts(numbers, ['head_a_xiaoming', 'head_b_pingguo'])).toEqual(['89.5 %', '77.0 %']);
    expect(texts(numbers, ['sink_score_xiaoming', 'sink_score_ba', 'sink_score_pingguo'])).toEqual([
      '0.04',
      '0.36',
      '0.00',
    ]);
    const value = (id: string) => Number(numbers[id]?.value);
    expect(value('cos_xiaoming')).toBeGreaterThan(value('cos_pingguo'));
    expect(value('cos_pingguo')).toBeGreaterThan(value('cos_xiaowang'));
  });
});

describe('the numbers of lesson 3', () => {
  it('have the shares and softmax of the sample rows, worked by hand', () => {
    // 10 ÷ 9, 3 ÷ 9, −4 ÷ 9; then 14 ÷ 21, 7 ÷ 21, 0; with −11: 21, 14, 7, 0 over 42.
    // softmax(8, 7, 9) = (e⁻¹, e⁻², 1) ÷ 1.50321 = 0.2447, 0.0900, 0.6652.
    const numbers = allNumbers();
    expect(texts(numbers, ['share_apple', 'share_pear', 'share_car'])).toEqual([
      '111.1 %',
      '33.3 %',
      '−44.4 %',
    ]);
    expect(texts(numbers, ['shift_apple', 'shift_pear', 'shift_car', 'shift_ratio'])).toEqual([
      '66.7 %',
      '33.3 %',
      '0.0 %',
      '2.0',
    ]);
    expect(texts(numbers, ['stone_apple', 'stone_pear', 'stone_car', 'stone_ratio'])).toEqual([
      '50.0 %',
      '33.3 %',
      '16.7 %',
      '1.5',
    ]);
    expect(texts(numbers, ['soft_a', 'soft_b', 'soft_c'])).toEqual(['24.5 %', '9.0 %', '66.5 %']);
    // softmax(10, 3, −4) = (1, e⁻⁷, e⁻¹⁴) ÷ 1.000913 = 0.99909, 0.00091; e⁷ = 1096.63.
    expect(texts(numbers, ['soft_apple', 'soft_pear', 'soft_ratio'])).toEqual([
      '99.91 %',
      '0.09 %',
      '1,097',
    ]);
    expect(numbers['soft_ratio']?.text).toBe(numbers['soft_stone_ratio']?.text);
  });

  it('agree with the derivation within the error of the sample', () => {
    // 10,000 products for each dimension: the standard deviation of a standard deviation is about 1
    // %, and four of them are allowed. For large d, two scores of a row differ like N(0, 2d): P(gap
    // > 10) = 0.659 and P(gap > 20) = 0.377 at d = 256; rows share q, hence the wide margin.
    const numbers = allNumbers();
    const value = (id: string) => Number(numbers[id]?.value);
    for (const [id, d] of [
      ['d4', 4],
      ['d64', 64],
      ['head', 256],
    ] as const) {
      expect(value(`std_${id}`) / Math.sqrt(d)).toBeCloseTo(value(`std_scaled_${id}`), 12);
      expect(Math.abs(value(`std_scaled_${id}`) - 1)).toBeLessThan(0.04);
    }
    expect(Math.abs(value('above10_head') - 0.659)).toBeLessThan(0.03);
    expect(Math.abs(value('above20_head') - 0.377)).toBeLessThan(0.03);
  });

  it.each([64, 128, 256])(
    'finds most rows of %i dimensions won by one token, and a few close',
    (head_dim) => {
      // One-hot rows have ‖J‖ near 0, and a tie of two keys has 0.5. So the few tied rows make up
      // the mean, and the median is far below it. Divided by √d all dimensions have similar rows,
      // and mean and median are close.
      const numbers = allNumbers({head_dim});
      const value = (id: string) => Number(numbers[id]?.value);
      expect(value('jacobian_head')).toBeLessThan(value('jacobian_mean_head') / 3);
      expect(value('jacobian_mean_head')).toBeLessThan(value('jacobian_mean_scaled_head') / 2);
      expect(value('jacobian_mean_scaled_head') / value('jacobian_scaled_head')).toBeCloseTo(1, 1);
    },
  );

  it('label given values as given, and print a seed without separators', () => {
    const numbers = allNumbers();
    const seed = numbers['std_head']?.inputs.find(({name}) => name === '随机种子');
    expect(seed).toEqual({name: '随机种子', value: '20261014', source: '给定的值'});
    expect(numbers['rnn_length']?.kindName).toBe('给定的值');
  });

  it('count the cache in bytes', () => {
    // Full-attention layers × 2 × heads × head_dim × 2 B: 16·2·24·256·2 = 393,216 and so on;
    // latent: layers × (512 + 64) × 2 B.
    const numbers = allNumbers();
    const expected = {
      mha_token: '393,216 B',
      mha_token_binary: '384 KiB',
      mha_total: '96 GiB',
      mqa_token_binary: '16 KiB',
      mqa_total: '4 GiB',
      gqa_token_binary: '64 KiB',
      gqa_total: '16 GiB',
      llm67_token: '389,120 B',
      llm67_mha_token: '3,112,960 B',
      llm67_total: '380 GiB',
      v2_token: '69,120 B',
      v3_token: '70,272 B',
      v2_saving: '82.2 %',
      glm_token: '89,856 B',
      glm_total: '87.75 GiB',
      state_total: '144 MiB',
      additive_memory: '8 GiB',
      dot_memory: '32 MiB',
      decode_all: '9',
      decode_repeated: '5',
      decode_cached: '4',
    };
    expect(Object.fromEntries(Object.keys(expected).map((id) => [id, numbers[id]?.text]))).toEqual(
      expected,
    );
  });
});

describe('a changed config', () => {
  const ofAnchorWidth = (spec: NumberSpec) =>
    spec.inputs.some(({source}) => source.endsWith('anchor-model.json · head_dim'));

  it('changes every number made from head_dim, and no other', () => {
    const before = allNumbers();
    const after = allNumbers({head_dim: 128});
    const changed = Object.keys(before).filter((id) => before[id]?.text !== after[id]?.text);
    const dependent = Object.keys(before).filter((id) => ofAnchorWidth(before[id]!));
    expect(dependent.length).toBeGreaterThan(20);
    expect(changed.sort()).toEqual(dependent.sort());
  });

  it('changes the answer of the question about it', () => {
    const answerWith = (change: Record<string, number>) =>
      questions({...context(change), numbers: allNumbers(change)})['dot-std']?.answer;
    expect(answerWith({})).toBe(16);
    expect(answerWith({head_dim: 64})).toBe(8);
  });
});

describe('the questions of lesson 3', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(questions({...context(), numbers: allNumbers()}));
    // 10 ÷ 9 > 1; 21 ÷ 14 < 14 ÷ 7; doubling the gaps sharpens; √d ÷ d = 1/√d;
    // ‖J‖ is 0.4, 0.5, 0; 2q·2k = 4 q·k; (Σw) ÷ √100 = 1/10.
    expect(right('share-negative')).toBe('比一整份还多');
    expect(right('shift-ratio')).toBe('变小');
    expect(right('softmax-close')).toBeCloseTo(100 / (1 + Math.exp(-1) + Math.exp(-2)), 10);
    expect(right('double-row')).toMatch(/^变得更尖/);
    expect(right('divide-by-d')).toBe('1/√d');
    expect(right('ratio-two')).toBeCloseTo(Math.E ** 2, 12);
    expect(right('jacobian-largest')).toMatch(/^两个各0.5/);
    expect(right('double-qk')).toMatch(/^4倍/);
    expect(right('divide-after')).toBeCloseTo(0.1, 12);
  });
});

describe('the errata page', () => {
  it('prints the numbers that the corrections claim', () => {
    // softmax(−1000, −1000, −1001) = (1, 1, e⁻¹) ÷ 2.36788; √63 ÷ 64 = 0.1240; ln 65504 = 11.09;
    // 0.02² · 32^1.5 = 0.0724; √√256 = 4.
    const numbers = errataNumbers(context());
    expect(texts(numbers, ['low_1', 'low_2', 'low_3'])).toEqual(['0.422', '0.422', '0.155']);
    expect(
      texts(numbers, ['jacobian_uniform_64', 'float16_limit', 'sweep_predicted', 'regrow']),
    ).toEqual(['0.124', '11.1', '0.072', '4']);
  });
});
