// Numbers of the page about number formats: limits, sums, overflows and loss scaling.
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';

const FORMATS = ['float32', 'float16', 'bfloat16', 'e4m3', 'e5m2'] as const;
const EXAMPLE = 1.001;
const TERMS = 4096;
const GRADIENT = 1e-8;
const SCALE = 1024;
const SPREAD = 5477;

export default defineNumbers(({sequence, given, quoted, computed, format}) => {
  const {general, integer, percent} = format;
  const example = given(EXAMPLE, '要存的数');
  const terms = given(TERMS, '项数', integer);
  const gradient = given(GRADIENT, '梯度', general(2));
  const scale = given(SCALE, '缩放', integer);
  const spread = given(SPREAD, '标准差', integer);
  const scores = [
    ...sequence.normalMatrix({rows: 4, cols: 8, std: SPREAD, seed: 0, stream: 0}).data,
  ];

  const specs: Record<string, NumberSpec> = {};
  for (const each of FORMATS) {
    const limits = sequence.formatLimits(each);
    const bits = 1 + limits.exponentBits + limits.fractionBits;
    const of = (value: number, as: typeof integer, formula: string, from = {}) =>
      computed(value, as, {formula, from});
    const sum = sequence.roundedSum(1 / TERMS, TERMS, 1, each);
    Object.assign(specs, {
      [`${each}_layout`]: of(
        bits,
        () => `1＋${limits.exponentBits}＋${limits.fractionBits}`,
        '符号、指数、小数的位数',
      ),
      [`${each}_max`]: of(limits.max, general(4), '最大的数'),
      [`${each}_normal`]: of(limits.minNormal, general(3), '2^最小的指数'),
      [`${each}_least`]: of(limits.minSubnormal, general(3), '最小的正规数 ÷ 2^小数的位数'),
      [`${each}_zero`]: of(limits.minSubnormal / 2, general(2), '最小的数 ÷ 2'),
      [`${each}_epsilon`]: of(limits.epsilon, general(3), '2^−小数的位数'),
      [`${each}_exp`]: of(limits.expLimit, general(4), 'ln 最大的数'),
      [`${each}_kept`]: of(sequence.storedNumber(EXAMPLE, each).value, general(7), '最近的数', {
        example,
      }),
      [`${each}_sum`]: of(sum.total, general(4), '逐项相加，每次舍入', {terms}),
      [`${each}_overflows`]: of(sequence.expOverflows(scores, each), integer, 'e^分数溢出的个数', {
        spread,
      }),
    });
  }
  const brain = sequence.roundedSum(1 / TERMS, TERMS, 1, 'bfloat16');
  const stuck = sequence.storedNumber(brain.total, 'bfloat16');
  const back = sequence.storedNumber(GRADIENT * SCALE, 'float16').value / SCALE;
  const mask = sequence.storedNumber(-1e9, 'float16');
  return {
    ...specs,
    example,
    terms,
    gradient,
    scale,
    spread,
    term: computed(1 / TERMS, general(3), {formula: '1 ÷ 项数', from: {terms}}),
    gap: computed(stuck.above - stuck.value, general(3), {
      formula: '下一个数 − 这个数',
      from: {sum: specs['bfloat16_sum']!},
    }),
    idle: computed(TERMS - brain.added, integer, {
      formula: '项数 − 改变了和的项数',
      from: {terms},
    }),
    quoted_overflows: quoted(14, integer, {
      source: '书稿：NumPy的default_rng(0)，4 × 8个分数，float32',
    }),
    bfloat16_mask: computed(sequence.storedNumber(-1e9, 'bfloat16').value, general(3), {
      formula: '最近的数',
      from: {},
    }),
    float16_mask: computed(0, () => (mask.kind === 'infinity' ? '−∞' : general(3)(mask.value)), {
      formula: '最近的数',
      from: {},
    }),
    scaled_back: computed(back, general(4), {
      formula: '存（梯度 × 缩放）÷ 缩放',
      from: {gradient, scale},
    }),
    scaled_error: computed(back / GRADIENT - 1, percent(2), {
      formula: '取回 ÷ 梯度 − 1',
      from: {gradient, scale},
    }),
  };
});
