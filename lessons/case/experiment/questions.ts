// Questions before the experiment; the answers follow from the recorded runs.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const value = (id: string) => Number(numbers[id]!.value);
  const worst = value('small_gap_most');
  const largest = Math.max(...['a', 'b', 'c'].map((seed) => value(`small_${seed}_unscaled`)));
  const stuck = largest > value('know_nothing') - 0.5;
  return {
    'small-gap': {
      kind: 'choice',
      prompt:
        '小模型，每个头{num small_head}维，只把÷√d拿掉，练{num steps}步。' +
        '全凭瞎猜，损失是{num know_nothing}。不除的那个会怎样？',
      options: [
        '停在瞎猜附近，学不动',
        '学得动，比除的那个高出1左右',
        '学得动，比除的那个高出不到0.3',
      ],
      answer: rightOption(stuck, !stuck && worst > 0.7 && worst < 1.3, !stuck && worst < 0.3),
      explain:
        '三个种子，高出**{num small_a_gap}、{num small_b_gap}、{num small_c_gap}**。' +
        '都在同一边，可是离「学不动」远得很。',
    },
    'start-times': {
      kind: 'number',
      prompt:
        '没训练的模型，只有一个头，模型宽度等于头的宽度d，σ固定。' +
        'd从64变成256，分数（还没除）的标准差变成几倍？',
      answer: value('times_measured'),
      tolerance: 0.5,
      unit: '倍',
      explain:
        '实测**{num times_measured}**倍，预测是{num times_predicted}倍。√d只管其中的2倍；' +
        '另外4倍来自模型宽度：q、k每个分量的方差是模型宽度乘σ²。',
    },
  };
});
