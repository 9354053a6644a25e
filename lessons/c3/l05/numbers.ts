// Numbers of lesson 5: the vectors that the weights multiply.
import {matrix, rowsOf} from '../../../web/core.js';
import {defineNumbers, type Format} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';
import {HAND, LOOKUP} from './example.js';

/** The order of the tokens' vectors in 小王 把 苹果 给了 小明, and in 苹果 把 小明 给了 小王. */
const GIVER_CHANGED = [TOKEN.xiaowang, TOKEN.ba, TOKEN.pingguo, TOKEN.geile, TOKEN.xiaoming];
const NONSENSE = [TOKEN.pingguo, TOKEN.ba, TOKEN.xiaoming, TOKEN.geile, TOKEN.xiaowang];

/** Columns of V: 人, 身份, 物, 语法. */
const IDENTITY = 1;

const CONTENT_NAMES = {keys: 'K', embeddings: '词向量', values: 'V'} as const;

export default defineNumbers(({core, world, teaching, computed, given, format}) => {
  const sentence = attend(core, world);
  const causal = rowsOf(sentence.causal.weights);
  const weights = causal[TOKEN.geile]!;
  const output = rowsOf(sentence.causal.output)[TOKEN.geile]!;
  const names = Object.entries(TOKEN);
  const of = (value: number, as: Format, formula: string, key: string) =>
    teaching(value, as, {formula, key});
  const scoreKeys = 'embeddings, W_Q, W_K';
  const outputKeys = 'embeddings, W_Q, W_K, W_V';

  /** The output of 给了 in a sentence of these tokens, with K, X or V as the values. */
  const fetched = (order: number[]) => {
    const embeddings = order.map((token) => world.embeddings[token]!);
    const {q, k, v} = attend(core, {...world, embeddings});
    const from = (content: number[][]) =>
      rowsOf(
        core.attention(matrix(q), matrix(k), matrix(content), {scaled: true, mask: 'causal'})
          .output,
      )[TOKEN.geile]!;
    return {keys: from(k), embeddings: from(embeddings), values: from(v)};
  };
  const original = fetched([0, 1, 2, 3, 4]);
  const changed = fetched(GIVER_CHANGED);
  const nonsense = fetched(NONSENSE);
  const likeness = (content: 'keys' | 'embeddings' | 'values', key: string) =>
    of(
      core.cosine(original[content], changed[content]),
      format.fixed(3),
      `「给了」取回的向量在两句话里的余弦，内容取自${CONTENT_NAMES[content]}，` +
        '已除以√d_k，因果掩码',
      key,
    );
  const pair = (rows: number[][]) => core.cosine(rows[TOKEN.xiaoming]!, rows[TOKEN.xiaowang]!);

  const table = (name: string, rows: number[][], key: string) =>
    Object.fromEntries(
      names.flatMap(([id, token]) =>
        rows[token]!.map((value, c) => [
          `${name}_${id}_${c + 1}`,
          of(value, format.general(3), `${name}[${world.tokens[token]}]的第${c + 1}个分量`, key),
        ]),
      ),
    );

  // Three tokens in two dimensions.
  const [q, k, v] = [HAND.q, HAND.k, HAND.v].map(matrix) as [
    ReturnType<typeof matrix>,
    ReturnType<typeof matrix>,
    ReturnType<typeof matrix>,
  ];
  const hand = (scaled: boolean, keys = k) => {
    const trace = core.attention(q, keys, v, {scaled, mask: 'none'});
    return {
      weights: rowsOf(trace.weights)[2]!,
      output: rowsOf(trace.output)[2]!,
      entropy: trace.entropy,
    };
  };
  const inputs = Object.fromEntries(
    Object.entries(HAND).flatMap(([name, rows]) =>
      rows.flatMap((row, i) =>
        row.map((value, c) => {
          const what = `${name}${i + 1}的第${c + 1}个分量`;
          return [what, given(value, what)];
        }),
      ),
    ),
  );
  const handNumbers = (name: string, scaled: boolean) => {
    const divisor = scaled ? ' ÷ √2' : '';
    const {weights: row, output: result} = hand(scaled);
    return Object.fromEntries([
      ...row.map((w, i) => [
        `${name}_w${i + 1}`,
        computed(w, format.percent(1), {formula: `softmax(q₃·k${divisor})`, from: inputs}),
      ]),
      ...result.map((value, c) => [
        `${name}_out${c + 1}`,
        computed(value, format.fixed(3), {formula: `Σ softmax(q₃·k${divisor})·v`, from: inputs}),
      ]),
    ]);
  };
  const doubledKeys = matrix([HAND.k[0]!.map((x) => 2 * x), ...HAND.k.slice(1)]);
  const entropy = (value: number, formula: string) =>
    computed(value, format.fixed(3), {formula, from: inputs});

  // Hard and soft lookup of three entries.
  const column = (values: number[]) => matrix(values.map((value) => [value]));
  const entries = Object.fromEntries(
    ['甲', '乙', '丙'].flatMap((name, i) => [
      [`${name}的分数`, given(LOOKUP.scores[i]!, `${name}的分数`)],
      [`${name}的值`, given(LOOKUP.values[i]!, `${name}的值`)],
    ]),
  );
  const lookup = core.attention(column([1]), column(LOOKUP.scores), column(LOOKUP.values), {
    scaled: false,
    mask: 'none',
  });
  const slopes = core.product(
    core.jacobian([...lookup.weights.data]).matrix,
    column(LOOKUP.values),
  );

  return {
    ...Object.fromEntries(
      names.map(([id, token]) => [
        `row_${id}`,
        of(
          weights[token]!,
          format.percent(1),
          `softmax(q·k ÷ √d_k)，因果掩码：「给了」看「${world.tokens[token]}」`,
          scoreKeys,
        ),
      ]),
    ),
    ...table('K', sentence.k, 'embeddings, W_K'),
    ...table('V', sentence.v, 'embeddings, W_V'),
    ...Object.fromEntries(
      output.map((value, c) => [
        `out_${c + 1}`,
        of(value, format.fixed(3), `「给了」的输出，第${c + 1}个分量：Σ w·v`, outputKeys),
      ]),
    ),
    ...Object.fromEntries(
      names.map(([id, token]) => [
        `part_${id}`,
        of(
          weights[token]! * sentence.v[token]![IDENTITY]!,
          format.fixed(3),
          `w · v的「身份」分量：「${world.tokens[token]}」给「给了」的那一份`,
          outputKeys,
        ),
      ]),
    ),
    E_xiaoming_identity: of(
      world.embeddings[TOKEN.xiaoming]![world.feature_names.indexOf('身份')]!,
      format.general(3),
      '小明的词向量的「身份」分量',
      'embeddings',
    ),
    cos_v_names: of(pair(sentence.v), format.fixed(3), 'v[小明]与v[小王]的余弦', 'embeddings, W_V'),
    cos_e_names: of(
      pair(world.embeddings),
      format.fixed(3),
      '两个人名的词向量的余弦',
      'embeddings',
    ),
    giver_keys: likeness('keys', scoreKeys),
    giver_embeddings: likeness('embeddings', scoreKeys),
    giver_values: likeness('values', outputKeys),
    giver_told: of(
      original.values[IDENTITY]!,
      format.fixed(3),
      '小明给的：「给了」的输出的「身份」分量',
      outputKeys,
    ),
    giver_changed: of(
      changed.values[IDENTITY]!,
      format.fixed(3),
      '小王给的：「给了」的输出的「身份」分量',
      outputKeys,
    ),
    ...Object.fromEntries(
      Object.entries({told: original, changed}).flatMap(([name, {keys}]) =>
        keys.map((value, c) => [
          `${name}_key_${c + 1}`,
          of(
            value,
            format.fixed(3),
            `${name === 'told' ? '小明' : '小王'}给的：Σ w·k的第${c + 1}个分量，` +
              '已除以√d_k，因果掩码',
            scoreKeys,
          ),
        ]),
      ),
    ),
    ...Object.fromEntries(
      nonsense.values.map((value, c) => [
        `shuffled_out_${c + 1}`,
        of(
          value,
          format.fixed(3),
          `「苹果 把 小明 给了」里「给了」的输出，第${c + 1}个分量，已除以√d_k，因果掩码`,
          outputKeys,
        ),
      ]),
    ),
    order_difference: of(
      Math.max(...original.values.map((value, c) => Math.abs(value - nonsense.values[c]!))),
      format.fixed(6),
      '「小明 把 苹果 给了」与「苹果 把 小明 给了」，「给了」的输出各分量之差的最大值',
      outputKeys,
    ),

    ...handNumbers('hand', false),
    ...handNumbers('hand_scaled', true),
    hand_entropy: entropy(hand(false).entropy[2]!, '第3行权重的熵 ÷ ln 3'),
    hand_entropy_sharp: entropy(
      hand(false, doubledKeys).entropy[2]!,
      'k₁乘2之后，第3行权重的熵 ÷ ln 3',
    ),
    hand_entropy_second: entropy(hand(false).entropy[1]!, '第2行权重的熵 ÷ ln 3'),
    hand_entropy_second_sharp: entropy(
      hand(false, doubledKeys).entropy[1]!,
      'k₁乘2之后，第2行权重的熵 ÷ ln 3',
    ),

    lookup_soft: computed(lookup.output.data[0]!, format.fixed(2), {
      formula: 'Σ softmax(s)·v',
      from: entries,
    }),
    lookup_hard: computed(
      LOOKUP.values[LOOKUP.scores.indexOf(Math.max(...LOOKUP.scores))]!,
      format.general(4),
      {formula: '分数最高的那一条的值', from: entries},
    ),
    ...Object.fromEntries(
      [...slopes.data].map((slope, i) => [
        `lookup_slope_${i + 1}`,
        computed(slope, format.fixed(2), {formula: 'w(v − Σ w·v)', from: entries}),
      ]),
    ),
    ...Object.fromEntries(
      [...lookup.weights.data].map((w, i) => [
        `lookup_w${i + 1}`,
        computed(w, format.percent(1), {formula: 'softmax(s)', from: entries}),
      ]),
    ),
  };
});
