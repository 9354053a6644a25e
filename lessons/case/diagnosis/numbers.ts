// Numbers of the page about diagnosis: what a sound run looks like, and the limits of exp.
import {defineNumbers} from '../../../web/site/numbers.js';

const RUNS = ['small-scaled', 'small-scaled-20261015', 'small-scaled-20261016'];

export default defineNumbers(({core, recorded, computed, given, format}) => {
  const {fixed, integer} = format;
  const run = RUNS[0]!;
  const losses = RUNS.map((name) => recorded(name, ['finalLoss'], fixed(2)));
  const values = losses.map(({value}) => value);
  const [a, b, c] = losses as [(typeof losses)[0], (typeof losses)[0], (typeof losses)[0]];
  const vocabulary = recorded(run, ['config', 'vocabSize'], integer);
  const width = recorded(run, ['config', 'dModel'], integer);
  const sigma = given(0.02, 'core/gpt/gpt.cpp · kStartDeviation');
  const limit = (exponent: number, name: string) =>
    computed(Math.floor(10 * exponent * Math.LN2) / 10, fixed(1), {
      formula: 'ln(最大值) ≈ 指数 · ln 2，舍去尾数',
      from: {exponent: given(exponent, `${name}的最大数约为2的几次方`)},
    });
  return {
    steps: recorded(run, ['steps'], integer),
    seed: recorded(run, ['seed'], format.plain),
    loss_a: a,
    loss_b: b,
    loss_c: c,
    seed_spread: computed(Math.max(...values) - Math.min(...values), fixed(2), {
      formula: '三个种子的损失，最大 − 最小',
      from: {a, b, c},
    }),
    know_nothing: computed(core.log(vocabulary.value), fixed(2), {
      formula: 'ln 词表',
      from: {vocabulary},
    }),
    first_entropy: recorded(run, ['diagnostics', 0, 'entropy'], fixed(4)),
    first_std: recorded(run, ['diagnostics', 0, 'logitDeviation'], fixed(3)),
    expected_std: computed(width.value * sigma.value ** 2, fixed(3), {
      formula: 'd_model · σ²',
      from: {d_model: width, sigma},
    }),
    float32_limit: limit(128, 'float32'),
    float64_limit: limit(1024, 'float64'),
  };
});
