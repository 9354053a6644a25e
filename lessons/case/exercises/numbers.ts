// Numbers of the page with exercises: the small model with other heads, and the sweep over widths.
import {defineNumbers} from '../../../web/site/numbers.js';

const RUN = 'small-unscaled';
const TWO = 2;

export default defineNumbers(({recorded, computed, given, format}) => {
  const {fixed, integer} = format;
  const width = recorded(RUN, ['config', 'dModel'], integer);
  const heads = recorded(RUN, ['config', 'nHeads'], integer);
  const two = given(TWO, '头数', integer);
  const headWidth = (count: typeof two | typeof heads) =>
    computed(width.value / count.value, integer, {formula: '宽 ÷ 头数', from: {width, count}});
  const [before, after] = [headWidth(heads), headWidth(two)];
  const deviation = recorded(RUN, ['diagnostics', 0, 'logitDeviation'], fixed(2));
  return {
    width,
    heads,
    before,
    after,
    deviation_before: deviation,
    deviation_after: computed(deviation.value * Math.sqrt(after.value / before.value), fixed(2), {
      formula: '四个头的标准差 × √(头宽之比)',
      from: {deviation, before, after},
    }),
    narrow: recorded('runs/width-32-scaled', ['config', 'dModel'], integer),
    wide: recorded('runs/width-256-scaled', ['config', 'dModel'], integer),
    steps: recorded('runs/width-32-scaled', ['steps'], integer),
  };
});
