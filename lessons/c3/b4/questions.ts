// Questions of branch B4; every answer follows from the core.
import {rowsOf, valuesOf} from '../../../web/core.js';
import {defineQuestions, rightOption, same} from '../../../web/site/questions.js';
import {attend, TOKEN} from '../teaching.js';
import {DUMP, GATE, LOWER, MATCH} from './example.js';

export default defineQuestions(({core, sequence, world}) => {
  const scores = rowsOf(attend(core, world).causal.scores)[TOKEN.pingguo]!.slice(
    0,
    TOKEN.pingguo + 1,
  );
  const total = (row: readonly number[], sink: number, gate = 1) =>
    sequence.softmaxWithSink(row, {sink, gate}).takenTotal;
  const plain = (row: readonly number[]) => valuesOf(core.weigh(row).weights);
  const lowered = scores.map((score) => score + LOWER);
  const left = plain(lowered).reduce((sum, weight) => sum + weight, 0);

  const rest = Array.from({length: DUMP.others}, () => 0);
  const times = plain(rest)[0]! / plain([DUMP.first, ...rest])[1]!;
  const between = (low: number, high: number) => times >= low && times < high;

  const one = sequence.softmaxWithSink(scores, {sink: 1, gate: 1});
  const ratio = (weights: readonly number[]) => weights[TOKEN.ba]! / weights[TOKEN.xiaoming]!;
  const shifted = total(
    scores.map((score) => score + 1),
    1,
  );

  return {
    'all-lower': {
      kind: 'number',
      prompt:
        '「苹果」这一行的三个分数都减去10，谁都不像要找的了。普通softmax这一次总共取走百分之几？',
      answer: 100 * left,
      tolerance: 0.5,
      unit: '%',
      explain:
        '还是**100 %**，连怎么分都没变，「把」照样{num low_ba}。softmax只看分差，' +
        '整行一起变低，它不受影响（第3课）。',
    },
    'evict-first': {
      kind: 'choice',
      prompt:
        '一行里，第一个词元分数{num dump_first_score}，拿走{num dump_first}；' +
        '其余{num dump_others}个分数都是0，' +
        '各拿{num dump_each}。为省显存，把第一个词元移出缓存，其余每个的权重变成原来的几倍？',
      options: ['还是1倍左右', '3倍左右', '20倍左右'],
      answer: rightOption(between(0.5, 2), between(2, 6), between(15, 25)),
      explain:
        '100 %得由剩下的分完，每个变成{num evicted_each}，是原来的**{num evicted_times}**倍。' +
        '本来几乎不看的词元，一下子都有了不小的权重。',
    },
    'sink-zero': {
      kind: 'choice',
      prompt:
        '分母里再加一项e⁰＝1，它不属于任何词元。「苹果」这一行还取走多少？' +
        '提示：三个e的幂加起来约3.5。',
      options: ['约22 %', '约50 %', '约78 %'],
      answer: rightOption(
        Math.abs(total(scores, 0) - 0.22) < 0.02,
        Math.abs(total(scores, 0) - 0.5) < 0.02,
        Math.abs(total(scores, 0) - 0.78) < 0.02,
      ),
      explain: '3.5 ÷ (1 + 3.5)，算出来是**{num sum_0}**；{num rest_0}谁也不给。',
    },
    'same-ratio': {
      kind: 'choice',
      quiz: true,
      prompt: '加上汇logit之后，「把」与「小明」的权重之比怎样变？',
      options: ['更接近1', '不变', '更悬殊'],
      answer: rightOption(
        ratio(one.weights) < ratio(plain(scores)) &&
          !same(ratio(one.weights), ratio(plain(scores))),
        same(ratio(one.weights), ratio(plain(scores))),
        ratio(one.weights) > ratio(plain(scores)) &&
          !same(ratio(one.weights), ratio(plain(scores))),
      ),
      explain:
        '**不变**。两个权重除以同一个变大了的分母，比例还是e的分差次方。汇改的是总量，不改怎么分。',
    },
    'shift-matters': {
      kind: 'choice',
      quiz: true,
      prompt: '汇logit是1。「苹果」那一行的分数全都加1，取走的总量变不变？',
      options: ['不变，softmax只看分差', '变多', '变少'],
      answer: rightOption(
        same(shifted, total(scores, 1)),
        shifted > total(scores, 1) && !same(shifted, total(scores, 1)),
        shifted < total(scores, 1) && !same(shifted, total(scores, 1)),
      ),
      explain:
        '**变多**，从{num sum_1}变成{num sum_0}，等于汇logit降了1。' +
        '有了汇，词元的分数就有了一个固定的标准可比，高低才有意义。',
    },
    'match-takes-all': {
      kind: 'choice',
      quiz: true,
      prompt: '汇logit是1。另一行有一个分数是{num match_score}，另外两个是0。它取走多少？',
      options: ['九成以上', '一半上下', '一成以下'],
      answer: rightOption(
        total(MATCH, 1) > 0.9,
        total(MATCH, 1) > 0.4 && total(MATCH, 1) < 0.6,
        total(MATCH, 1) < 0.1,
      ),
      explain:
        '取走**{num match_sum}**。同一个汇，有匹配的行照样取，没有匹配的行才少取：' +
        '「苹果」那一行只取{num sum_1}。',
    },
    'gate-and-sink': {
      kind: 'number',
      quiz: true,
      prompt: '汇logit为0，取走{num sum_0}；再过一道开到{num gate}的门，最后取走百分之几？',
      answer: 100 * total(scores, 0, GATE),
      tolerance: 0.2,
      unit: '%',
      explain: '两样相乘，{num sum_0} × {num gate}。门只管放行多少，不再改怎么分。',
    },
  };
});
