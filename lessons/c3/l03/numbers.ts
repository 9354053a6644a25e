// Numbers of lesson 3: how scores become weights, and why they are divided by √d.
import {rowsOf, valuesOf, type WeighOptions} from '../../../web/core.js';
import {defineNumbers} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';
import {scalingNumbers} from './scaling.js';

const FLOAT32_MAX = 3.4028234663852886e38;
const FLOAT64_MAX = Number.MAX_VALUE;

export default defineNumbers((context) => {
  const {core, world, teaching, computed, given, format} = context;
  const weigh = (scores: number[], options: Partial<WeighOptions> = {}) => {
    const {shifted, parts, sum, weights, entropy} = core.weigh(scores, options);
    return {
      entropy,
      shifted: valuesOf(shifted),
      parts: valuesOf(parts),
      sum: sum.value,
      weights: valuesOf(weights),
    };
  };
  const scoresOf = (labels: string[], scores: number[]) =>
    Object.fromEntries(labels.map((label, i) => [label, given(scores[i]!, `${label}的分数`)]));
  const percents = (
    ids: string[],
    weights: number[],
    formula: string,
    from: ReturnType<typeof scoresOf>,
    digits = 1,
  ) =>
    Object.fromEntries(
      ids.map((id, i) => [id, computed(weights[i]!, format.percent(digits), {formula, from})]),
    );

  const integers = (
    name: string,
    values: number[],
    formula: string,
    from: ReturnType<typeof scoresOf>,
  ) =>
    Object.fromEntries(
      values.map((value, i) => [
        `${name}_${i + 1}`,
        computed(value, format.integer, {formula, from}),
      ]),
    );

  // 10, 3, −4 and an unrelated fourth token.
  const fruit = [10, 3, -4];
  const fruitScores = scoresOf(['苹果', '梨', '汽车'], fruit);
  const withStone = [...fruit, -11];
  const stoneScores = scoresOf(['苹果', '梨', '汽车', '石头'], withStone);
  const share = weigh(fruit, {method: 'share'});
  const shift = weigh(fruit, {method: 'shift'});
  const shiftStone = weigh(withStone, {method: 'shift'});
  const shiftPair = weigh(fruit.slice(0, 2), {method: 'shift'});
  const soft = weigh(fruit);
  const softStone = weigh(withStone);

  // 8, 7, 9, the same all positive.
  const close = [8, 7, 9];
  const closeScores = scoresOf(['甲', '乙', '丙'], close);
  const lowered = given(-7, '整行加上的常数');
  const closeShare = weigh(close, {method: 'share'});
  const loweredShare = weigh(close, {method: 'share', offset: lowered.value});
  const closeSoft = weigh(close, {stable: false});
  const doubled = weigh(close.map((s) => 2 * s));
  const gap = (value: number) => {
    const from = {gap: given(value, '分差')};
    return computed(core.exp(value), format.general(3), {formula: `e^${value}`, from});
  };

  // The row of 给了, raw and divided by √d_k.
  const sentence = attend(core, world);
  const row = (rows: number[][]) => rows[TOKEN.geile]!;
  const raw = row(rowsOf(sentence.raw.weights));
  const scaled = row(rowsOf(sentence.scaled.weights));
  const rawShare = weigh(row(rowsOf(sentence.raw.scores)), {method: 'share'});
  const rowNumbers = Object.fromEntries(
    Object.entries(TOKEN).flatMap(([name, token]) => [
      [
        `raw_${name}`,
        teaching(raw[token]!, format.percent(1), {
          formula: `softmax(q·k)：原始分数，「给了」看「${world.tokens[token]}」`,
          key: 'embeddings, W_Q, W_K',
        }),
      ],
      [
        `scaled_${name}`,
        teaching(scaled[token]!, format.percent(1), {
          formula: `softmax(q·k ÷ √d_k)：「给了」看「${world.tokens[token]}」`,
          key: 'embeddings, W_Q, W_K',
        }),
      ],
      [
        `share_${name}`,
        teaching(rawShare.weights[token]!, format.percent(1), {
          formula: `s ÷ Σs：「给了」看「${world.tokens[token]}」`,
          key: 'embeddings, W_Q, W_K',
        }),
      ],
    ]),
  );

  // Temperature and log-sum-exp on one row.
  const steps = [2, 1, 0];
  const stepScores = scoresOf(['甲', '乙', '丙'], steps);
  const temperatures = {cold: 0.5, plain: 1, hot: 2};
  const temperatureNumbers = Object.fromEntries(
    Object.entries(temperatures).flatMap(([name, value]) => {
      const result = weigh(steps, {temperature: value});
      const from = {...stepScores, tau: given(value, '温度τ')};
      return [
        ...result.weights.map((w, i) => [
          `${name}_${i + 1}`,
          computed(w, format.fixed(3), {formula: 'softmax(z ÷ τ)', from}),
        ]),
        [
          `${name}_entropy`,
          computed(result.entropy!, format.fixed(3), {
            formula: '−Σ w·ln w ÷ ln n',
            from,
          }),
        ],
      ] as const;
    }),
  );
  const logSumExp = (tau: number) =>
    tau * core.log(steps.reduce((sum, z) => sum + core.exp(z / tau), 0));
  const hundred = given(100, '很高的温度τ');
  const lseHot = computed(logSumExp(hundred.value), format.fixed(2), {
    formula: 'τ·ln Σ e^(z÷τ)',
    from: {...stepScores, tau: hundred},
  });

  // Stable softmax.
  const large = [100, 101, 102];
  const largeScores = scoresOf(['甲', '乙', '丙'], large);
  const stable = weigh(large, {precision: 'float32'});

  // All-ones vectors: the extreme case.
  const opposite = (d: number) => {
    const weights = weigh([d, -d]).weights;
    const from = {d: given(d, '维数，q = k = (1, …, 1)')};
    return {from, weights};
  };
  const three = opposite(3);
  const sixtyFour = opposite(64);

  return {
    ...scalingNumbers(context),
    ...percents(['share_apple', 'share_pear'], share.weights, 's ÷ Σs', fruitScores),
    fruit_sum: computed(share.sum, format.integer, {formula: 'Σs', from: fruitScores}),
    ...percents(
      ['shift_apple', 'shift_pear', 'shift_car'],
      shift.weights,
      '(s − min) ÷ Σ(s − min)',
      fruitScores,
    ),
    ...percents(
      ['stone_apple', 'stone_pear', 'stone_car', 'stone_stone'],
      shiftStone.weights,
      '(s − min) ÷ Σ(s − min)',
      stoneScores,
    ),
    shift_ratio: computed(shift.weights[0]! / shift.weights[1]!, format.fixed(1), {
      formula: '苹果的权重 ÷ 梨的权重，三个词元',
      from: fruitScores,
    }),
    stone_ratio: computed(shiftStone.weights[0]! / shiftStone.weights[1]!, format.fixed(1), {
      formula: '苹果的权重 ÷ 梨的权重，加入石头之后',
      from: stoneScores,
    }),
    ...integers('shift_part', shift.parts, 's − min', fruitScores),
    ...percents(['pair_apple', 'pair_pear'], shiftPair.weights, '(s − min) ÷ Σ(s − min)', {
      苹果: fruitScores['苹果']!,
      梨: fruitScores['梨']!,
    }),
    ...percents(['soft_apple', 'soft_pear'], soft.weights, 'softmax(s)', fruitScores, 2),
    soft_car: computed(soft.weights[2]!, format.scientific(2), {
      formula: 'softmax(s)',
      from: fruitScores,
    }),
    soft_ratio: computed(soft.weights[0]! / soft.weights[1]!, format.integer, {
      formula: '苹果的权重 ÷ 梨的权重 = e⁷',
      from: fruitScores,
    }),
    soft_stone_ratio: computed(softStone.weights[0]! / softStone.weights[1]!, format.integer, {
      formula: '苹果的权重 ÷ 梨的权重，加入石头之后',
      from: stoneScores,
    }),

    ...percents(
      ['close_share_a', 'close_share_b', 'close_share_c'],
      closeShare.weights,
      's ÷ Σs',
      closeScores,
    ),
    ...percents(
      ['lowered_a', 'lowered_b', 'lowered_c'],
      loweredShare.weights,
      '(s − 7) ÷ Σ(s − 7)',
      {...closeScores, offset: lowered},
    ),
    ...integers('lowered_part', loweredShare.parts, 's − 7', {
      ...closeScores,
      offset: lowered,
    }),
    ...percents(['soft_a', 'soft_b', 'soft_c'], closeSoft.weights, 'softmax(s)', closeScores),
    ...Object.fromEntries(
      ['a', 'b', 'c'].map((name, i) => [
        `exp_${name}`,
        computed(closeSoft.parts[i]!, format.integer, {
          formula: `e^${close[i]}`,
          from: closeScores,
        }),
      ]),
    ),
    exp_sum: computed(closeSoft.sum, format.integer, {formula: 'Σ eˢ', from: closeScores}),
    doubled_c: computed(doubled.weights[2]!, format.percent(1), {
      formula: 'softmax(2s)',
      from: closeScores,
    }),
    e_gap_1: gap(1),
    e_gap_2: gap(2),
    ln_2: computed(core.log(2), format.fixed(3), {formula: 'ln 2', from: {base: given(2, '底数')}}),

    ...rowNumbers,

    ...temperatureNumbers,
    lse_plain: computed(logSumExp(1), format.fixed(2), {
      formula: 'ln Σ eᶻ',
      from: {...stepScores, tau: given(1, '温度τ')},
    }),
    lse_hot: lseHot,
    lse_hot_less: computed(lseHot.value - hundred.value * core.log(steps.length), format.fixed(3), {
      formula: 'LSE_τ − τ·ln n',
      from: {lse: lseHot, tau: hundred, n: given(steps.length, 'n')},
    }),

    float32_limit: computed(core.log(FLOAT32_MAX), format.fixed(1), {
      formula: 'ln(float32的最大值)',
      from: {max: given(FLOAT32_MAX, 'float32的最大值', format.scientific(4))},
    }),
    float64_limit: computed(core.log(FLOAT64_MAX), format.fixed(1), {
      formula: 'ln(float64的最大值)',
      from: {max: given(FLOAT64_MAX, 'float64的最大值', format.scientific(4))},
    }),
    ...Object.fromEntries(
      stable.weights.map((w, i) => [
        `stable_${i + 1}`,
        computed(w, format.fixed(3), {
          formula: 'e^(s − max) ÷ Σ e^(s − max)，float32',
          from: largeScores,
        }),
      ]),
    ),
    ...Object.fromEntries(
      stable.parts.map((part, i) => [
        `stable_exp_${i + 1}`,
        computed(part, format.fixed(3), {
          formula: 'e^(s − max)，float32',
          from: largeScores,
        }),
      ]),
    ),
    ...integers('stable_shift', stable.shifted, 's − max', largeScores),
    stable_sum: computed(stable.sum, format.fixed(3), {
      formula: 'Σ e^(s − max)，float32',
      from: largeScores,
    }),

    ones_three: computed(three.weights[0]!, format.fixed(4), {
      formula: 'softmax(3, −3)的较大者',
      from: three.from,
    }),
    ones_sixty_four: computed(sixtyFour.weights[1]!, format.scientific(2), {
      formula: 'softmax(64, −64)的较小者，约e^(−128)',
      from: sixtyFour.from,
    }),
  };
});
