// Numbers of lesson 3: how scores become weights, and why they are divided by √d.
import {rowsOf, valuesOf, type Spread, type WeighOptions} from '../../../web/core.js';
import {defineNumbers, type Format} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';

/** The run that the page's variance widget shows by default; its third dimension is the anchor's. */
const EXPERIMENT = {seed: 20261014, samples: 2000, keys: 5};
const FLOAT32_MAX = 3.4028234663852886e38;
const FLOAT64_MAX = Number.MAX_VALUE;

export default defineNumbers(({core, model, world, config, teaching, computed, given, format}) => {
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

  // Variance experiment.
  const headDim = config(model('anchor-model'), 'head_dim');
  const dims = {d4: given(4, 'd'), d16: given(16, 'd'), head: headDim};
  const runs = core.variance({dims: Object.values(dims).map((d) => d.value), ...EXPERIMENT});
  const settings = {
    seed: given(EXPERIMENT.seed, '随机种子', format.plain),
    rows: given(EXPERIMENT.samples, '行数'),
    keys: given(EXPERIMENT.keys, '每行的键数'),
  };
  const measure = (
    name: keyof typeof dims,
    variant: 'raw' | 'scaled',
    key: Exclude<keyof Spread, 'histogram'>,
    as: Format,
    what: string,
  ) =>
    computed(runs[Object.keys(dims).indexOf(name)]![variant][key], as, {
      formula: `${what}，${variant === 'raw' ? '未缩放' : '已÷√d'}，实测`,
      from: {d: dims[name], ...settings},
    });
  const stdOf = (name: keyof typeof dims) => ({
    [`std_${name}`]: measure(name, 'raw', 'std', format.fixed(1), '随机q、k点积的标准差'),
    [`std_scaled_${name}`]: measure(name, 'scaled', 'std', format.fixed(3), '随机q、k点积的标准差'),
  });
  const maxOf = (name: keyof typeof dims) => ({
    [`max_${name}`]: measure(name, 'raw', 'maxWeight', format.percent(1), '每行最大权重的平均'),
    [`max_scaled_${name}`]: measure(
      name,
      'scaled',
      'maxWeight',
      format.percent(1),
      '每行最大权重的平均',
    ),
  });
  const jacobianOfHead = (variant: 'raw' | 'scaled', as: Format) => {
    const suffix = variant === 'raw' ? 'head' : 'scaled_head';
    const what = '每行softmax雅可比范数的';
    return {
      [`jacobian_${suffix}`]: measure('head', variant, 'jacobianNormMedian', as, `${what}中位数`),
      [`jacobian_mean_${suffix}`]: measure('head', variant, 'jacobianNorm', as, `${what}平均`),
    };
  };

  // All-ones vectors: the extreme case.
  const opposite = (d: number) => {
    const weights = weigh([d, -d]).weights;
    const from = {d: given(d, '维数，q = k = (1, …, 1)')};
    return {from, weights};
  };
  const three = opposite(3);
  const sixtyFour = opposite(64);

  // Jacobians.
  const jacobianOf = (probabilities: number[], formula: string) => {
    const from = Object.fromEntries(
      probabilities.map((p, i) => [`p${i + 1}`, given(p, `p${i + 1}`)]),
    );
    const {matrix, norm} = core.jacobian(probabilities);
    return {
      norm: computed(norm, format.general(3), {formula, from}),
      corner: computed(matrix.data[0]!, format.scientific(3), {formula: 'p₁(1 − p₁)', from}),
    };
  };
  const normFormula = '√(Σp² − 2Σp³ + (Σp²)²)';
  const uniform = jacobianOf([0.2, 0.2, 0.2, 0.2, 0.2], normFormula);
  const tie = jacobianOf([0.5, 0.5, 0, 0, 0], normFormula);
  const nearly = jacobianOf([0.9999, 0.00005, 0.00005], normFormula);

  // ÷1, ÷√d, ÷d on one row.
  const sampleRow = [8, 3, -2, 0.5];
  const rowDim = given(64, 'd');
  const divided = core.divisors(sampleRow, rowDim.value);
  const rowScores = scoresOf(['甲', '乙', '丙', '丁'], sampleRow);
  const divisorNumbers = Object.fromEntries(
    ['by1', 'by_sqrt', 'by_d'].flatMap((name, i) => {
      const result = divided[i]!;
      const from = {...rowScores, d: rowDim};
      return [
        ...result.weights.map((w, j) => [
          `${name}_${j + 1}`,
          computed(w, format.fixed(3), {
            formula: `softmax(s ÷ ${['1', '√d', 'd'][i]})`,
            from,
          }),
        ]),
        [
          `${name}_std`,
          computed(result.std, format.general(3), {
            formula: `√d ÷ ${['1', '√d', 'd'][i]}`,
            from: {d: rowDim},
          }),
        ],
      ] as const;
    }),
  );
  /** What a row sums to when its weights are divided by √d, too late. */
  const dividedAfter = (d: typeof rowDim) =>
    computed(1 / Math.sqrt(d.value), format.general(3), {
      formula: '1 ÷ √d：先softmax、后除以√d，这一行剩下的总和',
      from: {d},
    });

  // What the initialisation gives: W with N(0, σ²) entries, input components of variance 1.
  const sigma = given(0.02, '初始化的标准差σ');
  const initNumbers = Object.fromEntries(
    [128, 256, 512, 4096].flatMap((width) => {
      const from = {d_model: given(width, 'd_model'), sigma};
      const variance = width * sigma.value * sigma.value;
      return [
        [
          `init_component_${width}`,
          computed(Math.sqrt(variance), format.fixed(2), {
            formula: '√d_model · σ：q、k一个分量的标准差',
            from,
          }),
        ],
        [
          `init_score_${width}`,
          computed(variance, format.fixed(2), {
            formula: 'd_model · σ²：除以√d_k后分数的标准差',
            from,
          }),
        ],
      ] as const;
    }),
  );

  return {
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
    ...stdOf('d4'),
    ...stdOf('d16'),
    ...stdOf('head'),
    ...maxOf('d4'),
    ...maxOf('head'),
    ...jacobianOfHead('raw', format.general(2)),
    ...jacobianOfHead('scaled', format.general(3)),
    above10_head: measure(
      'head',
      'raw',
      'gapAbove10',
      format.percent(1),
      '同一行里相差超过10的分数对所占的比例',
    ),
    above20_head: measure(
      'head',
      'raw',
      'gapAbove20',
      format.percent(1),
      '同一行里相差超过20的分数对所占的比例',
    ),
    samples: settings.rows,
    products: computed(EXPERIMENT.samples * EXPERIMENT.keys, format.integer, {
      formula: '行数 × 每行的键数',
      from: {rows: settings.rows, keys: settings.keys},
    }),

    jacobian_uniform: uniform.norm,
    jacobian_tie: tie.norm,
    jacobian_nearly: nearly.norm,
    jacobian_nearly_corner: nearly.corner,

    ...divisorNumbers,
    by_sqrt_divisor: computed(divided[1]!.divisor, format.general(3), {
      formula: '√d',
      from: {d: rowDim},
    }),
    after_sum: dividedAfter(rowDim),
    after_sum_hundred: dividedAfter(given(100, 'd')),
    over_std: computed(Math.sqrt(headDim.value) / headDim.value, format.general(3), {
      formula: '√head_dim ÷ head_dim',
      from: {head_dim: headDim},
    }),
    ...initNumbers,
    init_sigma: sigma,
    init_width: computed(1 / (sigma.value * sigma.value), format.integer, {
      formula: '1 ÷ σ²：分量方差恰为1的d_model',
      from: {sigma},
    }),
  };
});
