// Numbers of lesson 3's second half: the spread of dot products with d, and ÷√d.
import type {Spread} from '../../../web/scaling.js';
import type {Format, NumberContext, NumberSpec} from '../../../web/site/numbers.js';

/** The run that the page's variance widget shows; its third dimension is the anchor's. */
const EXPERIMENT = {seed: 20261014, samples: 2000, keys: 5};

export function scalingNumbers({
  core,
  scaling,
  model,
  config,
  computed,
  given,
  format,
}: NumberContext): Record<string, NumberSpec> {
  // Variance experiment.
  const headDim = config(model('anchor-model'), 'head_dim');
  const dims = {d4: given(4, 'd'), d64: given(64, 'd'), head: headDim};
  const runs = scaling.variance({dims: Object.values(dims).map((d) => d.value), ...EXPERIMENT});
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
  const divided = scaling.divisors(sampleRow, rowDim.value);
  const rowScores = Object.fromEntries(
    ['甲', '乙', '丙', '丁'].map((label, i) => [label, given(sampleRow[i]!, `${label}的分数`)]),
  );
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
  /** The sum of a row whose weights are divided by √d after the softmax. */
  const dividedAfter = (d: typeof rowDim) =>
    computed(1 / Math.sqrt(d.value), format.general(3), {
      formula: '1 ÷ √d：先softmax、后除以√d，这一行剩下的总和',
      from: {d},
    });

  // At initialisation: W with N(0, σ²) entries, input components of variance 1.
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
    ...stdOf('d4'),
    ...stdOf('d64'),
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
}
