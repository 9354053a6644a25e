// Numbers of the page about the way back: one query and two keys, small enough for a hand.
import {matrix} from '../../../web/core.js';
import {defineNumbers} from '../../../web/site/numbers.js';

const SCORES = [1, 0];
const VALUES = [10, 20];

export default defineNumbers(({sequence, given, computed, format}) => {
  const {fixed, scientific, general} = format;
  // The width is 1, so the division by √d changes nothing.
  const [q, k, v] = [matrix([[1]]), matrix(SCORES.map((s) => [s])), matrix(VALUES.map((x) => [x]))];
  const of = (leftOut: 'nothing' | 'mean') => sequence.backward(q, k, v, matrix([[1]]), leftOut);
  const [right, wrong] = [of('nothing'), of('mean')];
  const scores = {
    score_1: given(SCORES[0]!, '第一个键的分数'),
    score_2: given(SCORES[1]!, '第二个键的分数'),
  };
  const values = {v_1: given(VALUES[0]!, '第一个值'), v_2: given(VALUES[1]!, '第二个值')};
  const from = {...scores, ...values};
  const both = (name: string, data: Float64Array, formula: string, as = fixed(3)) => ({
    [`${name}_1`]: computed(data[0]!, as, {formula, from}),
    [`${name}_2`]: computed(data[1]!, as, {formula, from}),
  });
  const sum = (data: Float64Array) => data.reduce((all, value) => all + value, 0);
  const exact = (value: number) => (Math.abs(value) < 1e-12 ? 0 : value);
  const {step, tolerance, queriesError, keysError, valuesError} = right.check;
  const power = (value: number) => scientific(0)(value).replace(/^1×/, '');
  const stepSpec = given(step, 'check_gradients的步长', (value) => power(Number(value)));
  const unit = computed(2 ** -53, scientific(0), {formula: '2⁻⁵³', from: {}});
  return {
    ...scores,
    ...values,
    ...both('p', right.trace.forward.weights.data, 'softmax(分数)'),
    ...both('dp', right.trace.dWeights.data, 'dO × v', general()),
    ...both('ds', right.trace.dScores.data, 'P × (dP − 均值)', fixed(2)),
    ...both('wrong', wrong.trace.dScores.data, 'P × dP，没有减均值', fixed(2)),
    mean: computed(right.trace.rowDots[0]!, fixed(2), {formula: 'Σ P × dP', from}),
    sum: computed(exact(sum(right.trace.dScores.data)), general(), {formula: 'Σ dS', from}),
    wrong_sum: computed(sum(wrong.trace.dScores.data), fixed(2), {
      formula: 'Σ P × dP，没有减均值',
      from,
    }),
    step: stepSpec,
    tolerance: given(tolerance, 'check_gradients的容差', (value) => power(Number(value))),
    small_error: computed(Math.max(queriesError, keysError, valuesError), scientific(0), {
      formula: '公式与差分之差，取最大的',
      from,
    }),
    wrong_error: computed(wrong.check.queriesError, fixed(1), {
      formula: '忘了减均值时dQ与差分之差',
      from,
    }),
    unit,
    truncation: computed(step ** 2, (value) => power(Number(value)), {
      formula: 'h²',
      from: {step: stepSpec},
    }),
    rounding: computed(unit.value / step, scientific(0), {
      formula: '2⁻⁵³ ÷ h',
      from: {unit, step: stepSpec},
    }),
  };
});
