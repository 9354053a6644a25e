// Results of <attn-softmax>: the trace of the core, and what names and ruler need beside it.

import type {Core, Precision, WeighTrace} from '../../core.js';
import type {Resources} from '../../shared/runtime.js';
import {shownLabels} from './samples.js';
import type {SoftmaxResult, SoftmaxState} from './state.js';

const LARGEST: Record<Precision, number> = {
  float64: Number.MAX_VALUE,
  float32: (2 - 2 ** -23) * 2 ** 127,
};
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

export function compute(resources: Resources, state: SoftmaxState): SoftmaxResult {
  const {core} = resources;
  const trace = core.weigh(state.scores, state);
  const ratioOf = ({weights: [first, second], defined}: WeighTrace) =>
    defined && first && second?.value ? finite(first.value / second.value) : null;
  let ratio: SoftmaxResult['ratio'] = null;
  if (state.scores.length >= 3) {
    const shorter = core.weigh(state.scores.slice(0, -1), state);
    ratio = {
      withLast: ratioOf(trace),
      withoutLast: ratioOf(shorter),
    };
  }
  return {
    trace,
    labels: shownLabels(resources, state),
    ratio,
    largestPower: core.log(LARGEST[state.precision]),
    powers: powersOf(core, state),
    ruler: rulerOf(core, state),
  };
}

function powersOf(core: Core, state: SoftmaxState): number[] | null {
  const {parts, sum} = core.weigh(state.scores, {...state, method: 'softmax', stable: false});
  return sum.status === 'ok' && sum.value > 0 ? parts.map(({value}) => value) : null;
}

function rulerOf(core: Core, {scores, pair, temperature}: SoftmaxState): SoftmaxResult['ruler'] {
  const [a, b] = pair.map((place) => scores[place - 1]);
  if (a === undefined || b === undefined || a === b) return null;
  const gap = Math.abs(a - b);
  const ratio = core.exp(gap / temperature);
  return Number.isFinite(ratio) ? {gap, ratio} : null;
}
