// Numbers of lesson 7: one head and two heads on the teaching sentence.
import {matrix, rowsOf, valuesOf} from '../../../web/core.js';
import {defineNumbers, type Format} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';
import {PAIR} from './example.js';

const SCORE_KEYS = 'embeddings, W_Q, W_K';
const OUTPUT_KEYS = 'embeddings, W_Q, W_K, W_V';
const TABLE = 'Vaswani等2017，表3，英德翻译newstest2013';
const HEADS_VARIED = `${TABLE}，(A)组`;

export default defineNumbers(
  ({core, model, world, config, teaching, computed, quoted, given, format}) => {
    const sentence = attend(core, world);
    const {causal, heads} = sentence;
    const row = TOKEN.geile;
    const seen = Object.entries(TOKEN).filter(([, token]) => token <= row);
    const [one, a, b] = [causal, heads[0]!, heads[1]!].map((trace) => ({
      scores: rowsOf(trace.scores)[row]!,
      weights: rowsOf(trace.weights)[row]!,
      output: rowsOf(trace.output)[row]!,
      width: trace.output.cols,
    })) as [Way, Way, Way];
    interface Way {
      scores: number[];
      weights: number[];
      output: number[];
      width: number;
    }
    const ways = {one, a, b};
    const names = {one: '一个头', a: '头A', b: '头B'};
    const of = (value: number, as: Format, formula: string, key: string) =>
      teaching(value, as, {formula, key});
    const joined = [...a.output, ...b.output];
    const projected = rowsOf(core.product(matrix([joined]), matrix(world.W_O)))[0]!;
    const each = (
      make: (
        way: keyof typeof ways,
        name: string,
        token: number,
      ) => [string, ReturnType<typeof of>],
    ) =>
      Object.fromEntries(
        (['one', 'a', 'b'] as const).flatMap((way) =>
          seen.map(([name, token]) => make(way, name, token)),
        ),
      );
    const vector = (id: string, values: number[], what: string) =>
      Object.fromEntries(
        values.map((value, c) => [
          `${id}_${c + 1}`,
          of(value, format.fixed(3), `${what}，第${c + 1}个分量`, OUTPUT_KEYS),
        ]),
      );

    // The head divided by √d_model instead of √d_head, which is a temperature of √heads.
    const wrong = (way: Way) =>
      valuesOf(
        core.weigh(way.scores.slice(0, row + 1), {temperature: Math.sqrt(world.n_heads)}).weights,
      );

    // The costs of one head and of two, for the teaching sentence.
    const tokens = teaching(world.tokens.length, format.integer, {formula: 'T', key: 'tokens'});
    const width = teaching(world.d_model, format.integer, {formula: 'd_model', key: 'd_model'});
    const nHeads = teaching(world.n_heads, format.integer, {formula: 'n_heads', key: 'n_heads'});
    const sizes = {T: tokens, d_model: width, n_heads: nHeads};
    const headWidth = width.value / nHeads.value;
    const count = (value: number, formula: string) =>
      computed(value, format.integer, {formula, from: sizes});

    const anchor = model('anchor-model');
    const anchorHeads = config(anchor, 'num_attention_heads');
    const anchorHeadDim = config(anchor, 'head_dim');
    const anchorFrom = {num_attention_heads: anchorHeads, head_dim: anchorHeadDim};
    const base = {d_model: given(512, 'd_model'), heads: given(8, '头数')};

    // Two tokens, four dimensions.
    const x = matrix(PAIR);
    const pair = core.multiHead(x, x, x, {heads: 2, scaled: true, mask: 'causal'});
    const pairOne = core.attention(x, x, x, {scaled: true, mask: 'causal'});
    const pairFrom = Object.fromEntries(
      PAIR.map((values, i) => [
        `x${i + 1}`,
        {name: `x${i + 1}`, value: `(${values.join(', ')})`, source: '本课选的例子'},
      ]),
    );
    const ofPair = (value: number, formula: string) =>
      computed(value, format.fixed(3), {formula, from: pairFrom});

    const portrait = given(24, '一段的词元数');

    return {
      ...each((way, name, token) => [
        `${way}_${name}`,
        of(
          ways[way].weights[token]!,
          format.percent(1),
          `${names[way]}，除以√${ways[way].width}，因果掩码：「给了」看「${world.tokens[token]}」`,
          SCORE_KEYS,
        ),
      ]),
      ...each((way, name, token) => [
        `${way}_score_${name}`,
        of(
          ways[way].scores[token]!,
          format.fixed(2),
          `${names[way]}：q·k ÷ √${ways[way].width}，「给了」看「${world.tokens[token]}」`,
          SCORE_KEYS,
        ),
      ]),
      one_both: of(
        one.weights[TOKEN.xiaoming]! + one.weights[TOKEN.pingguo]!,
        format.percent(1),
        '一个头落在小明与苹果上的权重之和',
        SCORE_KEYS,
      ),
      two_both: of(
        a.weights[TOKEN.xiaoming]! + b.weights[TOKEN.pingguo]!,
        format.percent(1),
        '头A落在小明上的权重 + 头B落在苹果上的权重',
        SCORE_KEYS,
      ),
      ...vector('one_out', one.output, '一个头的输出'),
      ...vector('joined', joined, '头A、头B的输出左右拼接'),
      ...vector('projected', projected, '拼接后乘W_O'),
      added_1: of(
        a.output[0]! + b.output[0]!,
        format.fixed(3),
        '头A与头B的输出相加，第1个分量',
        OUTPUT_KEYS,
      ),
      wrong_a: of(
        wrong(a)[TOKEN.xiaoming]!,
        format.percent(1),
        '头A误除以√d_model：「给了」看「小明」',
        SCORE_KEYS,
      ),
      wrong_b: of(
        wrong(b)[TOKEN.pingguo]!,
        format.percent(1),
        '头B误除以√d_model：「给了」看「苹果」',
        SCORE_KEYS,
      ),

      parameters: count(3 * width.value * width.value, '3 × d_model × d_model：W_Q、W_K、W_V'),
      parameters_cut: count(
        nHeads.value * 3 * width.value * headWidth,
        'n_heads × 3 × d_model × (d_model ÷ n_heads)',
      ),
      parameters_copied: count(
        nHeads.value * 3 * width.value * width.value,
        'n_heads × 3 × d_model × d_model：每个头都是整宽',
      ),
      parameters_output: count(width.value * width.value, 'd_model × d_model：W_O'),
      cell_projection: count(3 * width.value * headWidth, '3 × d_model × (d_model ÷ n_heads)'),
      products: count(tokens.value ** 2 * width.value, 'T × T × d_model：一个头打分的乘法次数'),
      products_cut: count(
        nHeads.value * tokens.value ** 2 * headWidth,
        'n_heads × T × T × (d_model ÷ n_heads)',
      ),
      cells: count(tokens.value ** 2, 'T × T：一个头的权重表，连遮住的格子'),
      cells_cut: count(
        nHeads.value * tokens.value ** 2,
        'n_heads × T × T：两个头的权重表，连遮住的格子',
      ),

      anchor_joined: computed(anchorHeads.value * anchorHeadDim.value, format.integer, {
        formula: 'num_attention_heads × head_dim',
        from: anchorFrom,
      }),
      anchor_over: computed(Math.sqrt(anchorHeads.value), format.fixed(2), {
        formula: '√(n_heads·head_dim) ÷ √head_dim = √num_attention_heads',
        from: {num_attention_heads: anchorHeads},
      }),
      base_model: base.d_model,
      base_heads: base.heads,
      base_width: computed(base.d_model.value / base.heads.value, format.integer, {
        formula: 'd_model ÷ 头数',
        from: base,
      }),
      base_over: computed(Math.sqrt(base.heads.value), format.fixed(2), {
        formula: '√d_model ÷ √d_head = √头数',
        from: base,
      }),

      pair_score: ofPair(rowsOf(pair.heads[0]!.scores)[1]![1]!, 'q·k ÷ √2，第2行第2列'),
      pair_first: ofPair(rowsOf(pair.heads[0]!.weights)[1]![0]!, '头A，第2行第1列的权重'),
      pair_second: ofPair(rowsOf(pair.heads[0]!.weights)[1]![1]!, '头A，第2行第2列的权重'),
      ...Object.fromEntries(
        rowsOf(pair.output)[1]!.map((value, c) => [
          `pair_out_${c + 1}`,
          ofPair(value, `两个头拼接，第2行的第${c + 1}个分量`),
        ]),
      ),
      pair_one_first: ofPair(rowsOf(pairOne.weights)[1]![0]!, '一个头，除以√4，第2行第1列的权重'),
      pair_one_second: ofPair(rowsOf(pairOne.weights)[1]![1]!, '一个头，除以√4，第2行第2列的权重'),

      bleu_1: quoted(24.9, format.fixed(1), {source: HEADS_VARIED, unit: 'BLEU'}),
      bleu_8: quoted(25.8, format.fixed(1), {source: `${TABLE}，base行`, unit: 'BLEU'}),
      bleu_32: quoted(25.4, format.fixed(1), {source: HEADS_VARIED, unit: 'BLEU'}),
      portrait_length: portrait,
      portrait_distance: computed((portrait.value - 1) / 4, format.fixed(2), {
        formula: '第i行（从0数）平分时平均距离i ÷ 2，对n行再平均：(n − 1) ÷ 4',
        from: {n: portrait},
      }),
      portrait_last: computed((portrait.value - 1) / 2, format.fixed(1), {
        formula: '最后一行平分时的平均距离：(n − 1) ÷ 2',
        from: {n: portrait},
      }),
    };
  },
);
