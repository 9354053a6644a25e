// Numbers of the errata about the case: quoted records, our own, and limits of number formats.
import caseNumbers from '../case/experiment/numbers.js';
import selftestNumbers from '../case/selftest/numbers.js';
import type {NumberContext, NumberSpec} from '../../web/site/numbers.js';

const SOURCE = '书稿作者记录的训练';
type Spec = NumberSpec & {value: number};

/** Numbers of the page about the experiment, under the names that they have here. */
const FROM_CASE = {
  wrong_d32: 'quoted_wrong_d32',
  wrong_h: 'quoted_wrong_h',
  quoted_fall: 'quoted_fall',
  j_before: 'unscaled_0_j_quoted',
  j_after: 'unscaled_1480_j_quoted',
  h_after: 'unscaled_1480_h_quoted',
  patched_h: 'scaled_1480_h_quoted',
  patched_std: 'scaled_1480_std_quoted',
  case_width: 'small_width',
  case_head: 'small_head',
  case_expected: 'small_expected',
  case_start: 'small_start',
  case_start_h: 'small_start_h',
  large_width: 'large_width',
  small_ff: 'small_ff',
  large_ff: 'large_ff',
  small_parameters: 'small_parameters',
  large_parameters: 'large_parameters',
  every: 'early',
};

export function caseErrata(context: NumberContext): Record<string, NumberSpec> {
  const {recorded, quoted, computed, given, format} = context;
  const {fixed, integer} = format;
  const experiment = caseNumbers(context);
  const theirs = (value: number) => quoted(value, format.plain, {source: SOURCE});
  const growth = (before: Spec, after: Spec) =>
    computed(after.value / before.value, fixed(2), {
      formula: '练之后 ÷ 练之前',
      from: {before, after},
    });
  const sigma = given(0.02, '未训练时权重的标准差σ');
  const [lq0, lq1] = [theirs(0.316), theirs(0.65)];
  const [mostQ, mostK] = [
    growth(theirs(0.316), theirs(5.457)),
    growth(theirs(0.317), theirs(5.361)),
  ];
  const power = (exponent: number, name: string) => given(exponent, name);
  const deviation = theirs(5477);
  const limit = 128 * Math.LN2;
  // Near its middle the normal distribution has the density 1/√(2π).
  const over = 0.5 - limit / deviation.value / Math.sqrt(2 * Math.PI);
  const norms = Array.from({length: 151}, (_, i) =>
    recorded('large-unscaled', ['gradientNorms', i, 1], fixed(2)),
  );
  const weights = selftestNumbers(context)['all_double']!;
  const card = given(24, '一块卡的显存，GB');
  return {
    ...Object.fromEntries(
      Object.entries(FROM_CASE).map(([here, there]) => [here, experiment[there]!]),
    ),
    four_heads: computed(256 * sigma.value ** 2 * Math.sqrt(64), fixed(2), {
      formula: 'd_model · σ² · √d',
      from: {d_model: given(256, 'd_model'), sigma, d: given(64, '头宽')},
    }),
    lq0,
    lq1,
    least_growth: growth(lq0, lq1),
    most_q: mostQ,
    most_k: mostK,
    most_product: computed(mostQ.value * mostK.value, integer, {
      formula: 'q的倍数 · k的倍数',
      from: {mostQ, mostK},
    }),
    scaled_start: recorded('small-scaled', ['scales', 'before', 'logitDeviation'], fixed(2)),
    scaled_end: recorded('small-scaled', ['scales', 'after', 'logitDeviation'], fixed(1)),
    over_share: computed(over, format.percent(0), {
      formula: '½ − (128 ln 2 ÷ 标准差) ÷ √(2π)',
      from: {deviation},
    }),
    over_expected: computed(32 * over, fixed(1), {
      formula: '32 · (½ − (128 ln 2 ÷ 标准差) ÷ √(2π))',
      from: {deviation},
    }),
    own_j: recorded('large-unscaled', ['diagnostics', 21, 'jacobianNorm'], fixed(4)),
    least_norm: norms.reduce((least, each) => (each.value < least.value ? each : least)),
    float32_zero: computed(150 * Math.LN2, fixed(1), {
      formula: '150 ln 2：float32最小的数是2^−149，它的一半以下舍成0',
      from: {exponent: power(150, '2的几次方的倒数')},
    }),
    float32_lost: computed(24 * Math.LN2, fixed(1), {
      formula: '24 ln 2：1附近的半格是2^−24',
      from: {exponent: power(24, '2的几次方的倒数')},
    }),
    float16_normal: computed(2 ** -14, format.scientific(1), {
      formula: '2^−14',
      from: {exponent: power(14, 'float16最小的正规数是2的几次方的倒数')},
    }),
    float16_zero: computed(2 ** -25, format.scientific(0), {
      formula: '2^−25：float16最小的数是2^−24，它的一半以下舍成0',
      from: {exponent: power(25, '2的几次方的倒数')},
    }),
    weights_gb: weights,
    weights_share: computed(Number(weights.value) / (card.value * 1e9), format.percent(0), {
      formula: '权重的字节 ÷ 显存',
      from: {weights, card},
    }),
  };
}
