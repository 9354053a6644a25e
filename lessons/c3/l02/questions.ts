// Questions of lesson 2; every answer follows from the core.
import {matrix, rowsOf} from '../../../web/core.js';
import {defineQuestions, rightOption, same} from '../../../web/site/questions.js';
import {attend} from '../teaching.js';
import {tanh} from './additive.js';

export default defineQuestions(({core, world, numbers}) => {
  const value = (id: string) => Number(numbers[id]!.value);
  const sentence = attend(core, world);
  const sum = (values: number[]) => values.reduce((total, x) => total + x, 0);

  // Without tanh: the token with the highest score of each row.
  const favourites = sentence.q.map((q) => {
    const row = sentence.k.map((k) => sum(q) + sum(k));
    return row.indexOf(Math.max(...row));
  });
  const allAlike = favourites.every((favourite) => favourite === favourites[0]);

  const shape = core.attention(matrix(sentence.q), matrix(sentence.k), matrix(sentence.v), {
    scaled: false,
    mask: 'none',
  }).scores;

  const keys = [
    [2, 0],
    [0, 2],
    [-1, 1],
  ];
  const products = rowsOf(
    core.product(matrix([[1, 2]]), matrix([0, 1].map((d) => keys.map((key) => key[d]!)))),
  )[0]!;

  // A function that can be applied to the two sides separately: f(a + b) = f(a) + f(b).
  const separable = (f: (x: number) => number) => same(f(1.5), f(1) + f(0.5));

  return {
    'how-many-times': {
      kind: 'number',
      prompt:
        '{num rnn_length}个词元，加性打分的中间层有{num additive_width}维。' +
        '它中间那一层的数，是最后那张分数表的多少倍？',
      answer: value('ratio'),
      unit: '倍',
      explain:
        '每一对都要先有{num additive_width}个数，才压成一个分数，正好**{num ratio}**倍：' +
        '分数表{num dot_memory}，中间那一层{num additive_memory}。倍数就是d_a，与句子多长无关。',
    },
    'all-alike': {
      kind: 'choice',
      prompt: '把tanh去掉，{num n_tokens}个词元各自的一行里，分数最高的会是谁？',
      options: ['各找各的，每行不同', '每一行都是同一个', '每一行都是自己'],
      answer: rightOption(
        !allAlike && !favourites.every((favourite, i) => favourite === i),
        allAlike,
        favourites.every((favourite, i) => favourite === i),
      ),
      explain:
        '**每一行都是同一个**（这里都是「给了」）。分数成了「查询的一份」加「键的一份」，' +
        '查询那一份对整行都一样，名次只由键决定：谁来问，答案都相同。',
    },
    'twice-as-long': {
      kind: 'number',
      prompt: '改用点积以后，句子长一倍，分数表变成原来的几倍？',
      answer: value('doubled_memory') / value('dot_memory'),
      unit: '倍',
      explain:
        '行和列都加倍，**4**倍：从{num dot_memory}到{num doubled_memory}。' +
        '点积省下的是d_a那一层，平方还在。',
    },
    'pairwise-step': {
      kind: 'choice',
      quiz: true,
      prompt: '加性打分vᵀ·tanh(W₁q＋W₂k)里，哪一步非得一对一对地做，不能让每个词元各做一次就完？',
      options: ['W₁q', 'W₂k', 'tanh(W₁q＋W₂k)'],
      answer: rightOption(
        !separable((x) => 3 * x),
        !separable((x) => -2 * x),
        !separable((x) => tanh(core, x)),
      ),
      explain:
        'W₁q只与查询有关，W₂k只与键有关，各算一次存着就行。' +
        '**tanh**作用在两者之和上，tanh(a＋b)拆不成a的一份和b的一份，只好每一对都算。',
    },
    'how-many-scores': {
      kind: 'number',
      quiz: true,
      prompt: '教学句的Q和K都是{num n_tokens}行{num world_width}列。QKᵀ里一共有多少个分数？',
      answer: shape.rows * shape.cols,
      explain:
        '{num n_tokens}行、{num n_tokens}列，**{num pairs_teaching}**个。' +
        '宽度{num world_width}在相乘时加掉了，不进结果的形状。',
    },
    'best-key': {
      kind: 'choice',
      quiz: true,
      prompt: '查询q＝(1, 2)。三个键里，哪一个的点积最大？',
      options: keys.map(([a, b]) => `(${String(a).replace('-', '−')}, ${b})`),
      answer: products.indexOf(Math.max(...products)),
      explain: '点积依次是2、4、1，**(0, 2)**最大：查询看重第二维，键也恰好长在第二维上。',
    },
    bound: {
      kind: 'number',
      quiz: true,
      prompt: '加性打分，v＝(0.5, −1, 2)。不管q和k有多大，分数的绝对值都超不过多少？',
      answer: value('bound'),
      explain:
        '每个tanh都在−1和1之间，分数的绝对值小于|0.5|＋|−1|＋|2|＝**{num bound}**。' +
        '点积没有这样的上限。',
    },
  };
});
