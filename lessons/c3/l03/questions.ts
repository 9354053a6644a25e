// Questions of lesson 3; every answer follows from the core.
import {matrix, valuesOf, type WeighOptions} from '../../../web/core.js';
import {defineQuestions, rightOption, same} from '../../../web/site/questions.js';

export default defineQuestions(({core, scaling, numbers}) => {
  const weigh = (scores: number[], options: Partial<WeighOptions> = {}) =>
    valuesOf(core.weigh(scores, options).weights);
  const headDim = Number(numbers['head_dim']!.value);

  const apple = weigh([10, 3, -4], {method: 'share'})[0]!;

  const ratio = (weights: number[]) => weights[0]! / weights[1]!;
  const before = ratio(weigh([10, 3, -4], {method: 'shift'}));
  const after = ratio(weigh([10, 3, -4, -11], {method: 'shift'}));

  const close = weigh([8, 7, 9]);
  const doubled = weigh([16, 14, 18]);
  const [largestClose, largestDoubled] = [Math.max(...close), Math.max(...doubled)];

  // ÷1, ÷√d, ÷d
  const overScaled = scaling.divisors([1, 0], headDim)[2]!.std;

  const norm = (p: number[]) => core.jacobian(p).norm;
  const norms = [norm([0.2, 0.2, 0.2, 0.2, 0.2]), norm([0.5, 0.5, 0, 0, 0]), norm([1, 0, 0, 0, 0])];
  const largest = norms.indexOf(Math.max(...norms));

  // One query and one key, both doubled.
  const score = (factor: number, scaled: boolean) => {
    const vector = matrix([[1, 2, -1, 0.5].map((x) => factor * x)]);
    return core.attention(vector, vector, vector, {scaled, mask: 'none'}).scores.data[0]!;
  };
  const growth = score(2, false) / score(1, false);
  const scaledGrowth = score(2, true) / score(1, true);

  const sumAfter = weigh([8, 3, -2, 0.5]).reduce((sum, w) => sum + w / Math.sqrt(100), 0);

  return {
    'share-negative': {
      kind: 'choice',
      prompt: '三个分数：苹果10，梨3，汽车−4。每个都除以总和，苹果一个会拿到多少？',
      options: ['不到一整份', '正好一整份', '比一整份还多'],
      answer: rightOption(apple < 1, apple === 1, apple > 1),
      explain:
        '总和是{num fruit_sum}，苹果得10 ÷ {num fruit_sum}，也就是**{num share_apple}**，' +
        '比全部还多。汽车是{num share_car}，加上梨的{num share_pear}，三份合起来仍是100 %。',
    },
    'shift-ratio': {
      kind: 'choice',
      prompt:
        '先把整行减去最小值，再按占比分。苹果10、梨3、汽车−4时，苹果是梨的{num shift_ratio}倍。' +
        '再来一个毫不相干的石头，−11分，苹果与梨之比会怎样？',
      options: ['不变', '变小', '变大'],
      answer: rightOption(
        same(after, before),
        after < before && !same(after, before),
        after > before && !same(after, before),
      ),
      explain:
        '最小值变成了−11，苹果和梨被垫高得一样多，' +
        '之比从{num shift_ratio}变成**{num stone_ratio}**。' +
        '一个不相干的词元，改动了别人之间的比例。',
    },
    'softmax-close': {
      kind: 'number',
      prompt: '三个分数8、7、9做softmax。9分的那个拿到百分之几？先凭感觉写一个数。',
      answer: 100 * close[2]!,
      tolerance: 5,
      unit: '%',
      explain:
        '是**{num soft_c}**；8分{num soft_a}，7分{num soft_b}。按占比只有{num close_share_c}。' +
        '每高1分，权重就乘{num e_gap_1}。',
    },
    'double-row': {
      kind: 'choice',
      prompt: '给8、7、9整行加上100，权重不变。那么整行乘2，变成16、14、18呢？',
      options: ['也不变：三个分数的比例没有变', '变得更尖：最大的拿得更多', '变得更平'],
      answer: rightOption(
        same(largestDoubled, largestClose),
        largestDoubled > largestClose + 1e-9,
        largestDoubled < largestClose - 1e-9,
      ),
      explain:
        '分差也跟着乘了2，最大的从{num soft_c}涨到**{num doubled_c}**。' +
        'softmax不在乎整行一起抬高，却很在乎整行一起放大。',
    },
    'dot-std': {
      kind: 'number',
      prompt: 'q和k各有{num head_dim}维，每一维独立、均值0、方差1。点积q·k的标准差大约是多少？',
      answer: Math.sqrt(headDim),
      tolerance: 1,
      explain:
        '{num head_dim}个独立的乘积，每个方差1，相加得方差{num head_dim}，' +
        '标准差是√{num head_dim}，约**{num dot_std}**。随维数长的是方差，标准差只按√d长。',
    },
    'divide-by-d': {
      kind: 'choice',
      prompt: '既然方差是d，干脆除以d行不行？那样分数的标准差会变成多少？',
      options: ['1', '1/√d', '√d', '1/d'],
      answer: rightOption(
        same(overScaled, 1),
        same(overScaled, 1 / Math.sqrt(headDim)),
        same(overScaled, Math.sqrt(headDim)),
        same(overScaled, 1 / headDim),
      ),
      explain:
        '√d ÷ d = **1/√d**，d＝{num head_dim}时是{num over_std}。分数挤成一团，' +
        'softmax几乎平分，谁也不比谁突出。',
    },
    'ratio-two': {
      kind: 'number',
      quiz: true,
      prompt: '同一行里，甲比乙高2分。softmax之后，甲的权重是乙的几倍？',
      answer: core.exp(2),
      tolerance: 0.5,
      unit: '倍',
      explain: 'e² ≈ **{num e_gap_2}**倍，与这一行还有谁、各多少分都无关。',
    },
    'jacobian-largest': {
      kind: 'choice',
      quiz: true,
      prompt: '五个权重，下面哪种情形，分数稍动一下，权重跟着动得最多（雅可比的范数最大）？',
      options: ['五个各0.2', '两个各0.5，其余为0', '一个为1，其余为0'],
      answer: largest,
      explain:
        '各0.2时范数{num jacobian_uniform}，两个各0.5时**{num jacobian_tie}**，独占时恰好是0。' +
        '两强相争最敏感，平分次之，独占完全不动。',
    },
    'double-qk': {
      kind: 'choice',
      quiz: true,
      prompt: '训练了一段时间，q和k的长度都变成原来的2倍，方向没变。分数变成几倍？',
      options: ['2倍，除不除√d都一样', '4倍，除不除√d都一样', '不除√d时4倍，除了之后2倍'],
      answer: rightOption(
        same(growth, 2) && same(scaledGrowth, 2),
        same(growth, 4) && same(scaledGrowth, 4),
        same(growth, 4) && same(scaledGrowth, 2),
      ),
      explain:
        '两边各乘2，点积乘**4**；÷√d只是一个常数，拦不住后来的增长。' +
        '它管的是起点：让任何维数都从同样大小的分数出发。',
    },
    'divide-after': {
      kind: 'number',
      quiz: true,
      prompt: '有人把次序写反了：先softmax，再把权重除以√d（d＝100）。这一行权重加起来是多少？',
      answer: sumAfter,
      tolerance: 0.005,
      explain:
        '只剩**{num after_sum_hundred}**。权重不再和为1，该饱和的照样饱和：除法必须在softmax之前。',
    },
  };
});
