// Numbers of the page about exact and cheaper attention: traffic, online softmax, sparse patterns.
import {defineNumbers} from '../../../web/site/numbers.js';

const SHAPE = {n: 4096, d: 64, heads: 16, bytesPerValue: 2, block: 256};
/** Published peaks of an A100 with 40 GB: dense 16-bit arithmetic, and memory. */
const DEVICE = {tera: 312, bandwidth: 1555};
const WINDOW = 256;
const STRIDE = 64;
const GLOBAL = 16;
const FAR = 30;

export default defineNumbers(({sequence, given, quoted, computed, format}) => {
  const {fixed, integer, general, percent, scientific, wan} = format;
  const shape = {
    n: given(SHAPE.n, '词元数n', integer),
    d: given(SHAPE.d, '头宽d'),
    heads: given(SHAPE.heads, '头数'),
    bytes: given(SHAPE.bytesPerValue, '每个数的字节'),
  };
  const block = given(SHAPE.block, '一块的查询数');
  const source = 'NVIDIA A100 40 GB公布的规格';
  const tera = quoted(DEVICE.tera, integer, {source});
  const bandwidth = quoted(DEVICE.bandwidth, integer, {source});
  const device = {tera, bandwidth};
  const traffic = sequence.attentionTraffic({
    ...SHAPE,
    operationsPerSecond: DEVICE.tera * 1e12,
    bytesPerSecond: DEVICE.bandwidth * 1e9,
  });
  const gigabytes = (value: number | bigint) => `${fixed(2)(Number(value) / 1e9)} GB`;
  const megabytes = (value: number | bigint) => `${integer(Number(value) / 1e6)} MB`;
  const milliseconds = (value: number | bigint) => fixed(2)(Number(value) * 1e3);
  const of = (value: number, as: typeof integer, formula: string, from: object = shape) =>
    computed(value, as, {formula, from: from as typeof shape});

  const first = sequence.onlineSoftmax([1, 3, 2], 2);
  const second = sequence.onlineSoftmax([1, 3, 5], 2);
  const online = (value: number, formula: string) => computed(value, fixed(3), {formula, from: {}});

  const farRow = [1, 3, 2, 5, 4, FAR];
  const whole = sequence.onlineSoftmax(farRow, farRow.length).weights;
  const farOff = Math.max(
    ...sequence.onlineSoftmax(farRow, 2).weights.map((weight, i) => Math.abs(weight - whole[i]!)),
  );
  const farScore = given(FAR, '最后一个分数');

  const {n} = SHAPE;
  const window = given(WINDOW, '窗口');
  const stride = given(STRIDE, '间隔');
  const global = given(GLOBAL, '开头的位置');
  const rules = {
    all: {window: n, stride: 0, global: 0},
    window: {window: WINDOW, stride: 0, global: 0},
    stride: {window: STRIDE, stride: STRIDE, global: 0},
    global: {window: WINDOW, stride: 0, global: GLOBAL},
  };
  const causalPairs = sequence.sparsePairs(n, rules.all);
  const patterns = Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) => {
      const pairs = sequence.sparsePairs(n, rule);
      const from = {n: shape.n, window, stride, global};
      return [
        [`pairs_${name}`, computed(pairs, wan(1), {formula: '看得见的对数', from})],
        [
          `share_${name}`,
          computed(pairs / causalPairs, percent(1), {formula: '÷ 因果的对数', from}),
        ],
      ];
    }),
  );
  const softmaxOps = 4 * n * n * SHAPE.d;
  const linearOps = 4 * n * SHAPE.d * SHAPE.d;
  return {
    ...shape,
    ...device,
    block,
    window,
    stride,
    global,
    ...patterns,
    operations: of(traffic.operations, wan(0), '4 × n² × d × 头数'),
    operands: of(traffic.operandsBytes, megabytes, '4 × n × d × 字节 × 头数'),
    scores: of(traffic.scoresBytes, gigabytes, '4 × n² × 字节 × 头数'),
    standard: of(traffic.standardBytes, gigabytes, '两样相加'),
    tiled: of(traffic.tiledBytes, gigabytes, '2 × n × d × (1 ＋ 块数) × 字节 × 头数', {
      ...shape,
      block,
    }),
    square: of(traffic.squareBytes, megabytes, 'n² × 字节 × 头数'),
    ratio: of(traffic.standardBytes / traffic.tiledBytes, general(3), '标准 ÷ 分块', {
      ...shape,
      block,
    }),
    intensity: of(traffic.operations / traffic.standardBytes, integer, '运算 ÷ 字节'),
    balance: of(
      (DEVICE.tera * 1e12) / (DEVICE.bandwidth * 1e9),
      integer,
      '每秒运算 ÷ 每秒字节',
      device,
    ),
    work: of(traffic.arithmeticSeconds, milliseconds, '运算 ÷ 每秒运算', {...shape, ...device}),
    moving: of(traffic.standardSeconds, milliseconds, '字节 ÷ 每秒字节', {...shape, ...device}),
    tiled_ms: of(traffic.tiledSeconds, milliseconds, '字节 ÷ 每秒字节', {
      ...shape,
      ...device,
      block,
    }),
    times: of(traffic.standardSeconds / traffic.arithmeticSeconds, fixed(1), '搬 ÷ 算', {
      ...shape,
      ...device,
    }),
    a_sum_1: online(first.blocks[0]!.sum, 'e^(1−3) ＋ e^0'),
    a_sum_2: online(first.blocks[1]!.sum, '旧的和 × 1 ＋ e^(2−3)'),
    b_factor: online(second.blocks[1]!.correction, 'e^(3−5)'),
    b_sum_2: online(second.blocks[1]!.sum, '旧的和 × e^(3−5) ＋ e^0'),
    b_w_1: online(second.weights[0]!, 'e^(1−5) ÷ ℓ'),
    b_w_2: online(second.weights[1]!, 'e^(3−5) ÷ ℓ'),
    b_w_3: online(second.weights[2]!, 'e^0 ÷ ℓ'),
    far_score: farScore,
    far_off: computed(farOff, scientific(0), {
      formula: '两个一块与一次读完，权重之差最大的',
      from: {farScore},
    }),
    hops: computed(Math.ceil((n - 1) / (WINDOW - 1)), integer, {
      formula: '⌈(n−1) ÷ (窗口−1)⌉',
      from: {n: shape.n, window},
    }),
    softmax_ops: of(softmaxOps, wan(1), '4 × n² × d'),
    linear_ops: of(linearOps, wan(1), '4 × n × d²'),
    linear_ratio: of(softmaxOps / linearOps, integer, 'n ÷ d'),
  };
});
