// Numbers of the page about reading a heat map: rows of two lengths, and the recorded heads.
import {defineNumbers} from '../../../web/site/numbers.js';

const RUN = 'small-scaled';
const COPYING = 'copying';
const LONG = {keys: 100, top: 0.3};
const SHORT = {keys: 2, top: 0.6};

export default defineNumbers(({core, recorded, given, computed, format}) => {
  const {fixed, general, integer} = format;
  /** A row with one large weight; the others have equal shares of the rest. */
  const row = (name: string, {keys, top}: typeof LONG) => {
    const from = {keys: given(keys, '看得见的词元'), top: given(top, '最大的权重')};
    const rest = Array.from({length: keys - 1}, () => (1 - top) / (keys - 1));
    const {entropy} = core.weigh([top, ...rest], {method: 'share'});
    return {
      [`${name}_keys`]: from.keys,
      [`${name}_top`]: from.top,
      [`${name}_entropy`]: computed(entropy!, fixed(3), {
        formula: '其余平分时的熵 ÷ ln(看得见的词元)',
        from,
      }),
      [`${name}_times`]: computed(top * keys, general(2), {formula: '权重 × 词元数', from}),
    };
  };
  const head = (i: number, key: string) => recorded(RUN, ['portraits', 'heads', i, key], fixed(2));
  const cost = (i: number) => {
    const whole = recorded(RUN, ['validationLoss'], fixed(3));
    const without = recorded(RUN, ['validationLossWithout', i, 'loss'], fixed(3));
    return computed(without.value - whole.value, fixed(3), {
      formula: '关掉这个头的验证损失 − 原来的验证损失',
      from: {without, whole},
    });
  };
  const layers = recorded(RUN, ['config', 'nLayers'], integer);
  const perLayer = recorded(RUN, ['config', 'nHeads'], integer);
  return {
    ...row('long', LONG),
    ...row('short', SHORT),
    even_previous: recorded(RUN, ['portraits', 'uniform', 'previous'], fixed(2)),
    even_self: recorded(RUN, ['portraits', 'uniform', 'diagonal'], fixed(2)),
    previous: head(1, 'previous'),
    own: head(1, 'diagonal'),
    distance: head(1, 'distance'),
    entropy: head(1, 'entropy'),
    first_previous: head(0, 'previous'),
    cost_previous: cost(1),
    cost_first: cost(0),
    heads: computed(layers.value * perLayer.value, integer, {
      formula: '层数 × 每层的头数',
      from: {layers, perLayer},
    }),
    copy_characters: recorded(COPYING, ['characters'], integer),
    copy_texts: recorded(COPYING, ['texts'], integer),
    copy_limit: recorded(COPYING, ['limit'], integer),
    ...Object.fromEntries(
      Array.from({length: 8}, (_, i) => [`copy_${i}`, recorded(COPYING, ['ratios', i], fixed(2))]),
    ),
  };
});
