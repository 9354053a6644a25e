// Questions of branch B1; every answer follows from the core.
import {KEEP, WIDTH} from '../../../web/shared/recurrence.js';
import {rowsOf} from '../../../web/core.js';
import {defineQuestions, rightOption} from '../../../web/site/questions.js';
import {TOKEN} from '../teaching.js';
import {GATE, startingWith, walk, WORDS} from './example.js';

export default defineQuestions(({sequence, world, numbers}) => {
  const long = Number(numbers['rnn_length']!.value);
  const first = sequence.serialCost(WORDS, KEEP);

  const last = (name: number) =>
    rowsOf(walk(sequence, world, startingWith(world, name, WORDS)).states).at(-1)!;
  const [one, other] = [last(TOKEN.xiaoming), last(TOKEN.xiaowang)];
  const apart = Math.max(...one.map((value, i) => Math.abs(value - other[i]!)));

  // A state twice as wide: each vector is written twice, side by side.
  const twice = world.embeddings.map((row) => [...row, ...row]);
  const narrow = walk(sequence, world, world.embeddings);
  const wide = walk(sequence, {...world, d_model: 2 * world.d_model}, twice);
  const farther = Math.abs(wide.reach.at(-1)! - narrow.reach.at(-1)!) > 1e-9;
  const fewerSteps = wide.states.rows !== narrow.states.rows;

  // Multiply-adds of one layer: T·d·d at the state's walk, T·T·d in QKᵀ.
  const walked = (length: number) => length * WIDTH * WIDTH;
  const scored = (length: number) => length * length * WIDTH;

  return {
    'first-left': {
      kind: 'number',
      prompt:
        '一句{num words}个词。状态每更新一次，第一个词留下的影响变成原来的{num keep}倍。' +
        '读完最后一个词时，第一个词的影响还剩百分之几？',
      unit: '%',
      answer: 100 * first.left,
      tolerance: 0.2,
      explain:
        '从第一个词到最后一个词，状态又更新了{num hops}次，{num keep}连乘{num hops}回，' +
        '只剩**{num left_words_percent}**。' +
        '每一步看着都留得不少，乘起来就没了。',
    },
    'names-apart': {
      kind: 'choice',
      prompt:
        '两句话，一句小明开头，一句小王开头，后面{num hops}个词元一模一样。' +
        '读完以后，两个状态最多差多少？' +
        '（刚读完第一个词元时差{num apart_first}。）',
      options: ['还差0.1左右', '差0.01左右', '差不到0.001'],
      answer: rightOption(
        apart > 0.03 && apart < 0.3,
        apart > 0.003 && apart < 0.03,
        apart < 0.001,
      ),
      explain:
        '只差**{num apart_words}**。开头是谁，状态里几乎没有痕迹了；' +
        '后面的层只看得到状态，无从知道。',
    },
    'same-work': {
      kind: 'choice',
      prompt:
        '{num parallel_length}个词元，状态和词向量都是{num state_width}维。' +
        'RNN每一步要算一次{num state_width} × {num state_width}的矩阵乘法，' +
        '注意力要算所有的对的点积。哪一边的乘法多？',
      options: ['RNN多', '一样多', '注意力多'],
      answer: rightOption(
        walked(WIDTH) > scored(WIDTH),
        walked(WIDTH) === scored(WIDTH),
        walked(WIDTH) < scored(WIDTH),
      ),
      explain:
        '都是**{num one_product}**次，一样多。差别不在多少，在次序：' +
        'RNN分成{num parallel_length}步，一步等一步；点积之间不用互相等待，可以一起算。',
    },
    updates: {
      kind: 'number',
      quiz: true,
      prompt: '{num rnn_length}个词元，读到最后一个时，第一个词元留下的信息被改写了几次？',
      answer: sequence.serialCost(long, KEEP).updates,
      tolerance: 0,
      explain:
        '除了自己那一步，后面每一步都改写一次：**{num rnn_updates}**次。' +
        '要依次做的步数则是{num rnn_length}步。',
    },
    wider: {
      kind: 'choice',
      quiz: true,
      prompt: '把状态加宽一倍，三个问题里缓解了哪一个？',
      options: [
        '容量：每个词元分到的数多了',
        '路径：第一个词元剩得多了',
        '并行：要依次做的步数少了',
      ],
      answer: rightOption(2 * WIDTH > WIDTH, farther, fewerSteps),
      explain:
        '只缓解了**容量**。连乘的次数、依次做的步数都由长度定，和宽度无关；' +
        '加宽以后，每一步还更贵。',
    },
    gate: {
      kind: 'number',
      quiz: true,
      prompt: '门学会了每步留{num gate}。还是{num words}个词，第一个词还剩百分之几？',
      unit: '%',
      answer: 100 * sequence.serialCost(WORDS, GATE).left,
      tolerance: 2,
      explain:
        '**{num gate_words}**，好多了。可是到{num rnn_length}个词元，只剩{num gate_long}：' +
        '门把衰减放慢，没有把它去掉。',
    },
    'longer-work': {
      kind: 'number',
      quiz: true,
      prompt:
        '{num rnn_length}个词元，{num state_width}维。算所有的对的点积，乘法是RNN推状态的几倍？',
      answer: scored(long) / walked(long),
      tolerance: 0.01,
      explain:
        'T × T × d比T × d × d，是T ÷ d＝**{num work_ratio}**倍。句子一长，注意力算得更多；' +
        '它快，是因为不用依次等待。',
    },
  };
});
