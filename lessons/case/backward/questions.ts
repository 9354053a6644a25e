// The question before the softmax step of the way back.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const [first, second] = ['ds_1', 'ds_2'].map((id) => Number(numbers[id]!.value)) as [
    number,
    number,
  ];
  return {
    signs: {
      kind: 'choice',
      prompt: '两个权重的dP都是正的：{num dp_1}和{num dp_2}。两个**分数**的dS各是正还是负？',
      options: ['两个都正', '一正一负，绝对值一样大', '一正一负，绝对值不一样', '两个都负'],
      answer: rightOption(
        first > 0 && second > 0,
        first * second < 0 && Math.abs(first + second) < 1e-9,
        first * second < 0 && Math.abs(first + second) >= 1e-9,
        first < 0 && second < 0,
      ),
      explain:
        'dS是**{num ds_1}和{num ds_2}**。权重加起来总是1，抬高一个分数，就压低另一个的权重；' +
        '所以只有两个值的**差**起作用，一边得的正好是另一边失的。',
    },
  };
});
