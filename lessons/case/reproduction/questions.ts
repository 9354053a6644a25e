// The prediction before the four combinations.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const [bias, text] = ['bias_mean', 'text_mean'].map((name) => Number(numbers[name]!.value));
  const near = Math.abs(bias! - text!) < 0.05;
  return {
    larger: {
      kind: 'choice',
      prompt: '只换一处，损失降得多的是',
      options: ['文字', '偏置的起点', '差不多一样多', '两处都没有影响'],
      answer: rightOption(!near && text! < bias!, !near && bias! < text!, near, false),
      explain:
        '偏置平均**{num bias_mean}**，文字平均**{num text_mean}**，都与种子的噪声{num zero_spread}同一个量级，可是三个种子方向一致。',
    },
  };
});
