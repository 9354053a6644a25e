// The question before the count of traffic against arithmetic.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const times = Number(numbers['times']!.value);
  return {
    which: {
      kind: 'choice',
      prompt: '照峰值算，这个例子在A100上，搬的时间与算的时间比，大约是',
      options: ['搬不到算的一半', '差不多', '搬是算的好几倍', '搬是算的一百倍以上'],
      answer: rightOption(
        times < 0.5,
        times >= 0.5 && times < 2,
        times >= 2 && times < 100,
        times >= 100,
      ),
      explain:
        '搬**{num moving}**毫秒，算**{num work}**毫秒，是{num times}倍。' +
        '每搬一个字节只做{num intensity}次运算，设备却等着做{num balance}次。',
    },
  };
});
