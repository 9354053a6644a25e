// Questions of lesson 7; every answer follows from the core.
import {matrix, rowsOf} from '../../../web/core.js';
import {defineQuestions, rightOption, same} from '../../../web/site/questions.js';
import {attend, TOKEN} from '../teaching.js';
import {PAIR} from './example.js';

export default defineQuestions(({core, world, numbers}) => {
  const {heads} = attend(core, world);
  const value = (id: string) => Number(numbers[id]!.value);
  const rowSums = heads.map((head) =>
    rowsOf(head.weights)[TOKEN.geile]!.reduce((sum, w) => sum + w, 0),
  );
  const total = 100 * rowSums.reduce((sum, s) => sum + s, 0);
  const [whole, cut] = [value('parameters'), value('parameters_cut')];

  const x = matrix(PAIR);
  const pair = core.multiHead(x, x, x, {heads: 2, scaled: true, mask: 'causal'});
  const [first, second] = pair.heads.map((head) => [...head.weights.data]);

  // The same head with a divisor that is too large.
  const before = value('a_xiaoming');
  const after = value('wrong_a');

  // Heads swapped, and W_O's rows with them.
  const halves = heads.map((head) => rowsOf(head.output)[TOKEN.geile]!);
  const project = (joined: number[], rows: number[][]) => [
    ...core.product(matrix([joined]), matrix(rows)).data,
  ];
  const width = world.d_head;
  const straight = project(halves.flat(), world.W_O);
  const swapped = project([...halves].reverse().flat(), [
    ...world.W_O.slice(width),
    ...world.W_O.slice(0, width),
  ]);
  const equal = straight.every((y, i) => same(y, swapped[i]!));

  return {
    'shares-left': {
      kind: 'number',
      prompt: '只有一个头。假如训练让「给了」把90 %的权重放到小明上，苹果最多还能拿到百分之几？',
      answer: 100 - 90,
      tolerance: 0.5,
      unit: '%',
      explain:
        '一行加起来是100 %，所以最多**10 %**。要苹果多，小明就得少：这不是训练不够，' +
        '是一次softmax的性质。',
    },
    'cut-parameters': {
      kind: 'choice',
      prompt:
        '{num world_width}维切成{num world_heads}个头，每头{num world_head_width}维。' +
        '三个投影的参数一共变成多少？',
      options: ['变成2倍：两个头，两套投影', '不变', '减半：每个头只有一半宽'],
      answer: rightOption(cut === 2 * whole, cut === whole, cut === whole / 2),
      explain:
        '切之前{num parameters}个，' +
        '切之后{num world_heads} × {num cell_projection}＝**{num parameters_cut}**个。' +
        '头多一倍，每头窄一半，正好抵消。',
    },
    'wrong-divisor': {
      kind: 'choice',
      prompt:
        '切成头以后，有人还按老习惯除以√d_model，没有改成每个头自己那几维的平方根。' +
        '每个头的权重会怎样？',
      options: ['更尖', '更平', '不变，softmax会自己调整'],
      answer: rightOption(
        after > before && !same(after, before),
        after < before && !same(after, before),
        same(after, before),
      ),
      explain:
        '除数大了，分差就小了：头A落在小明上的从{num a_xiaoming}降到**{num wrong_a}**，' +
        '头B落在苹果上的从{num b_pingguo}降到{num wrong_b}。',
    },
    'two-hundred': {
      kind: 'number',
      quiz: true,
      prompt: '两个头，「给了」这一行的权重全部加起来，一共是百分之几？',
      answer: total,
      tolerance: 0.5,
      unit: '%',
      explain: '每个头各有自己的softmax，各自100 %，合起来**200 %**。多头给的正是这个。',
    },
    'identical-heads': {
      kind: 'choice',
      quiz: true,
      prompt:
        '四维的小例子里，两行x是(1, 0, 1, 0)和(0, 1, 0, 1)，投影都取单位矩阵。' +
        '头A和头B的权重有什么关系？',
      options: ['头A看自己多，头B看别人多', '完全一样', '头B是头A的一半'],
      answer: rightOption(
        first![3]! > second![3]! + 1e-9,
        first!.every((w, i) => same(w, second![i]!)),
        same(second![3]!, first![3]! / 2),
      ),
      explain:
        '两个头拿到的列一模一样，分数、权重、输出也就**完全一样**。' +
        '切开只是让各头可以看得不同，真的不同要靠训练。',
    },
    'anchor-joined': {
      kind: 'number',
      quiz: true,
      prompt:
        '锚点模型有{num n_heads}个头，每头{num head_dim}维。拼接之后，一个词元的向量有多少维？',
      answer: value('anchor_joined'),
      tolerance: 0.5,
      unit: '维',
      explain:
        '{num n_heads} × {num head_dim}＝**{num anchor_joined}**维，再由W_O投影回模型的宽度。',
    },
    'swap-heads': {
      kind: 'choice',
      quiz: true,
      prompt: '把头A和头B对调次序，同时把W_O的对应几行也对调。最后的输出变吗？',
      options: ['不变', '人和物的分量互换', '变成相反数'],
      answer: rightOption(
        equal,
        !equal && same(straight[0]!, swapped[1]!),
        straight.every((y, i) => same(y, -swapped[i]!)),
      ),
      explain:
        '拼接后乘W_O等于各头的输出各乘W_O的几行再相加，相加不讲次序，所以**不变**。' +
        '头的编号没有意义，两次训练里同号的头也不必做同一件事。',
    },
    'uniform-distance': {
      kind: 'number',
      quiz: true,
      prompt:
        '给一个头画像：{num portrait_length}个词元，因果掩码，每一行都在看得见的词元上平分。' +
        '所有行平均下来，看的距离是多少？（自己算0，前一个算1）',
      answer: value('portrait_distance'),
      tolerance: 0.01,
      explain:
        '第i行（从0数）平均距离i÷2，再对所有行平均，得(n−1)÷4＝**{num portrait_distance}**。' +
        '{num portrait_last}只是最后一行的。拿错基线，就会把平分的头说成爱看近处。',
    },
  };
});
