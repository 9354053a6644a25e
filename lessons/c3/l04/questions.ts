// Questions of lesson 4; every answer follows from the core.
import {matrix, rowsOf, type Masking} from '../../../web/core.js';
import {defineQuestions, rightOption} from '../../../web/site/questions.js';
import {attend, TOKEN} from '../teaching.js';

export default defineQuestions(({core, numbers, world}) => {
  const value = (id: string) => Number(numbers[id]!.value);
  const sentence = attend(core, world);
  const n = world.tokens.length;
  const rules = {window: n, insideSequence: false, paddingAsks: true, inverted: false};
  const past = (sequence: number[], patch: Partial<typeof rules> = {}) =>
    core.pastMask({sequence, ...rules, ...patch});
  const counts = (sequence: number[], patch: Partial<typeof rules> = {}) => {
    const scores = matrix(sequence.map(() => sequence.map(() => 0)));
    const mask = past(sequence, {window: sequence.length, ...patch});
    return core
      .maskedWeights(scores, mask, {masking: 'infinity', emptyRow: 'zero'})
      .rows.map(({visible}) => visible);
  };

  const hidden = value('zero_3');
  const firstLeft = counts([-1, -1, -1, -1, 0, 0, 0])[0]!;
  const half = value('two_useful');

  // The tests that detect a mask that writes 0 in place of −∞.
  const masked = (scores: number[][], masking: Masking) =>
    core.maskedWeights(matrix(scores), past(world.tokens.map(() => 0)), {
      masking,
      emptyRow: 'zero',
    });
  const scores = rowsOf(sentence.scaled.scores);
  const sumsFind = masked(scores, 'zero').rows.some(({sum}) => Math.abs(sum - 1) > 1e-9);
  // The last key affects no score of an earlier row, but its value enters the row's output.
  const leaked = rowsOf(masked(scores, 'zero').weights)[TOKEN.geile]![TOKEN.xiaowang]!;
  const changeFinds = leaked > 0;

  return {
    'prefix-positions': {
      kind: 'number',
      prompt:
        '{num n_questions}道题，各自的前缀单独送一次：1个、2个、3个、4个词元。一共要算多少个位置？',
      answer: value('prefix_positions'),
      tolerance: 0,
      unit: '个',
      explain:
        '1 + 2 + 3 + 4 = **{num prefix_positions}**个，分{num n_questions}遍。' +
        '整句一次只要{num one_pass}个位置。' +
        'T个词元时前者是T(T − 1) ÷ 2，随长度的平方增加。',
    },
    'masked-weight': {
      kind: 'number',
      prompt:
        '「给了」一行，不遮时苹果{num free_pingguo}，小王{num weight_answer}。' +
        '把小王遮住，苹果会拿到百分之几？',
      answer: 100 * value('masked_pingguo'),
      tolerance: 2,
      unit: '%',
      explain:
        '是**{num masked_pingguo}**。小王退出之后，余下的按原来的比例分满100 %：' +
        '苹果的{num free_pingguo}除以余下的和{num after_geile}（用没有舍入的数除）。' +
        '两两之比没有变。',
    },
    'zero-hidden': {
      kind: 'choice',
      prompt: '三个分数1、2、（遮）。把被遮的那个换成0，再做softmax，被遮的会拿到多少？',
      options: ['恰好0', '大于0，但比另外两个少', '比另外两个都多'],
      answer: rightOption(
        hidden === 0,
        hidden > 0 && hidden < value('zero_1') && hidden < value('zero_2'),
        hidden > value('zero_1') && hidden > value('zero_2'),
      ),
      explain:
        'e⁰ = 1，它照样参加分配，拿到**{num zero_3}**。若前两个分数是−1和−2，0就是最高分，' +
        '被遮的反而拿得最多。',
    },
    'left-first': {
      kind: 'choice',
      prompt:
        '「空山不」补在左边，凑到{num pad_width}格：补、补、补、补、空、山、不。' +
        '补位的列都遮住，再加因果掩码，第1行看得见几个位置？',
      options: ['0个', '1个：它自己', '3个：真正的字'],
      answer: rightOption(firstLeft === 0, firstLeft === 1, firstLeft === 3),
      explain:
        '真正的字都在它后面，因果掩码遮住了；它自己是补位，也遮住了。**一个也看不见**，' +
        '整行都是−∞。补在右边就不会这样。',
    },
    'useful-share': {
      kind: 'choice',
      prompt:
        '两句话，一句{num very_long}个词元，一句{num very_short}个，补到一样长。' +
        '真词元占全部格子的多少？',
      options: ['不到25 %', '一半多一点', '75 %以上'],
      answer: rightOption(half < 0.25, half > 0.5 && half < 0.55, half > 0.75),
      explain:
        '**{num two_useful}**。长的那一句总是填满的，所以两句补齐怎么也不会低于一半。' +
        '一句长的带四句短的，才掉到{num four_useful}。',
    },
    'after-sum': {
      kind: 'number',
      quiz: true,
      prompt:
        '不遮时「给了」放在小王上{num weight_answer}。' +
        '若先做softmax、再把小王的权重抹成0，这一行的和是多少？（写成0到1之间的小数）',
      answer: value('after_geile'),
      tolerance: 0.01,
      explain:
        '100 %减去{num weight_answer}，行和是**{num after_geile}**。这种错，查行和就查得出来。',
    },
    'packed-visible': {
      kind: 'number',
      quiz: true,
      prompt:
        '「秦川雄帝宅」和「空山不」打包在{num pack_width}格里，从1数起，第7格是「山」。' +
        '掩码写对了，它看得见几个位置？',
      answer: counts([0, 0, 0, 0, 0, 1, 1, 1], {insideSequence: true})[6]!,
      tolerance: 0,
      unit: '个',
      explain: '**2**个：「空」和它自己。前面五个属于另一句。若忘了分句，就是7个。',
    },
    'window-edge': {
      kind: 'number',
      quiz: true,
      prompt: '窗口w = 3，有人把条件写成i − j ≤ w，再加上j ≤ i。句子够长时，一行看得见几个位置？',
      answer: counts(Array<number>(8).fill(0), {window: 4}).at(-1)!,
      tolerance: 0,
      unit: '个',
      explain: 'i − j可以是0、1、2、3，共**4**个，多了一个。对的写法是i − j < w。',
    },
    'which-test': {
      kind: 'choice',
      quiz: true,
      prompt: '有人把被遮的分数换成了0。下面哪一条检查能抓住它？',
      options: [
        '看每行权重加起来是不是1',
        '看训练损失是不是还在下降',
        '换掉最后一个词元，看前面各行的输出变不变',
      ],
      // A leak lowers the loss, so a falling loss proves nothing.
      answer: rightOption(sumsFind, false, changeFinds && !sumsFind),
      explain:
        '行和仍是1，损失甚至更低。只有**换掉最后一个词元**查得出来：' +
        '「给了」放在小王上的权重不是0，' +
        '而是{num zero_xiaowang}，小王一换，它的输出就跟着变。',
    },
  };
});
