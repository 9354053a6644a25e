// The question before the sum of weights in 16 bits.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const sum = Number(numbers['bfloat16_sum']!.value);
  return {
    sum: {
      kind: 'choice',
      prompt: '用bfloat16，每加一个就存一次，把这4096个权重加完，得到的和大约是',
      options: ['1，一点不差', '0.99左右', '0.5左右', '不到0.1'],
      answer: rightOption(sum === 1, sum > 0.9 && sum < 1, sum > 0.4 && sum < 0.6, sum < 0.1),
      explain:
        '停在**{num bfloat16_sum}**。走到那里，相邻的数隔{num gap}，而每一项只有{num term}，' +
        '是半格：每次都舍回原处。float16停在{num float16_sum}，float32得{num float32_sum}。',
    },
  };
});
