// Numbers of lesson 2: additive scoring, the same without tanh, and the dot product.
import {matrix, rowsOf} from '../../../web/core.js';
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';
import {additive} from './additive.js';

const NAMES = Object.entries(TOKEN);

export default defineNumbers(
  ({core, model, world, config, teaching, computed, quoted, given, format}) => {
    const sentence = attend(core, world);

    // One query and two keys, W₁ = W₂ = I and v = (1, 1): with their own length, and ten times as
    // long.
    const query = [1, 2];
    const keys = [
      [1, -2],
      [1, 2],
    ];
    const longer = given(10, 'q、k一起放大的倍数');
    const example = (times: number, from: Record<string, NumberSpec>) =>
      keys.flatMap((key, i) => {
        const q = query.map((x) => times * x);
        const k = key.map((x) => times * x);
        const id = `${times === 1 ? 'example' : 'longer'}_${i + 1}`;
        const vectors = Object.fromEntries([
          ...query.map((x, d) => [`q${d + 1}`, given(x, `q的第${d + 1}维`)]),
          ...key.map((x, d) => [`k${d + 1}`, given(x, `k的第${d + 1}维`)]),
        ]);
        const {hidden, score} = additive(core, q, k, [1, 1]);
        return [
          ...hidden.map((value, d) => [
            `${id}_hidden_${d + 1}`,
            computed(value, format.fixed(3), {
              formula: `tanh(q + k)的第${d + 1}维`,
              from: {...vectors, ...from},
            }),
          ]),
          [
            `${id}_additive`,
            computed(score, format.fixed(3), {
              formula: 'Σ tanh(q + k)',
              from: {...vectors, ...from},
            }),
          ],
          [
            `${id}_dot`,
            computed(
              core.product(matrix([q]), matrix(k.map((x) => [x]))).data[0]!,
              format.integer,
              {
                formula: 'q·k',
                from: {...vectors, ...from},
              },
            ),
          ],
        ] as const;
      });

    // Without tanh a score is a number of the query plus a number of the key.
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const linearRow = (name: string, token: number) =>
      NAMES.map(([other, j]) => [
        `linear_${name}_${other}`,
        teaching(sum(sentence.q[token]!) + sum(sentence.k[j]!), format.fixed(2), {
          formula: `v·(q[${world.tokens[token]}] + k[${world.tokens[j]}])，v = (1, 1, 1, 1)`,
          key: 'embeddings, W_Q, W_K',
        }),
      ]);
    const gap = sum(sentence.k[TOKEN.geile]!) - sum(sentence.k[TOKEN.pingguo]!);

    // Every pair by its dot product.
    const scores = rowsOf(sentence.raw.scores);
    const table = NAMES.flatMap(([query, i]) =>
      NAMES.map(([key, j]) => [
        `s_${query}_${key}`,
        teaching(scores[i]![j]!, format.fixed(2), {
          formula: `q[${world.tokens[i]}]·k[${world.tokens[j]}]`,
          key: 'embeddings, W_Q, W_K',
        }),
      ]),
    );

    // Costs.
    const bf16 = given(2, 'BF16每个数的字节数');
    const length = given(4096, '举例的序列长度T');
    const width = given(256, '加性打分的中间维数d_a');
    const headDim = config(model('anchor-model'), 'head_dim');
    const doubled = given(2 * length.value, '加倍的序列长度T');
    const short = given(50, '一句话的词数T');
    const full = {
      T: doubled,
      heads: given(32, '头数'),
      layers: given(32, '层数'),
      bytes: bf16,
    };
    const square = (tokens: {value: number}) => tokens.value * tokens.value;
    const additiveFull =
      square(length) * width.value * full.heads.value * full.layers.value * bf16.value;
    const card = given(80 * 2 ** 30, '举例的一张显卡的显存', format.binary);

    const bound = [0.5, -1, 2];
    const recurrent = quoted(1000, format.integer, {
      source: 'Bahdanau等2014，§4.2：译文一侧的RNN和原文一侧每个方向的RNN各有的隐藏单元',
    });

    const scoring = quoted(1000, format.integer, {
      source: 'Bahdanau等2014，附录A.2：打分网络的隐藏单元',
    });

    return {
      ...Object.fromEntries(example(1, {})),
      ...Object.fromEntries(example(longer.value, {times: longer})),
      longer,
      longer_dot: computed(longer.value * longer.value, format.integer, {
        formula: '倍数 × 倍数：q、k各放大之后，点积放大的倍数',
        from: {times: longer},
      }),
      bound_example: computed(2, format.integer, {
        formula: '‖v‖₁ = |1| + |1|',
        from: {v1: given(1, 'v的第1维'), v2: given(1, 'v的第2维')},
      }),
      bound: computed(sum(bound.map(Math.abs)), format.general(3), {
        formula: '‖v‖₁ = |0.5| + |−1| + |2|',
        from: Object.fromEntries(bound.map((x, i) => [`v${i + 1}`, given(x, `v的第${i + 1}维`)])),
      }),

      ...Object.fromEntries(linearRow('geile', TOKEN.geile)),
      ...Object.fromEntries(linearRow('pingguo', TOKEN.pingguo)),
      linear_gap: teaching(gap, format.fixed(2), {
        formula: 'v·k[给了] − v·k[苹果]，v = (1, 1, 1, 1)',
        key: 'embeddings, W_K',
      }),
      ...Object.fromEntries(table),

      pairs_teaching: teaching(NAMES.length * NAMES.length, format.integer, {
        formula: '词元数 × 词元数',
        key: 'tokens',
      }),
      pairs_long: computed(square(length), format.integer, {formula: 'T × T', from: {T: length}}),
      half_memory: computed(length.value * width.value * bf16.value, format.binary, {
        formula: 'T × d_a × 2 B：每个词元各算一次的那一半',
        unit: 'B',
        from: {T: length, d_a: width, bytes: bf16},
      }),
      tanh_count: computed(square(length) * width.value, format.wan(), {
        formula: 'T × T × d_a',
        from: {T: length, d_a: width},
      }),
      multiply_count: computed(square(length) * headDim.value, format.wan(), {
        formula: 'T × T × head_dim',
        from: {T: length, head_dim: headDim},
      }),
      ratio: computed(width.value, format.integer, {formula: 'd_a', from: {d_a: width}}),
      doubled_length: doubled,
      doubled_memory: computed(square(doubled) * bf16.value, format.binary, {
        formula: 'T × T × 2 B',
        unit: 'B',
        from: {T: doubled, bytes: bf16},
      }),
      full_heads: full.heads,
      full_layers: full.layers,
      additive_full: computed(additiveFull, format.binary, {
        formula: 'T × T × d_a × 头数 × 层数 × 2 B',
        unit: 'B',
        from: {...full, T: length, d_a: width},
      }),
      additive_cards: computed(Math.ceil(additiveFull / card.value), format.integer, {
        formula: 'T × T × d_a × 头数 × 层数 × 2 B ÷ 一张显卡的显存，进到整数',
        from: {...full, T: length, d_a: width, card},
      }),
      full_memory: computed(
        square(doubled) * full.heads.value * full.layers.value * bf16.value,
        format.binary,
        {formula: 'T × T × 头数 × 层数 × 2 B', unit: 'B', from: full},
      ),
      short_length: short,
      short_memory: computed(square(short) * scoring.value * bf16.value, format.binary, {
        formula: 'T × T × d_a × 2 B',
        unit: 'B',
        from: {T: short, d_a: scoring, bytes: bf16},
      }),
      bahdanau_hidden: scoring,

      bahdanau_target: recurrent,
      bahdanau_source: computed(2 * recurrent.value, format.integer, {
        formula: '2 × 一个方向的宽度：从前往后、从后往前两个状态拼接',
        from: {recurrent},
      }),
    };
  },
);
