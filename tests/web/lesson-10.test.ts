import {describe, expect, it} from 'vitest';
import lessonNumbers from '../../lessons/c3/l10/numbers.js';
import questions from '../../lessons/c3/l10/questions.js';
import chapterNumbers from '../../lessons/c3/numbers.js';
import {authorsContext, printed} from './authors-context.js';
import {rightAnswers} from './right-answers.js';

const context = await authorsContext();
const numbers = {...chapterNumbers(context), ...lessonNumbers(context)};
const {texts, value} = printed(numbers);
const SEEN = ['xiaoming', 'ba', 'pingguo', 'geile'];
/** 2·95·8·128·2 B and 60·576·2 B. */
const LLM67 = 389120;
const V2 = 69120;

describe('the bytes of a token', () => {
  it('are as published', () => {
    // 2·95·64·128·2; 61·576·2; 78·576·2; 389,120·2²⁰ = 380 GiB; 89,856·2²⁰ = 87.75 GiB.
    expect(texts('llm67_mha_token', 'llm67_token', 'llm67_total')).toEqual([
      '3,112,960 B',
      '389,120 B',
      '380 GiB',
    ]);
    expect(texts('v2_token', 'v3_token', 'glm_token', 'mla_values')).toEqual([
      '69,120 B',
      '70,272 B',
      '89,856 B',
      '576',
    ]);
    expect(texts('glm_context', 'glm_total')).toEqual(['1,048,576', '87.75 GiB']);
  });

  it('fall by 82.2 %, and by 93.3 % with six bits', () => {
    expect(texts('v2_saving', 'v2_saving_official', 'six_bit_saving')).toEqual([
      '82.2 %',
      '93.3 %',
      '93.3 %',
    ]);
    expect(value('v2_saving')).toBeCloseTo(1 - V2 / LLM67, 14);
    expect(value('six_bit_saving')).toBeCloseTo(1 - (V2 * 6) / 16 / LLM67, 14);
    // One layer: 1 − 576 ÷ 2048.
    expect(texts('llm67_numbers', 'per_layer_saving')).toEqual(['2,048', '71.9 %']);
  });

  it('are those of DeepSeek-V3', () => {
    // 128·(128 + 64 + 128) = 40,960; ·61·2 B = 4,997,120; 61·7168·2 = 874,496.
    expect(texts('v3_whole', 'v3_whole_token', 'input_token', 'input_token_binary')).toEqual([
      '40,960',
      '4,997,120 B',
      '874,496 B',
      '854 KiB',
    ]);
    // 8·320 and 320 numbers a layer; 61·2,560·2 and 61·320·2 B.
    expect(texts('v3_gqa', 'v3_gqa_token', 'v3_mqa', 'v3_mqa_token')).toEqual([
      '2,560',
      '312,320 B',
      '320',
      '39,040 B',
    ]);
    // 40,960 ÷ 576 and ÷ 7168; 7168 ÷ 576; 576 ÷ 256; 128 + 64.
    expect(
      texts('whole_over', 'whole_over_input', 'input_over', 'groups_like', 'scale_width'),
    ).toEqual(['71.1', '5.7', '12.4', '2.25', '192']);
  });
});

describe('the cost of using a latent cache', () => {
  it('is 7,168 times as high when keys and values are computed again from x', () => {
    // 7168·40,960 = 293,601,280.
    expect(texts('use_products', 'remake_products', 'remake_over_use')).toEqual([
      '40,960',
      '2.9亿',
      '7,168',
    ]);
  });

  it('falls when the up-projection is folded', () => {
    // 512·128·256 = 16,777,216; with 40,960 to use it 16,818,176; 128·(576 + 512) = 139,264;
    // 16,818,176 ÷ 139,264 = 120.8; 139,264 ÷ 40,960 = 3.4.
    expect(
      texts(
        'expand_products',
        'expand_and_use',
        'fold_once',
        'fold_products',
        'expand_over_fold',
        'fold_over_use',
      ),
    ).toEqual(['1678万', '1682万', '1678万', '139,264', '121', '3.4']);
  });
});

describe('folding on the teaching sentence', () => {
  // q·k of 给了 as published: 3.7708, −1.9284, 4.4924, −2.3248.
  const scores = ['3.771', '−1.928', '4.492', '−2.325'];

  it('gives the scores of the sentence with and without folding', () => {
    expect(texts(...SEEN.map((id) => `still_expanded_${id}`))).toEqual(scores);
    expect(texts(...SEEN.map((id) => `still_once_${id}`))).toEqual(scores);
    expect(value('still_error')).toBeLessThan(1e-14);
    expect(value('values_error')).toBeLessThan(1e-14);
  });

  it('fails when the key is rotated', () => {
    expect(texts('turned_needed')).toEqual(['4']);
    expect(value('turned_own_error')).toBeLessThan(1e-14);
    // q̃·c comes from the query without rotation: these are the scores without rotation.
    expect(texts(...SEEN.map((id) => `turned_once_${id}`))).toEqual(scores);
    const gaps = SEEN.map((id) =>
      Math.abs(value(`turned_expanded_${id}`) - value(`turned_once_${id}`)),
    );
    expect(value('turned_error')).toBeCloseTo(Math.max(...gaps), 14);
    expect(gaps[3]).toBeLessThan(1e-14);
  });

  it('holds again with a separate rotated part', () => {
    // 1 · (人 + 物) · cos(distance), added to the scores above.
    const added = [1.1 * Math.cos(3), 0.3 * Math.cos(2), 1.1 * Math.cos(1), 0.4];
    SEEN.forEach((id, j) => {
      expect(value(`apart_expanded_${id}`) - value(`still_expanded_${id}`)).toBeCloseTo(
        added[j]!,
        12,
      );
    });
    expect(value('apart_error')).toBeLessThan(1e-14);
    expect(texts('kept', 'whole', 'apart_kept')).toEqual(['3', '8', '5']);
  });

  it('does not distinguish the two names: values are made of 人, 物, 语法 alone', () => {
    // (1, .1, .2) and (1, .1, .1): 1.03 ÷ √(1.05·1.02) = 0.995.
    expect(texts('names_whole', 'names_kept')).toEqual(['−0.166', '0.995']);
  });
});

describe('the questions of lesson 10', () => {
  it('have the answers of a derivation', () => {
    const right = rightAnswers(questions({...context, numbers}));
    expect(right('input-or-kv')).toBe('少得多');
    expect(right('fold-equal')).toBe('四个都相等，只差舍入');
    expect(right('how-many-folds')).toBe(4);
    expect(right('glm-bytes')).toBe(78 * 576 * 2);
    expect(right('double-heads')).toBe('不变');
    expect(right('values-turn')).toBe('没有，可以先平均潜向量，再展开一次');
    expect(right('from-82-to-93')).toBe('把缓存量化到约{num six_bits}比特');
  });
});
