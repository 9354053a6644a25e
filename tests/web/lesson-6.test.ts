import {describe, expect, it} from 'vitest';
import lessonNumbers from '../../lessons/c3/l06/numbers.js';
import chapterNumbers from '../../lessons/c3/numbers.js';
import questions from '../../lessons/c3/l06/questions.js';
import errataNumbers from '../../lessons/errata/numbers.js';
import {authorsContext, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const context = await authorsContext();
const numbers = {...chapterNumbers(context), ...lessonNumbers(context)};
const {texts, value} = printed(numbers);

describe('the sentence in another order', () => {
  it('changes nothing without a mask: attention(PX) = P·attention(X)', () => {
    expect(value('bare_most')).toBeLessThan(1e-12);
    expect(value('order_difference')).toBeLessThan(1e-12);
  });

  it('changes the output from the second causal layer on, as a slow version finds', () => {
    // Q = K = V = X, ÷ √4; every row sees itself and the rows before it.
    const layer = (x: number[][]) =>
      x.map((q, i) => {
        const parts = x
          .slice(0, i + 1)
          .map((k) => Math.exp(k.reduce((sum, c, d) => sum + c * q[d]!, 0) / 2));
        const sum = parts.reduce((total, part) => total + part, 0);
        return q.map((_, d) => parts.reduce((o, part, j) => o + (part / sum) * x[j]![d]!, 0));
      });
    const x = context.world.embeddings;
    const shuffled = [2, 1, 0, 3, 4].map((token) => x[token]!);
    const gap = (a: number[], b: number[]) => Math.max(...a.map((v, d) => Math.abs(v - b[d]!)));
    const [once, onceShuffled] = [layer(x), layer(shuffled)];
    expect(value('single_geile')).toBeLessThan(1e-12);
    expect(value('single_xiaoming')).toBeCloseTo(gap(once[0]!, onceShuffled[2]!), 12);
    expect(value('deep_geile')).toBeCloseTo(gap(layer(once)[3]!, layer(onceShuffled)[3]!), 12);
    expect(value('deep_geile')).toBeGreaterThan(0.1);
    expect(value('rope_xiaoming')).toBeGreaterThan(0.01);
  });

  it('is outweighed by large position numbers', () => {
    // 小明 (1, 0.1, 0.2, 0.6), 苹果 (0.1, 1, 0.1, 0.1): 0.1 + 0.1 + 0.02 + 0.06 = 0.28 over
    // √1.41·√1.03.
    expect(value('drown_0')).toBeCloseTo(0.28 / Math.sqrt(1.41 * 1.03), 12);
    expect(texts('drown_far', 'short_step', 'long_step')).toEqual(['1.000', '0.2', '0.001']);
  });
});

describe('sinusoidal codes', () => {
  it('are the table of four columns', () => {
    const rows = [0, 1, 2, 3].map((p) => texts(...[0, 1, 2, 3].map((c) => `pe_${p}_${c}`)));
    expect(rows).toEqual([
      ['0.0000', '1.0000', '0.0000', '1.0000'],
      ['0.8415', '0.5403', '0.0100', '1.0000'],
      ['0.9093', '−0.4161', '0.0200', '0.9998'],
      ['0.1411', '−0.9900', '0.0300', '0.9996'],
    ]);
  });

  it('keep neighbours 0.9589 apart, and repeat at their wavelengths', () => {
    // √((2 sin 0.5)² + (2 sin 0.005)²); 2π, 200π; 2π·10000^(510/512); sin and cos of 44 and 100.
    expect(texts('pe_step', 'pe_step_50')).toEqual(['0.9589', '0.9589']);
    expect(texts('wave_0', 'wave_1')).toEqual(['6.3', '628.3']);
    expect(value('wave_512')).toBeCloseTo(2 * Math.PI * 10000 ** (510 / 512), 6);
    expect(texts('fast_sin_44', 'fast_cos_44', 'fast_sin_100', 'fast_cos_100')).toEqual([
      '0.018',
      '0.9998',
      '−0.506',
      '0.862',
    ]);
  });
});

describe('equal distances at different positions', () => {
  it('have equal scores to ten digits with rotation, and not with added codes', () => {
    expect(texts('rot_0', 'rot_10', 'rot_40', 'rot_1000000')).toEqual(
      Array(4).fill(numbers['rot_0']?.text),
    );
    expect(numbers['rot_exact_0']?.text).toBe(numbers['rot_exact_far']?.text);
    expect(value('rot_spread')).toBeLessThan(1e-12);
    expect(value('sin_spread')).toBeGreaterThan(0.5);
    expect(value('table_spread')).toBeGreaterThan(0.5);
    expect(Math.abs(value('rot_other') - value('rot_0'))).toBeGreaterThan(0.01);
  });

  it('reveal the position when V is rotated as well', () => {
    expect(value('leak_kept')).toBeLessThan(1e-12);
    expect(value('leak_turned')).toBeGreaterThan(0.5);
    expect(texts('kept_0', 'kept_10')).toEqual([numbers['kept_0']?.text, numbers['kept_0']?.text]);
  });

  it('agree with two components worked by hand', () => {
    // (cos 3, sin 3)·(cos 1, sin 1) = cos 2 = (cos 12, sin 12)·(cos 10, sin 10).
    expect(texts('hand_q_1', 'hand_q_2', 'hand_k_1', 'hand_k_2')).toEqual([
      '−0.990',
      '0.141',
      '0.540',
      '0.841',
    ]);
    expect(value('hand_near')).toBeCloseTo(Math.cos(2), 14);
    expect(value('hand_far')).toBeCloseTo(Math.cos(2), 14);
    expect(texts('same_place', 'three_apart', 'six_apart')).toEqual(['1.000', '−0.990', '0.960']);
  });
});

describe('positions in models', () => {
  it('are rotated in 64 of the anchor’s 256 dimensions', () => {
    expect(texts('head_dim', 'rotary_dims', 'rotary_pairs', 'unrotated_dims')).toEqual([
      '256',
      '64',
      '32',
      '192',
    ]);
    expect(texts('gptj_head', 'gptj_rotary', 'mla_rope')).toEqual(['256', '64', '64']);
    // The part without rotation is equal at any distance; the rotated part is not.
    expect(numbers['part_still_3']?.text).toBe(numbers['part_still_30']?.text);
    expect(numbers['part_turned_3']?.text).not.toBe(numbers['part_turned_30']?.text);
  });

  it('have no row 64, and no distance beyond 4095', () => {
    // 1024·768; 4096 − 1; 131072 ÷ 4096; 1 ÷ 32; 10000·32^(128/126).
    expect(texts('places', 'last_place', 'gpt2_table')).toEqual(['64', '63', '786,432']);
    expect(texts('farthest_seen', 'farthest_wanted', 'stretch', 'squeezed_step')).toEqual([
      '4,095',
      '131,071',
      '32',
      '0.0313',
    ]);
    expect(value('ntk_base')).toBeCloseTo(10000 * 32 ** (128 / 126), 6);
  });
});

describe('the errata page', () => {
  it('has the wavelength and the near repeat', () => {
    const errata = errataNumbers(context);
    // 2π·10000^(2/4), 2π·10000^(510/512), 2π·10000
    expect(['wave_1', 'wave_512', 'wave_512_naive'].map((id) => errata[id]?.text)).toEqual([
      '628.3',
      '60,611',
      '62,832',
    ]);
  });
});

describe('the questions of lesson 6', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(questions({...context, numbers}));
    // P·attention(X); equal chords; R_m and R_n leave R_{n−m}; V is not multiplied by another
    // rotation; rows 0 … 63; 256 − 64; 4096 − 1; cos(φ + 3θ) ≠ cos(φ − 3θ); keys of the second
    // layer depend on their prefixes.
    expect(right('shuffle-bare')).toBe('一个数都不变');
    expect(right('code-distance')).toBe('一样');
    expect(right('rotary-far')).toMatch(/^还是/);
    expect(right('turn-values')).toBe('跟着位置变');
    expect(right('missing-row')).toBe(64);
    expect(right('unrotated')).toBe(192);
    expect(right('farthest')).toBe(4095);
    expect(right('order-back')).toBe('一般不一样');
    expect(right('deep-order')).toBe('第2层');
  });
});
