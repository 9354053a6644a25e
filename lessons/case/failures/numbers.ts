// Numbers of the page about mistakes that raise no error: our records compared with the draft's.
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';

const RUNS = {
  right: 'failure-scaled',
  zero: 'failure-hidden-as-zero',
  after: 'failure-scaled-after-softmax',
  plain: 'failure-no-max-subtraction',
  width: 'failure-divided-by-width',
} as const;
type Run = keyof typeof RUNS;

/** Loss, H, weight on itself, largest row sum at the end of 300 steps. */
const CHAPTER: Record<Run, [number, number, number, number]> = {
  right: [4.81, 0.831, 0.153, 1],
  zero: [4.634, 0.949, 0.134, 1],
  after: [4.668, 0.836, 0.106, 0.1768],
  plain: [4.808, 0.842, 0.158, 1],
  width: [4.708, 0.9989, 0.127, 1],
};

export default defineNumbers(({recorded, quoted, computed, given, format}) => {
  const names = Object.keys(RUNS) as Run[];
  const steps = recorded(RUNS.right, ['stepsDone'], format.integer);
  const seed = recorded(RUNS.right, ['seed'], (value) => String(value));
  const source = `书稿作者记录的五次训练：同样大小的模型，${steps.text}步`;
  const last = (run: Run, key: string, digits: number) =>
    recorded(RUNS[run], ['diagnostics', 5, key], format.fixed(digits));
  const first = (run: Run, key: string) =>
    recorded(RUNS[run], ['diagnostics', 0, key], format.fixed(4));
  const loss = (run: Run) => recorded(RUNS[run], ['finalLoss'], format.fixed(3));
  const validation = (run: Run) => recorded(RUNS[run], ['validationLoss'], format.fixed(3));
  const lower = (run: Run, of: (run: Run) => NumberSpec & {value: number}, what: string) =>
    computed(of('right').value - of(run).value, format.fixed(3), {
      formula: `写对的${what} − 写错的${what}`,
      from: {right: of('right'), wrong: of(run)},
    });

  const ofRun = (run: Run): Record<string, NumberSpec> => {
    const [theirs, entropy, self, sum] = CHAPTER[run];
    return {
      [`${run}_loss`]: loss(run),
      [`${run}_entropy`]: last(run, 'entropy', 4),
      [`${run}_self`]: last(run, 'diagonal', 3),
      [`${run}_sum`]: last(run, 'largestRowSum', 4),
      [`${run}_quoted_loss`]: quoted(theirs, format.fixed(3), {source}),
      [`${run}_quoted_entropy`]: quoted(entropy, format.fixed(4), {source}),
      [`${run}_quoted_self`]: quoted(self, format.fixed(3), {source}),
      [`${run}_quoted_sum`]: quoted(sum, format.fixed(4), {source}),
      ...(run === 'right' ? {} : {[`${run}_lower`]: lower(run, loss, '末50步损失')}),
    };
  };

  const width = recorded(RUNS.right, ['config', 'dModel'], format.integer);
  const heads = recorded(RUNS.right, ['config', 'nHeads'], format.integer);
  const sigma = given(0.02, '未训练时权重的标准差σ');
  const headDim = computed(width.value / heads.value, format.integer, {
    formula: 'd_model ÷ 头数',
    from: {d_model: width, heads},
  });
  const expected = computed(width.value * sigma.value ** 2, format.fixed(4), {
    formula: 'd_model · σ²：q、k每个分量的方差，也是点积÷√d之后的标准差',
    from: {d_model: width, sigma},
  });
  const [long, layers, tables, twoBytes] = [
    given(8192, '词元数', format.integer),
    given(32, '层数'),
    given(32, '每层的头数'),
    given(2, '每个数的字节'),
  ];
  const table = given(512, '位置表的行数');
  const oneTable = long.value ** 2 * twoBytes.value;
  const seeds = ['small-scaled', 'small-scaled-20261015', 'small-scaled-20261016'].map((run) =>
    recorded(run, ['finalLoss'], format.fixed(3)),
  );
  const finals = seeds.map(({value}) => value);

  return {
    ...names.map(ofRun).reduce((all, one) => ({...all, ...one})),
    zero_validation_lower: lower('zero', validation, '验证损失'),
    right_first_std: first('right', 'logitDeviation'),
    right_first_entropy: first('right', 'entropy'),
    width_first_std: first('width', 'logitDeviation'),
    steps,
    seed,
    expected_std: expected,
    expected_std_width: computed(expected.value / Math.sqrt(headDim.value), format.fixed(4), {
      formula: 'd_model · σ² ÷ √d：除以d时',
      from: {expected, head_dim: headDim},
    }),
    long,
    layers,
    heads: tables,
    one_table: computed(oneTable, (value) => `${format.integer(Number(value) / 1e6)} MB`, {
      formula: 'n² · 每个数的字节',
      from: {n: long, bytes: twoBytes},
    }),
    all_tables: computed(
      oneTable * layers.value * tables.value,
      (value) => `${format.integer(Number(value) / 1e9)} GB`,
      {
        formula: 'n² · 每个数的字节 · 层数 · 头数',
        from: {n: long, bytes: twoBytes, layers, heads: tables},
      },
    ),
    table,
    past: computed(table.value + 1, format.integer, {
      formula: '行数 + 1',
      from: {rows: table},
    }),
    largest_logit: recorded('large-unscaled', ['scales', 'after', 'largestLogit'], format.integer),
    large_std: recorded('large-unscaled', ['scales', 'after', 'logitDeviation'], format.integer),
    row_sum: computed(1 / Math.sqrt(headDim.value), format.fixed(4), {
      formula: '1 ÷ √d',
      from: {head_dim: headDim},
    }),
    long_steps: recorded('small-scaled', ['stepsDone'], format.integer),
    seed_spread: computed(Math.max(...finals) - Math.min(...finals), format.fixed(3), {
      formula: '三个种子、1500步，末50步损失的最大值 − 最小值',
      from: {seed_1: seeds[0]!, seed_2: seeds[1]!, seed_3: seeds[2]!},
    }),
    flat: quoted(0.99, format.fixed(2), {source: '书稿给的阈值'}),
    float64_limit: computed(Math.floor(10 * 1024 * Math.LN2) / 10, format.fixed(1), {
      formula: 'ln(float64的最大值) = 1024 ln 2，舍去尾数',
      from: {max_exponent: given(1024, 'float64的最大数约为2的几次方')},
    }),
    float32_limit: computed(Math.floor(10 * 128 * Math.LN2) / 10, format.fixed(1), {
      formula: 'ln(float32的最大值) = 128 ln 2，舍去尾数',
      from: {max_exponent: given(128, 'float32的最大数约为2的几次方')},
    }),
  };
});
