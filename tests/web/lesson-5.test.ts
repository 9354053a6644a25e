import {describe, expect, it} from 'vitest';
import lessonNumbers from '../../lessons/c3/l05/numbers.js';
import questions from '../../lessons/c3/l05/questions.js';
import errataNumbers from '../../lessons/errata/numbers.js';
import {authorsContext, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const context = await authorsContext();
const numbers = lessonNumbers(context);
const {texts, value} = printed(numbers);

describe('the output of 给了', () => {
  it('has the masked row that the chapter states', () => {
    expect(texts('row_xiaoming', 'row_ba', 'row_pingguo', 'row_geile')).toEqual([
      '39.4 %',
      '2.3 %',
      '56.5 %',
      '1.9 %',
    ]);
  });

  it('distinguishes the two people by their values and not by their keys', () => {
    // v[小明] = (1, 2·0.6, 0.1, 0.2), v[小王] = (1, −2·0.6, 0.1, 0.1):
    // v·v = 1 − 1.44 + 0.01 + 0.02 = −0.41; |v| = √2.49, √2.46: −0.41 ÷ 2.4750 = −0.1657.
    expect(value('cos_v_names')).toBeCloseTo(-0.41 / Math.sqrt(2.49 * 2.46), 12);
    // e = (1, 0.1, 0.2, 0.6), (1, 0.1, 0.1, −0.6): 1 + 0.01 + 0.02 − 0.36 = 0.67 over √1.41·√1.38.
    expect(value('cos_e_names')).toBeCloseTo(0.67 / Math.sqrt(1.41 * 1.38), 12);
    expect(value('giver_keys')).toBeGreaterThan(0.99);
    expect(value('giver_told')).toBeGreaterThan(0.5);
    expect(value('giver_changed')).toBeLessThan(-0.4);
  });

  it('is the sum of its parts', () => {
    // Σ w·v with the masked weights 0.393731, 0.022784, 0.564797, 0.018688 and V by hand.
    const w = [0.393731, 0.022784, 0.564797, 0.018688];
    const v = [
      [1, 1.2, 0.1, 0.2],
      [0.1, 0.4, 0.2, 0.8],
      [0.1, 0.2, 1, 0.1],
      [0.2, 0, 0.2, 1],
    ];
    for (const c of [0, 1, 2, 3]) {
      expect(value(`out_${c + 1}`)).toBeCloseTo(
        w.reduce((sum, x, j) => sum + x * v[j]![c]!, 0),
        5,
      );
    }
    const parts = ['xiaoming', 'ba', 'pingguo', 'geile'].map((name) => value(`part_${name}`));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(value('out_2'), 12);
  });

  it('does not depend on the order of the previous tokens', () => {
    expect(value('order_difference')).toBeLessThan(1e-12);
  });
});

describe('the examples for pencil and paper', () => {
  it('have the results of the text’s matrices', () => {
    // Scores 1, 0, 1: weights e, 1, e over 2e + 1; ÷ √2: e^0.7071 in place of e.
    expect(texts('hand_w1', 'hand_w2', 'hand_w3')).toEqual(['42.2 %', '15.5 %', '42.2 %']);
    expect(texts('hand_out1', 'hand_out2')).toEqual(['1.267', '0.733']);
    expect(texts('hand_scaled_out1', 'hand_scaled_out2')).toEqual(['1.203', '0.797']);
    expect(texts('hand_entropy', 'hand_entropy_sharp')).toEqual(['0.926', '0.758']);
  });

  it('have the slopes w(v − output) of the lookup', () => {
    const parts = [2, 1.5, -1].map(Math.exp);
    const sum = parts.reduce((total, part) => total + part, 0);
    const output = (10 * parts[0]! + 20 * parts[1]!) / sum;
    expect(value('lookup_soft')).toBeCloseTo(output, 12);
    [10, 20, 0].forEach((v, i) =>
      expect(value(`lookup_slope_${i + 1}`)).toBeCloseTo((parts[i]! / sum) * (v - output), 12),
    );
  });
});

describe('the errata page', () => {
  it('prints the results of other values', () => {
    // (1 − 0.15536, 1 − 0.42232) unscaled, (1 − 0.19777, 1 − 0.40111) scaled, with v = k.
    const errata = errataNumbers(context);
    expect(
      ['unit_out1', 'unit_out2', 'unit_scaled_out1', 'unit_scaled_out2'].map(
        (id) => errata[id]?.text,
      ),
    ).toEqual(['0.845', '0.578', '0.802', '0.599']);
  });
});

describe('the questions of lesson 5', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(questions({...context, numbers}));
    // 0.995; 3e ÷ (2e + 1); argmax is flat off its edges; one visible key has weight 1; the output
    // is linear in V; 2q·k/2 = q·k; 0.394·1.2 > 0.565·0.2; every v sums to 2.
    expect(right('key-likeness')).toMatch(/^接近1/);
    expect(right('hand-output')).toBeCloseTo((3 * Math.E) / (2 * Math.E + 1), 12);
    expect(right('hard-slope')).toBe('一点不变');
    expect(right('self-only')).toMatch(/^各自的值/);
    expect(right('double-values')).toMatch(/^权重不变/);
    expect(right('trade-scale')).toBe('不变');
    expect(right('identity-giver')).toBe('小明');
    expect(right('hand-second')).toBeCloseTo(2, 12);
  });
});
