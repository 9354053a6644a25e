// Numbers of the overview: sizes of the two models, and their parameters with shares.
import {defineNumbers, type NumberSpec} from '../../../web/site/numbers.js';

export default defineNumbers(({recorded, computed, format}) => {
  const {integer} = format;
  const account = (preset: 'small' | 'large') => {
    const of = (key: string) => recorded(`${preset}-scaled`, ['config', key], integer);
    const vocab = of('vocabSize');
    const block = of('blockSize');
    const layers = of('nLayers');
    const d = of('dModel');
    const ff = of('dFf');
    const total = recorded(`${preset}-scaled`, ['parameters'], integer);
    const from = {vocab, block, layers, d, ff};
    const [w, f, n] = [d.value, ff.value, layers.value];
    const parts: Record<string, [number, string]> = {
      tokens: [vocab.value * w, '词表 × d'],
      positions: [block.value * w, '位置数 × d'],
      attention: [n * 4 * w * w, '层数 × 4d²'],
      feed: [n * (2 * w * f + f + w), '层数 × (2d·d_ff + d_ff + d)'],
      norms: [(2 * n + 1) * 2 * w, '(2 × 层数 + 1) × 2d'],
    };
    const specs: Record<string, NumberSpec> = {[`${preset}_total`]: total};
    for (const [name, [value, formula]] of Object.entries(parts)) {
      const part = computed(value, integer, {formula, from});
      specs[`${preset}_${name}`] = part;
      specs[`${preset}_${name}_share`] = computed(value / total.value, format.percent(1), {
        formula: '这一份 ÷ 合计',
        from: {part, total},
      });
    }
    return {sizes: {vocab, block, layers, d, ff}, specs};
  };
  const small = account('small');
  const large = account('large');
  const {vocab, block, d, ff} = small.sizes;
  return {
    ...small.specs,
    ...large.specs,
    vocab,
    block,
    width: d,
    hidden: ff,
    large_width: large.sizes.d,
    table: small.specs['small_tokens']!,
    total: small.specs['small_total']!,
    characters: computed(vocab.value - 2, integer, {formula: '词表 − 2', from: {vocab}}),
    unknown: recorded('small-scaled', ['unknownShare'], format.percent(1)),
  };
});
