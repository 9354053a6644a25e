// <attn-qkv>: three queries, keys and values of two numbers.

import type {QkvState} from '../../../web/elements/attn-qkv/state.js';
import type {State} from '../random-state.js';
import {dot, entropyOf, mix, softmax} from './arithmetic.js';
import {dec, type Expected, int, pct, power, Reader, type Shown, type Value} from './reading.js';

/** Three decimals without zeros at the end; a power of ten where these say little. */
function brief(value: number, slack: number): Value {
  const size = Math.abs(value);
  const any: Expected = {value, form: /./, half: 5e-4, slack};
  // At the edges between the forms rounding decides.
  for (const edge of [1e5, 5e-4, 1000])
    if (Math.abs(size - edge) < 1e-3 * edge + slack)
      return {...any, half: Math.max(1e-3 * size, 6e-4)};
  if (size >= 1e5 || (size < 5e-4 && size > slack)) return {...power(value, 1), slack};
  if (size >= 1000) return {...int(value), slack};
  if (size <= slack) return {...any, half: 5e-4};
  return {...any, form: /^−?\d+(\.\d{1,3})?$/};
}

export function qkvOpinion(state: QkvState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const cut = (values: readonly number[]) => [0, 2, 4].map((at) => values.slice(at, at + 2));
  const [q, k, v] = [cut(state.q), cut(state.k), cut(state.v)];
  const sees = (i: number, j: number) =>
    state.mask === 'none' || i === j || (state.mask === 'causal' && j < i);
  const divisor = state.scaled ? Math.SQRT2 : 1;
  const scores = q.map((query) => k.map((key) => dot(query, key) / divisor));
  // Products that cancel leave the error of the larger ones.
  const error = 1e-14 * Math.max(...state.q.map(Math.abs)) * Math.max(...state.k.map(Math.abs));
  const weights = scores.map((row, i) =>
    softmax(row.map((score, j) => (sees(i, j) ? score : -Infinity))),
  );
  // A weight changes by at most its score's error.
  const weightError = 1e-12 + 4 * error;
  const size = Math.max(...state.v.map(Math.abs));
  const outputs = weights.map((row) => mix(row, v));
  const entropies = weights.map((row, i) => entropyOf(row, k.filter((_, j) => sees(i, j)).length));
  const blend = (value: number) => brief(value, weightError * size + 1e-12 * size);
  reader.table(
    scores.map((row, i) => [
      `第${i + 1}行`,
      ...row.map((score, j): Value => (sees(i, j) ? brief(score, error * 4) : '遮住')),
      ...weights[i]!.map((weight) => dec(weight, 3, weightError)),
      dec(entropies[i]!, 3, 1e-9 + 8 * weightError),
      ...outputs[i]!.map(blend),
    ]),
  );
  if (state.mask === 'self') {
    reader.says('每一行只看得见自己');
    return reader.wrong;
  }
  const asking = state.asks - 1;
  reader.says(
    `第${state.asks}行（${state.scaled ? '已' : '没有'}除以√2）的权重是*、*、*，取回(*, *)。`,
    ...weights[asking]!.map((weight) => pct(weight, 1, weightError)),
    ...outputs[asking]!.map(blend),
  );
  const least = Math.min(...entropies);
  reader.says(
    shown.says.includes('三行的熵都是') ? '三行的熵都是*：' : '熵最小的是第*行，*：',
    ...(shown.says.includes('三行的熵都是') ? [] : [shownRow(shown, entropies, least)]),
    dec(least, 3, 1e-9 + 8 * weightError),
  );
  return reader.wrong;
}

/** The row that is named, if its entropy is the least; else the one that is. */
function shownRow(shown: Shown, entropies: readonly number[], least: number): string {
  const named = /第(\d)行，[\d.]+：/.exec(shown.says)?.[1] ?? '';
  const alike = Math.abs((entropies[Number(named) - 1] ?? 9) - least) < 1e-9;
  return alike ? named : String(entropies.indexOf(least) + 1);
}

/** Numbers of the size that a reader types, more often than of all sizes. */
export function sampleQkv(state: State, random: () => number): State {
  if (random() < 0.3) return state;
  const numbers = () => Array.from({length: 6}, () => Math.round(80 * random() - 40) / 10);
  return {...state, q: numbers(), k: numbers(), v: numbers()};
}
