// Numbers of branch B4: a row with nothing to attend to, a sink logit and an output gate.
import {matrix, rowsOf, valuesOf} from '../../../web/core.js';
import {defineNumbers, type Format} from '../../../web/site/numbers.js';
import {attend, TOKEN} from '../teaching.js';
import {DUMP, GATE, LOWER, MATCH} from './example.js';

const STREAMING =
  'Xiao等2023（StreamingLLM），表1：Llama-2-13B，PG19第一本书，缓存1,024个词元，困惑度';
const GATED = 'Qiu等2025（Gated Attention），图2：第一个词元平均分到的权重';

export default defineNumbers(
  ({core, sequence, world, teaching, computed, quoted, given, format}) => {
    const sentence = attend(core, world);
    const seen = TOKEN.pingguo + 1;
    const ids = Object.entries(TOKEN).filter(([, token]) => token < seen);
    const scores = rowsOf(sentence.causal.scores)[TOKEN.pingguo]!.slice(0, seen);
    const plain = core.weigh(scores);
    const of = (value: number, as: Format, formula: string, key = 'embeddings, W_Q, W_K') =>
      teaching(value, as, {formula, key});
    const withSink = (row: readonly number[], sink: number, gate = 1) =>
      sequence.softmaxWithSink(row, {sink, gate});
    const sinks = [0, 1, 2, 3].map((sink) => withSink(scores, sink));
    const one = sinks[1]!;

    // The output of 苹果: columns 人, 身份, 物, 语法.
    const v = matrix(sentence.v.slice(0, seen));
    const fetched = (weights: readonly number[]) =>
      rowsOf(core.product(matrix([[...weights]]), v))[0]!;
    const vector = (id: string, weights: readonly number[], what: string) =>
      Object.fromEntries(
        fetched(weights).map((value, c) => [
          `${id}_${c + 1}`,
          of(
            value,
            format.fixed(3),
            `「苹果」取回的向量，${what}，第${c + 1}个分量`,
            'embeddings, W_Q, W_K, W_V',
          ),
        ]),
      );
    // σ(LSE − s₀), from the row's own parts.
    const lse = core.log(plain.sum.value) + plain.shift.value;

    const lowered = scores.map((score) => score + LOWER);
    const sinkLow = withSink(lowered, 0);
    const match = {
      scores: given(MATCH[0]!, '对上的那个分数'),
      others: given(MATCH[1]!, '另外两个分数'),
    };
    const sinkMatch = withSink(MATCH, 1);

    const dump = {
      first: given(DUMP.first, '第一个词元的分数'),
      others: given(DUMP.others, '分数都记0的其余词元有几个'),
    };
    const rest = Array.from({length: DUMP.others}, () => 0);
    const dumped = valuesOf(core.weigh([DUMP.first, ...rest]).weights);
    const evicted = valuesOf(core.weigh(rest).weights);
    const kept = withSink(rest, DUMP.first);
    const gate = given(GATE, '门开到多少');

    return {
      ...Object.fromEntries(
        ids.flatMap(([id, token]) => [
          [
            `row_${id}`,
            of(
              plain.weights[token]!.value,
              format.percent(0),
              `softmax：「苹果」一行落在「${world.tokens[token]}」上的权重`,
            ),
          ],
          [
            `one_${id}`,
            of(
              one.weights[token]!,
              format.percent(1),
              `汇logit为1：「苹果」一行落在「${world.tokens[token]}」上的权重`,
            ),
          ],
        ]),
      ),
      ...Object.fromEntries(
        sinks.flatMap(({total, sinkWeight}, sink) => [
          [
            `sum_${sink}`,
            of(total, format.percent(1), `Σ eˢ ÷ (e^${sink} + Σ eˢ)：「苹果」一行取走的总量`),
          ],
          [
            `rest_${sink}`,
            of(sinkWeight, format.percent(1), `e^${sink} ÷ (e^${sink} + Σ eˢ)：归汇的`),
          ],
        ]),
      ),
      spread: of(
        Math.max(...scores) - Math.min(...scores),
        format.fixed(2),
        '「苹果」一行最高与最低的分数之差',
      ),
      ...vector('plain_out', valuesOf(plain.weights), '普通softmax'),
      ...vector('one_out', one.weights, '汇logit为1'),
      ...vector(
        'gate_out',
        plain.weights.map((weight) => gate.value * weight.value),
        `没有汇，门开到${GATE}`,
      ),
      lse: of(lse, format.fixed(3), 'ln Σ eˢ：「苹果」一行'),
      one_slope: of(
        one.slope,
        format.fixed(3),
        '−取走的 × 归汇的：汇logit为1时，取走的总量对它的导数',
      ),

      low_plain: of(
        core.weigh(lowered).weights.reduce((sum, {value}) => sum + value, 0),
        format.percent(0),
        '整行减10之后，普通softmax取走的总量',
      ),
      low_ba: of(
        core.weigh(lowered).weights[TOKEN.ba]!.value,
        format.percent(0),
        '整行减10之后，普通softmax落在「把」上的权重',
      ),
      low_sum: of(sinkLow.total, format.percent(2), '整行减10之后，汇logit为0时取走的总量'),
      match_score: match.scores,
      match_sum: computed(sinkMatch.total, format.percent(1), {
        formula: '汇logit为1：Σ eˢ ÷ (e + Σ eˢ)',
        from: match,
      }),

      dump_first_score: dump.first,
      dump_others: dump.others,
      dump_first: computed(dumped[0]!, format.percent(1), {
        formula: 'softmax：第一个词元',
        from: dump,
      }),
      dump_each: computed(dumped[1]!, format.percent(2), {
        formula: 'softmax：其余每一个',
        from: dump,
      }),
      evicted_each: computed(evicted[0]!, format.percent(1), {
        formula: '第一个词元被移出缓存之后，其余每一个',
        from: dump,
      }),
      evicted_times: computed(evicted[0]! / dumped[1]!, format.fixed(1), {
        formula: '移出之后 ÷ 移出之前',
        from: dump,
      }),
      kept_each: computed(kept.weights[0]!, format.percent(2), {
        formula: '没有第一个词元，汇logit等于它的分数：其余每一个',
        from: dump,
      }),
      gate,

      streaming_window: quoted(5158.07, format.fixed(2), {source: STREAMING}),
      streaming_four: quoted(5.4, format.fixed(2), {source: STREAMING}),
      streaming_breaks: quoted(5.6, format.fixed(2), {source: STREAMING}),
      streaming_sinks: quoted(4, format.integer, {source: STREAMING}),
      streaming_cache: quoted(1024, format.integer, {source: STREAMING}),
      gated_before: quoted(0.467, format.percent(1), {source: GATED}),
      gated_after: quoted(0.048, format.percent(1), {source: GATED}),
    };
  },
);
