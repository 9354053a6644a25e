// The question before the collapse of the large model without ÷√d.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const steps = ['a', 'b', 'c'].map((seed) => Number(numbers[`collapse_${seed}`]!.value));
  const within = (least: number, most: number) => steps.every((s) => s >= least && s < most);
  return {
    when: {
      kind: 'choice',
      prompt:
        '大模型，不除√d，共练1500步。每{num every}步记一次熵。它第一次低于{num threshold}，在什么时候？',
      options: ['第0步就是', '前两三百步里', '一半左右', '快结束时'],
      answer: rightOption(within(0, 1), within(1, 300), within(300, 1000), within(1000, 1500)),
      explain:
        '第**{num collapse_a}、{num collapse_b}、{num collapse_c}**步（三个种子）。' +
        '起步时并没有饱和，标准差只有{num start_unscaled}；是头几十步的更新推过去的。',
    },
  };
});
