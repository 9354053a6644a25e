// Questions of lesson 5; every answer follows from the core.
import {matrix, rowsOf} from '../../../web/core.js';
import {defineQuestions, rightOption, same} from '../../../web/site/questions.js';
import {attend, TOKEN} from '../teaching.js';
import {HAND, LOOKUP} from './example.js';

export default defineQuestions(({core, world}) => {
  const sentence = attend(core, world);
  const keyLikeness = core.cosine(sentence.k[TOKEN.xiaoming]!, sentence.k[TOKEN.xiaowang]!);

  const scaledBy = (factor: number, rows: number[][]) =>
    matrix(rows.map((row) => row.map((x) => factor * x)));
  const hand = (q: number, k: number, v: number) =>
    core.attention(scaledBy(q, HAND.q), scaledBy(k, HAND.k), scaledBy(v, HAND.v), {
      scaled: false,
      mask: 'none',
    });
  const plain = hand(1, 1, 1);
  const [first, second] = rowsOf(plain.output)[2]!;
  const doubledValues = hand(1, 1, 2);
  const traded = hand(2, 0.5, 1);
  const alike = (a: Float64Array, b: Float64Array, factor = 1) =>
    a.every((x, i) => same(x, factor * b[i]!));

  // The result of the hard lookup when the first score changes a little up or down.
  const hardAt = (change: number) => {
    const scores = LOOKUP.scores.map((s, i) => (i === 0 ? s + change : s));
    return LOOKUP.values[scores.indexOf(Math.max(...scores))]!;
  };
  const hardSlope = (hardAt(1e-3) - hardAt(-1e-3)) / 2e-3;

  const own = core.attention(matrix(HAND.q), matrix(HAND.k), matrix(HAND.v), {
    scaled: true,
    mask: 'self',
  }).output;
  const means = HAND.v[0]!.map((_, c) => HAND.v.reduce((sum, row) => sum + row[c]! / 3, 0));
  const allEqual = (expected: number[][]) => alike(own.data, matrix(expected).data);

  const weights = rowsOf(sentence.causal.weights)[TOKEN.geile]!;
  const shares = weights.map((w, token) => Math.abs(w * sentence.v[token]![1]!));
  const options = [TOKEN.pingguo, TOKEN.xiaoming, TOKEN.ba];
  const largest = Math.max(...options.map((token) => shares[token]!));

  return {
    'key-likeness': {
      kind: 'choice',
      prompt:
        '在我们的教学向量里，小明和小王的键k各有{num world_width}个数。这两个键的余弦大约是多少？' +
        '提示：「给了」这类动词对两个人名同样感兴趣。',
      options: ['0左右：毫不相干', '0.5左右：有一半像', '接近1：几乎一样'],
      answer: rightOption(
        Math.abs(keyLikeness) < 0.25,
        Math.abs(keyLikeness - 0.5) < 0.25,
        keyLikeness > 0.75,
      ),
      explain:
        '是**{num cos_k_names}**。键只需要说「我是个人，可以来找我」，不需要说是哪一个人。' +
        '拿它当内容取回来，就分不清是谁。',
    },
    'hand-output': {
      kind: 'number',
      prompt:
        '权重是{num hand_w1}、{num hand_w2}、{num hand_w3}，三个值是(2, 0)、(0, 2)、(1, 1)。' +
        '取回的向量，第一个分量大约是多少？',
      answer: first!,
      tolerance: 0.1,
      explain:
        '三份的第一个分量2、0、1各乘权重再相加，是**{num hand_out1}**；' +
        '第二个分量{num hand_out2}。' +
        '它不等于三个值里的任何一个。',
    },
    'hard-slope': {
      kind: 'choice',
      prompt:
        '三条记录，分数2、1.5、−1，值10、20、0。只取分数最高的那一条，得10。' +
        '把2改成2.001，取回的数变多少？',
      options: ['变大一点点', '一点不变', '变小一点点'],
      answer: rightOption(hardSlope > 0, hardSlope === 0, hardSlope < 0),
      explain:
        '还是第一条最高，还是**{num lookup_hard}**，导数恰好是0。软查表取回{num lookup_soft}，' +
        '这个分数每加一点，它就变那一点的{num lookup_slope_1}倍：有方向，才学得动。',
    },
    'self-only': {
      kind: 'choice',
      quiz: true,
      prompt: '每个词元都只许看自己。注意力的输出是什么？',
      options: ['全是0', '三个值的平均', '各自的值，原封不动'],
      answer: rightOption(
        own.data.every((x) => x === 0),
        allEqual([means, means, means]),
        allEqual(HAND.v),
      ),
      explain:
        '一行只有一个看得见的位置，权重只能是1，输出就是自己的**v**。' +
        '注意是v，不是词向量：W_V还是乘过的。',
    },
    'double-values': {
      kind: 'choice',
      quiz: true,
      prompt: '把V整个乘2，Q和K不动。结果怎样？',
      options: ['权重变尖，输出跟着偏', '权重不变，输出正好2倍', '都不变'],
      answer: rightOption(
        !alike(doubledValues.weights.data, plain.weights.data),
        alike(doubledValues.weights.data, plain.weights.data) &&
          alike(doubledValues.output.data, plain.output.data, 2),
        alike(doubledValues.output.data, plain.output.data),
      ),
      explain:
        'V不参与打分，权重一动不动；输出对V是**线性**的，V乘2，输出就乘2。' +
        '把K乘2则相反：权重变了，输出却仍出不了那几个v围成的范围。',
    },
    'trade-scale': {
      kind: 'choice',
      quiz: true,
      prompt: '把Q乘2，K除以2，V不动。输出会变吗？',
      options: ['不变', '变得更尖', '变得更平'],
      answer: rightOption(
        alike(traded.output.data, plain.output.data),
        traded.entropy[2]! < plain.entropy[2]! - 1e-9,
        traded.entropy[2]! > plain.entropy[2]! + 1e-9,
      ),
      explain:
        '点积里2和½约掉了，分数、权重、输出都**不变**。' +
        '所以单看Q或单看K的大小没有意义，有意义的是它们的乘积。',
    },
    'identity-giver': {
      kind: 'choice',
      quiz: true,
      prompt:
        '「给了」的输出里，「身份」那个分量主要是谁给的？' +
        '它的权重：苹果{num row_pingguo}，小明{num row_xiaoming}，把{num row_ba}。',
      options: ['苹果，它的权重最大', '小明', '把'],
      answer: rightOption(...options.map((token) => shares[token] === largest)),
      explain:
        '贡献是权重乘值：苹果{num part_pingguo}，小明**{num part_xiaoming}**，把{num part_ba}。' +
        '只看权重，会猜错人。',
    },
    'hand-second': {
      kind: 'number',
      quiz: true,
      prompt: '还是(2, 0)、(0, 2)、(1, 1)三个值，不管权重是多少，输出的两个分量加起来总等于几？',
      answer: first! + second!,
      tolerance: 0.001,
      explain:
        '每个值的两个分量之和都是2，加权平均的权重和为1，所以输出之和也是**2**。' +
        '输出只能落在三个值围成的范围里；这里三点在一条直线上，它就出不了那条线段。',
    },
  };
});
