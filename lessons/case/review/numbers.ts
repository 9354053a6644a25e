// Numbers of the review: the start of the small model, and the mean gaps of both.
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';

export default defineNumbers(({recorded, computed, format}) => {
  const {fixed, integer} = format;
  const gap = (size: string) => {
    const pairs = ['', '-20261015', '-20261016'].map((seed) => {
      const [scaled, unscaled] = ['scaled', 'unscaled'].map((kind) =>
        recorded(`${size}-${kind}${seed}`, ['finalLoss'], fixed(3)),
      ) as [NumberSpec & {value: number}, NumberSpec & {value: number}];
      return {scaled, unscaled, gap: unscaled.value - scaled.value};
    });
    return computed(pairs.reduce((sum, one) => sum + one.gap, 0) / pairs.length, fixed(2), {
      formula: '三个种子的（不除 − 除），取平均',
      from: Object.fromEntries(
        pairs.flatMap(({scaled, unscaled}, i) => [
          [`scaled_${i + 1}`, scaled],
          [`unscaled_${i + 1}`, unscaled],
        ]),
      ),
    });
  };
  const width = recorded('small-scaled', ['config', 'dModel'], integer);
  const heads = recorded('small-scaled', ['config', 'nHeads'], integer);
  return {
    small_start: recorded('small-unscaled', ['diagnostics', 0, 'logitDeviation'], fixed(2)),
    small_root: computed(Math.sqrt(width.value / heads.value), fixed(2), {
      formula: '√(模型宽度 ÷ 头数)',
      from: {width, heads},
    }),
    small_gap: gap('small'),
    large_gap: gap('large'),
  };
});
