// Questions of lesson 1; every answer follows from the core.
import {matrix, rowsOf} from '../../../web/core.js';
import {defineQuestions, rightOption, same} from '../../../web/site/questions.js';
import {attend, TOKEN} from '../teaching.js';

export default defineQuestions(({core, world, numbers}) => {
  const sentence = attend(core, world);
  const {embeddings, tokens} = world;
  const me = TOKEN.geile;
  const highest = (values: number[]) => values.indexOf(Math.max(...values));

  const cosines = embeddings.map((other) => core.cosine(embeddings[me]!, other));

  const shared = rowsOf(
    core.attention(matrix(sentence.k), matrix(sentence.k), matrix(sentence.k), {
      scaled: false,
      mask: 'none',
    }).scores,
  );

  const scores = rowsOf(sentence.raw.scores);
  const own = [...scores[me]!].sort((a, b) => b - a).indexOf(scores[me]![me]!);

  // q = (1, 0, 2), k = (3, 5, −1), as one row and one column.
  const byHand = core.product(matrix([[1, 0, 2]]), matrix([[3], [5], [-1]])).data[0]!;

  const asker = TOKEN.xiaowang;
  const order = [TOKEN.xiaoming, TOKEN.pingguo, TOKEN.geile, TOKEN.xiaowang];

  // A property of every shared matrix must hold for each of these matrices.
  const oneMatrix = [world.W_Q, world.W_K, world.W_V].map((weights) => {
    const z = core.product(matrix(embeddings), matrix(weights));
    return rowsOf(core.attention(z, z, z, {scaled: false, mask: 'none'}).scores);
  });
  const always = (holds: (rows: number[][]) => boolean) => oneMatrix.every(holds);

  return {
    'most-alike': {
      kind: 'choice',
      prompt: '直接比词向量的余弦，「给了」和谁的最高？',
      options: tokens.map((token, i) => (i === me ? `「${token}」自己` : `「${token}」`)),
      answer: highest(cosines),
      explain:
        '是它**自己**，{num cos_geile}；其次是同为语法词的「把」，{num cos_ba}。' +
        '该找的小明{num cos_xiaoming}、苹果{num cos_pingguo}、小王{num cos_xiaowang}排在最后。',
    },
    'shared-back': {
      kind: 'number',
      prompt:
        '两边用同一个投影（同一副眼镜），「给了」给「苹果」打了{num shared_pingguo}分。' +
        '反过来，「苹果」给「给了」打几分？',
      answer: shared[TOKEN.pingguo]![me]!,
      tolerance: 0.005,
      explain:
        '也是**{num shared_back}**：点积交换两边，结果不变。' +
        '换成什么矩阵都一样，两个方向的分永远相等。',
    },
    'own-place': {
      kind: 'choice',
      prompt: '「给了」的查询和{num n_tokens}个词元的键各做一次点积，它自己会排第几？',
      options: ['还是第一', '在中间', '最后'],
      answer: rightOption(own === 0, own > 0 && own < tokens.length - 1, own === tokens.length - 1),
      explain:
        '**最后**，{num score_geile}分。苹果{num score_pingguo}、小王{num score_xiaowang}、' +
        '小明{num score_xiaoming}到了前三。它的查询不喜欢语法词，而它自己的键正是语法词。',
    },
    'by-hand': {
      kind: 'number',
      quiz: true,
      prompt: '查询q＝(1, 0, 2)，键k＝(3, 5, −1)。注意力分数q·k是多少？',
      answer: byHand,
      explain: '1×3＋0×5＋2×(−1)＝**1**。q的第二维是0，k在那一维再大也没人问。',
    },
    'one-matrix': {
      kind: 'choice',
      quiz: true,
      prompt: '有人为了省参数，让W_Q和W_K用同一个矩阵，其余不变。下面哪一条一定成立？',
      options: ['分数全都不小于0', '词元i给j的分，总等于j给i的分', '每个词元给自己的分都是0'],
      answer: rightOption(
        always((rows) => rows.flat().every((score) => score >= 0)),
        always((rows) =>
          rows.every((row, i) => row.every((score, j) => same(score, rows[j]![i]!))),
        ),
        always((rows) => rows.every((row, i) => row[i] === 0)),
      ),
      explain:
        'q和k成了同一个向量z，z_i·z_j＝z_j·z_i，**分数表是对称的**。' +
        '给自己的分是z_i·z_i，不但不是0，往往还是最高的；别的分可正可负。',
    },
    'from-xiaowang': {
      kind: 'choice',
      quiz: true,
      prompt: '在教学句里从「小王」看：它的查询与谁的键点积最大？可以用上面的小部件查。',
      options: order.map((token) => `「${tokens[token]}」`),
      answer: order.indexOf(highest(scores[asker]!) as (typeof order)[number]),
      explain:
        '是**「给了」**：这一套投影里，人名在找与自己有关的动作。' +
        '反过来「给了」也在找小王，两个方向的分却不同。',
    },
    parameters: {
      kind: 'number',
      quiz: true,
      prompt:
        'GPT-2的词元向量有{num gpt2_width}维，一个头的q和k各{num gpt2_head_width}维。' +
        '这个头的W_Q和W_K一共有多少个数？',
      answer: Number(numbers['gpt2_pair']!.value),
      explain:
        '各是{num gpt2_width} × {num gpt2_head_width}，两个合计**{num gpt2_pair}**。' +
        '若直接学一张方的M，要{num gpt2_square}个。',
    },
  };
});
