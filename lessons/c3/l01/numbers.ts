// Numbers of lesson 1: likeness of embeddings, one shared projection, query and key.
import {matrix, rowsOf} from '../../../web/core.js';
import {defineNumbers} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';

const VARIATIONS = 'Vaswani等2017，表3，英译德，newstest2013';

export default defineNumbers(
  ({core, model, world, config, teaching, computed, quoted, given, format}) => {
    const sentence = attend(core, world);
    const me = TOKEN.geile;
    const nameOf = (token: number) => world.tokens[token]!;
    /** Products of every row of a with every row of b. */
    const products = (a: number[][], b: number[][]) =>
      rowsOf(core.attention(matrix(a), matrix(b), matrix(b), {scaled: false, mask: 'none'}).scores);
    const components = (id: string, values: number[], formula: string, key: string) =>
      Object.fromEntries(
        values.map((value, i) => [
          `${id}_${i + 1}`,
          teaching(value, format.general(3), {formula: `${formula}的第${i + 1}维`, key}),
        ]),
      );

    // Cosines of the embeddings, without a projection.
    const likeness = products(world.embeddings, world.embeddings);
    const example = likeness[me]![TOKEN.xiaoming]!;
    const lengthOf = (token: number) =>
      teaching(Math.sqrt(likeness[token]![token]!), format.fixed(3), {
        formula: `「${nameOf(token)}」词向量的长度，√(x·x)`,
        key: 'embeddings',
      });

    // One projection for both sides; W_K stands for any matrix.
    const shared = products(sentence.k, sentence.k);
    const sharedNumbers = Object.entries(TOKEN).map(([name, token]) => [
      `shared_${name}`,
      teaching(shared[me]![token]!, format.fixed(2), {
        formula: `z[给了]·z[${nameOf(token)}]，z = x·W，两边共用一个W（借W_K来用）`,
        key: 'embeddings, W_K',
      }),
    ]);

    // Two projections.
    const scores = rowsOf(sentence.raw.scores);
    const weights = rowsOf(sentence.scaled.weights)[me]!;
    const weight = (token: number) =>
      teaching(weights[token]!, format.percent(1), {
        formula: `softmax(q·k ÷ √d_k)：「给了」看「${nameOf(token)}」`,
        key: 'embeddings, W_Q, W_K',
      });
    const between = products(world.W_Q, world.W_K);
    const features = ['person', 'thing', 'grammar', 'identity'];
    const betweenNumbers = features.flatMap((query, i) =>
      features.map((key, j) => [
        `m_${query}_${key}`,
        teaching(between[i]![j]!, format.fixed(2), {
          formula: `M = W_Q·W_Kᵀ，「${world.feature_names[i]}」行「${world.feature_names[j]}」列`,
          key: 'W_Q, W_K',
        }),
      ]),
    );

    // Parameters of two narrow matrices and of one square matrix, at a published size.
    const gpt2 = model('gpt2');
    const width = config(gpt2, 'n_embd');
    const heads = config(gpt2, 'n_head');
    const headWidth = computed(width.value / heads.value, format.integer, {
      formula: 'n_embd ÷ n_head',
      from: {n_embd: width, n_head: heads},
    });

    const long = given(4096, '举例的词元数T');
    const tokens = world.tokens.length;

    return {
      ...components('x_geile', world.embeddings[me]!, '「给了」的词向量', 'embeddings'),
      ...components('q_geile', sentence.q[me]!, 'q[给了]', 'embeddings, W_Q'),
      ...components('k_geile', sentence.k[me]!, 'k[给了]', 'embeddings, W_K'),
      ...components('k_pingguo', sentence.k[TOKEN.pingguo]!, 'k[苹果]', 'embeddings, W_K'),
      cos_ba: teaching(
        core.cosine(world.embeddings[me]!, world.embeddings[TOKEN.ba]!),
        format.fixed(3),
        {formula: '「给了」与「把」两个词向量的余弦', key: 'embeddings'},
      ),
      dot_example: teaching(example, format.fixed(2), {
        formula: 'x[给了]·x[小明]',
        key: 'embeddings',
      }),
      length_geile: lengthOf(me),
      length_xiaoming: lengthOf(TOKEN.xiaoming),

      ...Object.fromEntries(sharedNumbers),
      shared_back: teaching(shared[TOKEN.pingguo]![me]!, format.fixed(2), {
        formula: 'z[苹果]·z[给了]，z = x·W，两边共用一个W（借W_K来用）',
        key: 'embeddings, W_K',
      }),

      score_back: teaching(scores[TOKEN.pingguo]![me]!, format.fixed(2), {
        formula: 'q[苹果]·k[给了]',
        key: 'embeddings, W_Q, W_K',
      }),
      cos_own: teaching(core.cosine(sentence.q[me]!, sentence.k[me]!), format.fixed(2), {
        formula: 'q[给了]与k[给了]的余弦',
        key: 'embeddings, W_Q, W_K',
      }),
      weight_pingguo: weight(TOKEN.pingguo),
      weight_xiaoming: weight(TOKEN.xiaoming),
      weight_ba: weight(TOKEN.ba),
      weight_geile: weight(me),
      ...Object.fromEntries(betweenNumbers),

      gpt2_width: width,
      gpt2_head_width: headWidth,
      gpt2_pair: computed(2 * width.value * headWidth.value, format.integer, {
        formula: '2 × n_embd × 每头维数：一个头的W_Q和W_K',
        from: {n_embd: width, head_width: headWidth},
      }),
      gpt2_square: computed(width.value * width.value, format.integer, {
        formula: 'n_embd × n_embd：一张M',
        from: {n_embd: width},
      }),

      paper_width: quoted(64, format.integer, {source: `${VARIATIONS}，base`}),
      paper_bleu: quoted(25.8, format.fixed(1), {source: `${VARIATIONS}，base`}),
      paper_narrow: quoted(16, format.integer, {source: `${VARIATIONS}，(B)行`}),
      paper_narrow_bleu: quoted(25.1, format.fixed(1), {source: `${VARIATIONS}，(B)行`}),

      pairs: teaching(tokens * tokens, format.integer, {
        formula: '词元数 × 词元数',
        key: 'tokens',
      }),
      long_length: long,
      long_pairs: computed(long.value * long.value, format.integer, {
        formula: 'T × T',
        from: {T: long},
      }),
    };
  },
);
