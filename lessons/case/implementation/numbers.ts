// Numbers of the page about the implementation: agreement with NumPy and PyTorch, three mistakes
// on the recorded inputs, and the distance to a model of 70 billion parameters.
import type {Matrix} from '../../../web/core.js';
import {defineNumbers} from '../../../web/site/numbers.js';

const TOKENS = 6;
const WIDTH = 8;
const HEADS = 2;
const RECORD = 'agreement';
const COST = {n: 1024, d: 64};
/** A difference that no rounding of float64 explains. */
const SUSPECT = 0.001;

const largest = (values: Iterable<number>) => Math.max(...values);
const difference = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  largest(Array.from(a, (value, i) => Math.abs(value - b[i]!)));

/** The columns of one head. */
function columns({data, rows, cols}: Matrix, head: number): Matrix {
  const width = cols / HEADS;
  const part = Array.from({length: rows}, (_, row) =>
    Array.from(data.subarray(row * cols + head * width, row * cols + (head + 1) * width)),
  );
  return {data: Float64Array.from(part.flat()), rows, cols: width};
}

/** The mistake of reshaping (T, heads · d) to (heads, T, d) at once: rows of another meaning. */
function misread({data, rows, cols}: Matrix, head: number): Matrix {
  const size = data.length / HEADS;
  return {data: data.slice(head * size, (head + 1) * size), rows, cols: cols / HEADS};
}

export default defineNumbers(({core, cache, recorded, given, computed, config, model, format}) => {
  const {integer, fixed, scientific, wan, plain} = format;
  const from = (key: string) => recorded(RECORD, [key, 0, 0], fixed(3));
  const table = (key: string): Matrix => {
    const cell = (i: number) =>
      recorded(RECORD, [key, Math.floor(i / WIDTH), i % WIDTH], fixed(3)).value;
    const data = Float64Array.from({length: TOKENS * WIDTH}, (_, i) => cell(i));
    return {data, rows: TOKENS, cols: WIDTH};
  };
  const inputs = {q: from('q'), k: from('k'), v: from('v')};
  const [q, k, v] = [table('q'), table('k'), table('v')] as const;
  const causal = {scaled: true, mask: 'causal'} as const;
  const right = core.multiHead(q, k, v, {heads: HEADS, ...causal});
  const numpy = difference(right.output.data, table('output').data);

  const first = [columns(q, 0), columns(k, 0), columns(v, 0)] as const;
  const last = (weights: Matrix) =>
    largest(weights.data.subarray((TOKENS - 1) * TOKENS, TOKENS * TOKENS));
  const divided = {...first[0], data: first[0].data.map((x) => x / Math.sqrt(HEADS))};
  const flat = core.attention(divided, first[1], first[2], causal);

  const scores = right.heads[0]!.scores;
  const sequence = Array.from({length: TOKENS}, () => 0);
  const mask = core.pastMask({
    sequence,
    window: TOKENS,
    insideSequence: false,
    paddingAsks: true,
    inverted: false,
  });
  const hidden = core.maskedWeights(scores, mask, {masking: 'zero', emptyRow: 'zero'});

  const mixed = Array.from({length: HEADS}, (_, head) => {
    const parts = [misread(q, head), misread(k, head), misread(v, head)] as const;
    return core.attention(...parts, causal);
  });
  const mixedOutput = mixed.flatMap(({output}) => Array.from(output.data));
  const sumOff = largest(
    mixed.flatMap(({weights}) =>
      Array.from({length: TOKENS}, (_, row) =>
        Math.abs(
          weights.data.subarray(row * TOKENS, (row + 1) * TOKENS).reduce((a, b) => a + b, 0) - 1,
        ),
      ),
    ),
  );
  const of = (value: number, as: typeof integer, formula: string) =>
    computed(value, as, {formula, from: inputs});

  /** Decimal digits of a float whose significand has so many bits. */
  const significant = (bits: number) =>
    computed(bits * Math.log10(2), fixed(0), {
      formula: '位数 × log₁₀2',
      from: {bits: given(bits, '有效数字的二进制位数')},
    });
  const suspect = given(SUSPECT, '另一个差');

  const n = given(COST.n, '词元数n', integer);
  const d = given(COST.d, '头宽d');
  const cost = (value: number, formula: string) => computed(value, wan(1), {formula, from: {n, d}});

  const llama = model('llama-2-70b');
  const big = {
    layers: config(llama, 'num_hidden_layers'),
    heads: config(llama, 'num_attention_heads'),
    kv: config(llama, 'num_key_value_heads'),
    width: config(llama, 'hidden_size'),
    hidden: config(llama, 'intermediate_size'),
    vocab: config(llama, 'vocab_size'),
    context: config(llama, 'max_position_embeddings'),
  };
  const account = cache.readParameters(llama.config);
  if ('refused' in account) throw new Error('llama-2-70b: its parameters are not counted');
  const parameters = account.total;
  const small = (key: string) => recorded('small-scaled', ['config', key], integer);
  const smallTotal = recorded('small-scaled', ['parameters'], integer);
  return {
    tokens: given(TOKENS, '词元数'),
    heads: given(HEADS, '头数'),
    numpy: of(numpy, scientific(1), '两边输出之差，绝对值最大的'),
    torch: recorded(RECORD, ['torch', 'largestDifference'], scientific(1)),
    torch_n: recorded(RECORD, ['torch', 'n'], integer),
    torch_heads: recorded(RECORD, ['torch', 'heads'], integer),
    torch_width: recorded(RECORD, ['torch', 'width'], integer),
    seed: recorded(RECORD, ['seed'], plain),
    digits: significant(53),
    digits32: significant(24),
    suspect,
    suspect_times: computed(suspect.value / numpy, scientific(0), {
      formula: '这个差 ÷ 与NumPy的差',
      from: {...inputs, suspect},
    }),
    right_top: of(last(right.heads[0]!.weights), fixed(3), '末行最大的权重，÷√4'),
    wrong_top: of(last(flat.weights), fixed(3), '末行最大的权重，÷√8'),
    hidden_share: of(hidden.rows[0]!.hiddenShare, fixed(3), '首行落在后面的权重之和'),
    mixed: of(difference(mixedOutput, right.output.data), fixed(2), '两种输出之差，绝对值最大的'),
    mixed_sum: of(sumOff, scientific(1), '一行权重的合计与1之差，最大的'),
    n,
    d,
    cost_scores: cost(2 * COST.n ** 2 * COST.d, '2 × n² × d'),
    cost_softmax: cost(5 * COST.n ** 2, '5 × n²'),
    cost_bytes: computed(8 * COST.n ** 2, format.bytes, {formula: '8 × n²', from: {n}}),
    cost_operands: computed(8 * COST.n * COST.d, format.bytes, {
      formula: '8 × n × d',
      from: {n, d},
    }),
    small_total: smallTotal,
    small_layers: small('nLayers'),
    small_heads: small('nHeads'),
    small_width: small('dModel'),
    small_context: small('blockSize'),
    big_total: computed(parameters, wan(0), {
      formula: '2 × 词表 × d ＋ 层数 × (2d² ＋ 2d·d_kv ＋ 3d·d_ff ＋ 2d) ＋ d',
      from: big,
    }),
    big_ratio: computed(parameters / smallTotal.value, wan(0), {
      formula: '参数之比',
      from: {...big, smallTotal},
    }),
    big_layers: big.layers,
    big_heads: big.heads,
    big_kv: big.kv,
    big_width: big.width,
    big_context: big.context,
  };
});
