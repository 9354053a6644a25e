// The question before the losses of three seeds.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const value = (id: string) => Number(numbers[id]!.value);
  const share = value('spread_scaled') / value('gap_mean');
  return {
    noise: {
      kind: 'choice',
      prompt:
        '小模型，不除√d比除的高{num gap_mean}（三个种子的平均）。' +
        '什么都不改，只换种子，损失会差多少？',
      options: ['几乎不差，不到它的十分之一', '差它的三分之一左右', '和它差不多大'],
      answer: rightOption(share < 0.1, share > 0.2 && share < 0.5, share > 0.8 && share < 1.5),
      explain:
        '除的三次差**{num spread_scaled}**，不除的三次差{num spread_unscaled}。' +
        '不配对地比，要比的差别就淹没在里面。',
    },
  };
});
