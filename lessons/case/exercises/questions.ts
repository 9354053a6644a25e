// The prediction before the first exercise.
import {defineQuestions, rightOption} from '../../../web/site/questions.js';

export default defineQuestions(({numbers}) => {
  const ratio =
    Number(numbers['deviation_after']!.value) / Number(numbers['deviation_before']!.value);
  return {
    'two-heads': {
      kind: 'choice',
      prompt: '改成两个头，第一步之前logit的标准差会',
      options: ['变小', '不变', '变成约1.4倍', '变成两倍'],
      answer: rightOption(
        ratio < 0.95,
        ratio >= 0.95 && ratio < 1.05,
        ratio >= 1.05 && ratio < 1.7,
        ratio >= 1.7,
      ),
      explain:
        '每个点积从{num before}项变成{num after}项，方差加倍，标准差乘√2：' +
        '从{num deviation_before}到约**{num deviation_after}**。' +
        '对损失的影响要小得多，练了才知道。',
    },
  };
});
