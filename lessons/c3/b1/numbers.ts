// Numbers of branch B1: the three limits of a recurrent network.
import {rowsOf} from '../../../web/core.js';
import {defineNumbers, type Format} from '../../../web/site/numbers.js';
import {INTAKE, KEEP, WIDTH} from '../../../web/shared/recurrence.js';
import {TOKEN} from '../teaching.js';
import {GATE, overAndOver, startingWith, walk, WORDS} from './example.js';

export default defineNumbers(
  ({sequence, world, model, config, teaching, computed, given, quoted, format}) => {
    const words = given(WORDS, '一句话的词数');
    const width = given(WIDTH, '状态的维数');
    const keep = given(KEEP, '每次更新留下的');
    const gate = given(GATE, '门每次留下的');
    const long = given(4096, '举例的序列长度T');

    const left = (length: typeof words, share: typeof keep, as: Format) =>
      computed(sequence.serialCost(length.value, share.value).left, as, {
        formula: `${share.text}的(T − 1)次方`,
        from: {T: length, keep: share},
      });

    // The small RNN on the teaching sentence.
    const {states} = walk(sequence, world, world.embeddings);
    const rnn = `h_t = tanh(${INTAKE}·x_t + ${KEEP}·h_(t−1))`;
    const fromWorld = (value: number, as: Format, formula: string) =>
      teaching(value, as, {formula, key: 'embeddings'});
    const table = Object.fromEntries(
      Object.entries(TOKEN).flatMap(([id, token]) =>
        rowsOf(states)[token]!.map((value, i) => [
          `h_${id}_${i + 1}`,
          fromWorld(
            value,
            format.fixed(3),
            `${rnn}：读完「${world.tokens[token]}」的第${i + 1}个分量`,
          ),
        ]),
      ),
    );
    const longWalk = walk(sequence, world, overAndOver(world, WORDS));

    // Two sentences that differ in the first token alone.
    const apart = (length: number) => {
      const [one, other] = [TOKEN.xiaoming, TOKEN.xiaowang].map((name) =>
        rowsOf(walk(sequence, world, startingWith(world, name, length)).states).at(-1)!,
      );
      return Math.max(...one!.map((value, i) => Math.abs(value - other![i]!)));
    };
    const difference = (length: number, as: Format) =>
      fromWorld(
        apart(length),
        as,
        `小明开头与小王开头，后面一样，读到第${length}个词元时两个状态各分量之差的最大值；${rnn}`,
      );

    const anchor = model('anchor-model');
    const stateBytes = config(anchor, 'linear_attention_state_bytes_total');
    const fullLayers = config(anchor, 'num_full_attention_layers');
    const kvHeads = config(anchor, 'num_key_value_heads');
    const headDim = config(anchor, 'head_dim');
    const bytes = given(2, 'BF16每个数的字节数');
    const cacheToken = fullLayers.value * 2 * kvHeads.value * headDim.value * bytes.value;

    const bahdanau = 'Bahdanau等2014，表1，全部测试句';
    const vaswani = 'Vaswani等2017，表2，英德';

    return {
      words,
      state_width: width,
      per_word: computed(width.value / words.value, format.fixed(1), {
        formula: '维数 ÷ 词数',
        from: {width, words},
      }),
      per_token_long: computed(width.value / long.value, format.fixed(3), {
        formula: '维数 ÷ 词元数',
        from: {width, T: long},
      }),
      all_kept: computed(words.value * width.value, format.integer, {
        formula: '词数 × 维数',
        from: {words, width},
      }),
      hops: computed(sequence.serialCost(words.value, keep.value).updates, format.integer, {
        formula: 'T − 1',
        from: {T: words},
      }),
      keep,
      intake: given(INTAKE, '从新词元里拿的'),
      left_words: left(words, keep, format.fixed(3)),
      left_words_percent: left(words, keep, format.percent(1)),
      left_long: left(long, keep, format.scientific(1)),
      ...table,
      reach_words: fromWorld(
        longWalk.reach.at(-1)!,
        format.scientific(1),
        `‖∂h_T/∂h_1‖ ÷ √d，T = ${WORDS}，教学句一遍遍重复；${rnn}`,
      ),
      apart_first: difference(1, format.fixed(3)),
      apart_sentence: difference(4, format.fixed(3)),
      apart_words: difference(WORDS, format.scientific(1)),
      bf16_step: computed(2 ** -9, format.fixed(3), {
        formula: '2⁻² × 2⁻⁷：指数−2，小数7位',
        from: {
          fraction_bits: given(7, 'BF16小数部分的位数'),
          exponent: given(-2, '0.25到0.5之间的指数'),
        },
      }),
      gate,
      gate_words: left(words, gate, format.percent(1)),
      gate_long: left(long, gate, format.scientific(1)),
      parallel_length: given(WIDTH, '举例的词元数，取得与维数相同'),
      one_product: computed(WIDTH ** 3, format.integer, {
        formula: 'T × T × d，T = d',
        from: {d: width},
      }),
      walked_long: computed(long.value * WIDTH * WIDTH, format.wan(1), {
        formula: 'T × d × d',
        from: {T: long, d: width},
      }),
      scored_long: computed(long.value * long.value * WIDTH, format.wan(1), {
        formula: 'T × T × d',
        from: {T: long, d: width},
      }),
      work_ratio: computed(long.value / WIDTH, format.general(3), {
        formula: '(T × T × d) ÷ (T × d × d) = T ÷ d',
        from: {T: long, d: width},
      }),
      state_tokens: computed(stateBytes.value / cacheToken, format.integer, {
        formula: '固定状态的总字节数 ÷ 全注意力层每个词元的KV字节数',
        from: {
          linear_attention_state_bytes_total: stateBytes,
          num_full_attention_layers: fullLayers,
          num_key_value_heads: kvHeads,
          head_dim: headDim,
          bytes,
        },
      }),
      bleu_fixed: quoted(17.82, format.fixed(2), {source: `${bahdanau}，RNNencdec-50`}),
      bleu_search: quoted(26.75, format.fixed(2), {source: `${bahdanau}，RNNsearch-50`}),
      bleu_gnmt: quoted(24.6, format.fixed(1), {source: `${vaswani}，GNMT + RL`}),
      bleu_base: quoted(27.3, format.fixed(1), {source: `${vaswani}，Transformer (base)`}),
      flops_gnmt: quoted(2.3e19, format.scientific(1), {source: `${vaswani}，GNMT + RL的训练开销`}),
      flops_base: quoted(3.3e18, format.scientific(1), {
        source: `${vaswani}，Transformer (base)的训练开销`,
      }),
    };
  },
);
