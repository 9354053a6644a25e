// Numbers of lesson 4: the causal mask, wrong masks, and the used share of a batch.
import {matrix, rowsOf, type EmptyRow, type Masking, type Matrix} from '../../../web/core.js';
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';

const WORLD_KEY = 'embeddings, W_Q, W_K';
/** Every component of a padding token's word vector, as in <attn-mask>. */
const FILLER = 0.5;

export default defineNumbers((context) => {
  const {core, world, teaching, computed, recorded, given, format} = context;
  const sentence = attend(core, world);
  const n = world.tokens.length;
  const past = (sequence: number[], options: {window?: number; insideSequence?: boolean} = {}) =>
    core.pastMask({
      sequence,
      window: options.window ?? sequence.length,
      insideSequence: options.insideSequence ?? false,
      paddingAsks: true,
      inverted: false,
    });
  const pairsOf = (mask: Matrix) => mask.data.filter((entry) => entry === 0).length;
  const filled = (length: number, width: number) =>
    Array.from({length: width}, (_, i) => (i < length ? 0 : -1));

  // The teaching sentence, without a mask and with a causal one.
  const whole = past(world.tokens.map(() => 0));
  const put = (masking: Masking) =>
    core.maskedWeights(sentence.scaled.scores, whole, {masking, emptyRow: 'zero'});
  const masked = put('infinity');
  const zero = put('zero');
  const after = put('after');
  const row = (table: Matrix) => rowsOf(table)[TOKEN.geile]!;
  const free = row(sentence.scaled.weights);
  const hidden = row(masked.weights);
  const ratio = (weights: number[], what: string) =>
    teaching(weights[TOKEN.pingguo]! / weights[TOKEN.xiaoming]!, format.fixed(2), {
      formula: `「给了」一行，苹果的权重 ÷ 小明的权重，${what}`,
      key: WORLD_KEY,
    });
  const rowNumbers = Object.fromEntries(
    Object.entries(TOKEN).flatMap(([name, token]) => [
      [
        `half_${name}`,
        teaching(row(sentence.scaled.scores)[token]!, format.fixed(2), {
          formula: `q[给了]·k[${world.tokens[token]}] ÷ √d_k`,
          key: WORLD_KEY,
        }),
      ],
      [
        `free_${name}`,
        teaching(free[token]!, format.percent(1), {
          formula: `softmax(q·k ÷ √d_k)：不遮，「给了」看「${world.tokens[token]}」`,
          key: WORLD_KEY,
        }),
      ],
      [
        `masked_${name}`,
        teaching(hidden[token]!, token > TOKEN.geile ? format.general(3) : format.percent(1), {
          formula: `softmax(q·k ÷ √d_k + M)：因果掩码，「给了」看「${world.tokens[token]}」`,
          key: WORLD_KEY,
        }),
      ],
    ]),
  );

  // Compares the row of every prefix with the masked pass.
  let difference = 0;
  for (let length = 1; length <= n; length++) {
    const cut = (rows: number[][]) => matrix(rows.slice(0, length));
    const alone = core.attention(cut(sentence.q), cut(sentence.k), cut(sentence.v), {
      scaled: true,
      mask: 'none',
    });
    const last = (table: Matrix) => rowsOf(table)[length - 1]!;
    const inPass = (table: Matrix) => rowsOf(table)[length - 1]!;
    for (const name of ['weights', 'output'] as const) {
      last(alone[name]).forEach((value, j) => {
        difference = Math.max(difference, Math.abs(value - inPass(sentence.causal[name])[j]!));
      });
    }
  }

  // The cost of running each prefix in a pass of its own.
  const tokens = teaching(n, format.integer, {formula: '词元数', key: 'tokens'});
  const long = given(4096, '举例的长度T');
  const prefixes = (length: NumberSpec) => (Number(length.value) * (Number(length.value) - 1)) / 2;
  const longPrefix = computed(prefixes(long), format.integer, {
    formula: '1 + 2 + … + (T − 1) = T(T − 1) ÷ 2',
    from: {T: long},
  });
  const share = (value: number, formula: string, from: Record<string, NumberSpec>) =>
    computed(value, format.percent(1), {formula, from});

  // Scores 1 and 2, and a hidden third one.
  const hand = {s1: given(1, '第一个分数'), s2: given(2, '第二个分数')};
  const handScores = matrix([
    [1, 2, 0],
    [1, 2, 0],
    [1, 2, 0],
  ]);
  const handRow = (masking: Masking) =>
    rowsOf(
      core.maskedWeights(handScores, past([0, 0, 0]), {masking, emptyRow: 'zero'}).weights,
    )[1]!;
  const handRight = handRow('infinity');
  const handZero = handRow('zero');

  // Large negative constants.
  const low = {visible: given(-16000, '看得见的分数'), fill: given(-10000, '填进去的常数')};
  const high = {score: given(16000, '被遮的分数'), fill: given(-10000, '加上的常数')};
  const lowWeights = core.weigh([low.visible.value, low.fill.value]).weights;
  const billion = given(-1e9, '加上的常数');
  const stored = rowsOf(
    core.maskedWeights(
      matrix([
        [0, 0],
        [0, 0],
      ]),
      past([0, 0]),
      {
        masking: 'bfloat16',
        emptyRow: 'zero',
      },
    ).scores,
  )[0]![1]!;

  // Padding, packing, windows.
  const lengths = [5, 3, 7];
  const width = given(Math.max(...lengths), '最长一句的字数');
  const lengthSpecs = Object.fromEntries(
    lengths.map((length, i) => [`length_${i + 1}`, given(length, `第${i + 1}句的字数`)]),
  );
  const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
  const padMasks = lengths.map((length) => past(filled(length, width.value)));
  const padFrom = {...lengthSpecs, width};
  const padReal = computed(total(lengths), format.integer, {
    formula: '各句字数之和',
    from: padFrom,
  });
  const padCells = computed(lengths.length * width.value, format.integer, {
    formula: '句数 × 一行的格数',
    from: padFrom,
  });
  const padPairs = computed(total(padMasks.map(pairsOf)), format.integer, {
    formula: '三张掩码里填0的格子',
    from: padFrom,
  });
  const padSquare = computed(lengths.length * width.value ** 2, format.integer, {
    formula: '句数 × n²',
    from: padFrom,
  });
  // Only the rows of real tokens: the output of a padding row is not used.
  const realPairs = total(
    padMasks.map((mask, i) => pairsOf(matrix(rowsOf(mask).slice(0, lengths[i])))),
  );
  const shortCounts = (options: {paddingAsks: boolean}) => {
    const size = width.value;
    const mask = core.pastMask({
      sequence: filled(lengths[1]!, size),
      window: size,
      insideSequence: false,
      inverted: false,
      ...options,
    });
    const scores = matrix(Array.from({length: size}, () => Array<number>(size).fill(0)));
    return core
      .maskedWeights(scores, mask, {masking: 'infinity', emptyRow: 'zero'})
      .rows.map(({visible}) => visible);
  };
  const shortFrom = {length: given(lengths[1]!, '「空山不」的字数'), width};

  const packWidth = given(8, '打包的一行有几格');
  const packed = [0, 0, 0, 0, 0, 1, 1, 1];
  const packMask = past(packed, {insideSequence: true});
  const packFrom = {
    length_1: lengthSpecs['length_1']!,
    length_2: lengthSpecs['length_2']!,
    width: packWidth,
  };
  const packPairs = pairsOf(packMask);

  const veryLong = given(2048, '长的一句');
  const veryShort = given(16, '短的一句');
  const useful = (shorts: number) =>
    (veryLong.value + shorts * veryShort.value) / ((1 + shorts) * veryLong.value);
  const usefulShare = (shorts: number) =>
    share(useful(shorts), `真词元 ÷ 格子：一句长的，${shorts}句短的，补到一样长`, {
      long: veryLong,
      short: veryShort,
      shorts: given(shorts, '短句的句数'),
    });

  const window = given(3, '窗口w');
  const windowPairs = pairsOf(past(Array<number>(n).fill(0), {window: window.value}));
  const wide = {
    n: given(131072, '举例的长度n'),
    w: given(4096, '举例的窗口w'),
  };
  // The first w rows see 1, 2, …, w cells, each later one w.
  const wideCells =
    (wide.w.value * (wide.w.value + 1)) / 2 + (wide.n.value - wide.w.value) * wide.w.value;
  const wideLayers = given(32, '举例的层数L');

  // A left-padded sentence: its first rows see no position.
  const leftWidth = given(7, '补到几格');
  const fillers = leftWidth.value - n;
  const x = matrix([
    ...Array.from({length: fillers}, () => Array<number>(world.d_model).fill(FILLER)),
    ...world.embeddings,
  ]);
  const [q, k, v] = [world.W_Q, world.W_K, world.W_V].map((w) => core.product(x, matrix(w)));
  const leftScores = core.attention(q!, k!, v!, {scaled: true, mask: 'none'}).scores;
  const leftMask = past([...Array<number>(fillers).fill(-1), ...world.tokens.map(() => 0)]);
  const emptyNumbers = Object.fromEntries(
    (['zero', 'self', 'mean'] as EmptyRow[]).flatMap((emptyRow) => {
      const trace = core.maskedWeights(leftScores, leftMask, {masking: 'infinity', emptyRow});
      const weights = rowsOf(trace.weights)[0]!;
      const formula = (what: string) => `补位的第一行，约定${emptyRow}：${what}`;
      const of = (value: number, as: typeof format.integer, what: string) =>
        computed(value, as, {
          formula: formula(what),
          from: {
            embeddings: teaching(0, format.integer, {formula: '', key: 'embeddings, W_V'}),
            filler: given(FILLER, '补位的词向量'),
            width: leftWidth,
          },
        });
      return [
        [`empty_${emptyRow}_sum`, of(trace.rows[0]!.sum, format.fixed(3), '行和')],
        [
          `empty_${emptyRow}_real`,
          of(total(weights.slice(fillers)), format.percent(1), '落在真词元上的权重'),
        ],
        ...rowsOf(core.product(trace.weights, v!))[0]!.map((value, i) => [
          `empty_${emptyRow}_${i + 1}`,
          of(value, format.fixed(2), `输出的第${i + 1}个数`),
        ]),
      ] as [string, NumberSpec][];
    }),
  );

  return {
    ...rowNumbers,
    free_ratio: ratio(free, '不遮'),
    masked_ratio: ratio(hidden, '因果掩码'),
    prefix_difference: teaching(difference, format.general(3), {
      formula: '各前缀单独算与加因果掩码一遍算：权重和输出之差的最大值',
      key: 'embeddings, W_Q, W_K, W_V',
    }),
    one_pass: tokens,
    prefix_positions: computed(prefixes(tokens), format.integer, {
      formula: '1 + 2 + … + (T − 1) = T(T − 1) ÷ 2',
      from: {T: tokens},
    }),
    long_length: long,
    long_prefix: longPrefix,
    long_ratio: computed(longPrefix.value / long.value, format.integer, {
      formula: 'T(T − 1) ÷ 2 ÷ T',
      from: {T: long},
    }),
    causal_pairs: computed(pairsOf(whole), format.integer, {
      formula: '因果掩码里填0的格子：T(T + 1) ÷ 2',
      from: {T: tokens},
    }),
    all_pairs: computed(n * n, format.integer, {formula: 'T²', from: {T: tokens}}),
    causal_share: share(pairsOf(whole) / (n * n), '(T + 1) ÷ 2T', {T: tokens}),
    long_share: computed((long.value + 1) / (2 * long.value), format.percent(2), {
      formula: '(T + 1) ÷ 2T',
      from: {T: long},
    }),
    leak_loss: recorded('failure-hidden-as-zero', ['finalLoss'], format.fixed(3)),
    right_loss: recorded('failure-scaled', ['finalLoss'], format.fixed(3)),
    leak_steps: recorded('failure-scaled', ['stepsDone'], format.integer),

    hand_1: share(handRight[0]!, 'softmax(1, 2, −∞)', hand),
    hand_2: share(handRight[1]!, 'softmax(1, 2, −∞)', hand),
    zero_1: share(handZero[0]!, 'softmax(1, 2, 0)', hand),
    zero_2: share(handZero[1]!, 'softmax(1, 2, 0)', hand),
    zero_3: share(handZero[2]!, 'softmax(1, 2, 0)：被遮的那个', hand),
    zero_xiaowang: teaching(row(zero.weights)[TOKEN.xiaowang]!, format.percent(1), {
      formula: '被遮的分数换成0再softmax：「给了」看「小王」',
      key: WORLD_KEY,
    }),
    zero_worst: teaching(
      Math.max(...zero.rows.map(({hiddenShare}) => hiddenShare)),
      format.percent(1),
      {
        formula: '被遮的分数换成0再softmax：漏得最多的一行',
        key: WORLD_KEY,
      },
    ),
    after_geile: teaching(after.rows[TOKEN.geile]!.sum, format.fixed(3), {
      formula: '先softmax、再把后面置0：「给了」一行的和',
      key: WORLD_KEY,
    }),
    after_xiaoming: teaching(after.rows[TOKEN.xiaoming]!.sum, format.fixed(3), {
      formula: '先softmax、再把后面置0：「小明」一行的和',
      key: WORLD_KEY,
    }),
    fill_hidden: share(lowWeights[1]!.value, 'softmax(−16000, −10000)：被遮的那个', low),
    add_left: computed(high.score.value + high.fill.value, format.integer, {
      formula: '分数 + 常数',
      from: high,
    }),
    bf16_constant: computed(stored, format.integer, {
      formula: '−10⁹舍入到bfloat16',
      from: {constant: billion},
    }),
    bf16_step: computed(2 ** 22, format.integer, {
      formula: '2²⁹与2³⁰之间，bfloat16相邻两数之差：2²⁹⁻⁷',
      from: {constant: billion},
    }),
    fp16_max: given(65504, 'float16的最大值'),

    n_sequences: given(lengths.length, '句数'),
    pad_width: width,
    pad_real: padReal,
    pad_cells: padCells,
    pad_useful: share(padReal.value / padCells.value, '真词元 ÷ 全部格子', padFrom),
    pad_pairs: padPairs,
    pad_square: padSquare,
    pad_pair_share: share(padPairs.value / padSquare.value, '可见的对 ÷ n²', padFrom),
    pad_padding_pairs: computed(padPairs.value - realPairs, format.integer, {
      formula: '补位的行里填0的格子',
      from: padFrom,
    }),
    pad_real_pairs: computed(realPairs, format.integer, {
      formula: '真词元的行里填0的格子：各句n(n + 1) ÷ 2之和',
      from: padFrom,
    }),
    pad_real_pair_share: share(realPairs / padSquare.value, '真词元在问、又可见的对 ÷ n²', padFrom),
    pad_right_last: computed(shortCounts({paddingAsks: true}).at(-1)!, format.integer, {
      formula: '右补位，最后一行看得见几个',
      from: shortFrom,
    }),
    query_empty: computed(
      shortCounts({paddingAsks: false}).filter((count) => count === 0).length,
      format.integer,
      {formula: '右补位、补位的查询也遮：什么也看不见的行', from: shortFrom},
    ),
    very_long: veryLong,
    very_short: veryShort,
    two_useful: usefulShare(1),
    four_useful: usefulShare(4),
    pack_width: packWidth,
    pack_real: computed(packed.length, format.integer, {formula: '两句字数之和', from: packFrom}),
    pack_cells: packWidth,
    pack_useful: share(packed.length / packWidth.value, '真词元 ÷ 全部格子', packFrom),
    pack_pairs: computed(packPairs, format.integer, {
      formula: '打包掩码里填0的格子',
      from: packFrom,
    }),
    pack_square: computed(packWidth.value ** 2, format.integer, {formula: 'n²', from: packFrom}),
    pack_pair_share: share(packPairs / packWidth.value ** 2, '可见的对 ÷ n²', packFrom),
    cross_pairs: computed(pairsOf(past(packed)) - packPairs, format.integer, {
      formula: '只有因果掩码时可见的格子 − 打包掩码可见的格子',
      from: packFrom,
    }),
    window_size: window,
    window_pairs: computed(windowPairs, format.integer, {
      formula: 'i − w < j ≤ i的格子',
      from: {T: tokens, w: window},
    }),
    window_share: share(windowPairs / (n * n), '可见的对 ÷ n²', {T: tokens, w: window}),
    wide_length: wide.n,
    wide_window: wide.w,
    wide_ratio: computed(wide.n.value / wide.w.value, format.integer, {
      formula: 'n ÷ w',
      from: wide,
    }),
    wide_saving: computed(wide.n.value ** 2 / wideCells, format.fixed(2), {
      formula: 'n² ÷ (w(w + 1) ÷ 2 + (n − w)·w)',
      from: wide,
    }),
    wide_saving_causal: computed(
      (wide.n.value * (wide.n.value + 1)) / 2 / wideCells,
      format.fixed(2),
      {formula: 'n(n + 1) ÷ 2 ÷ (w(w + 1) ÷ 2 + (n − w)·w)', from: wide},
    ),
    wide_layers: wideLayers,
    wide_reach: computed(wideLayers.value * (wide.w.value - 1), format.integer, {
      formula: 'L × (w − 1)',
      from: {L: wideLayers, w: wide.w},
    }),
    left_width: leftWidth,
    left_empty: computed(fillers, format.integer, {
      formula: '格数 − 词元数',
      from: {width: leftWidth, T: tokens},
    }),
    ...emptyNumbers,
  };
});
