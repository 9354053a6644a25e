// <attn-scaling>: the divisors of a row, and a model that is not trained yet.

import type {ScalingState} from '../../../web/elements/attn-scaling/state.js';
import type {State} from '../random-state.js';
import {entropyOf, softmax} from './arithmetic.js';
import {dec, int, pct, Reader, type Shown, sig} from './reading.js';
import {dimensionOpinion} from './spread.js';

function divisorOpinion({scores, d}: ScalingState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const divisors = [1, Math.sqrt(d), d];
  const rows = divisors.map((divisor) => softmax(scores.map((score) => score / divisor)));
  reader.says(
    '当作*维的点积：不除，最大权重*；除以√d，*；除以d，*，而*个平分是*。',
    int(d),
    ...rows.map((weights) => pct(Math.max(...weights))),
    int(scores.length),
    pct(1 / scores.length),
  );
  reader.table(
    rows.map((weights, i) => [
      reader.cell(i, 0),
      ...weights.map((weight) => sig(weight, 4, 1e-9 * weight + 5e-324)),
      sig(Math.max(...weights)),
      sig(entropyOf(weights, scores.length)),
      // Components of variance 1: a product of d of them has the deviation √d.
      sig(Math.sqrt(d) / divisors[i]!),
    ]),
  );
  divisors.forEach((divisor, i) => reader.is(reader.cell(i, 0).split('＝')[1] ?? '', sig(divisor)));
  return reader.wrong;
}

/** Follows from σ and d; the measured deviation is read from the table and must be near. */
function initOpinion({dims, sigma}: ScalingState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const ordered = [...new Set(dims)].sort((a, b) => a - b);
  const number = (i: number, j: number) => Number(reader.cell(i, j).replaceAll(',', ''));
  // Four digits in the table.
  const loose = (value: number) => 2e-3 * Math.abs(value);
  const predicted = ordered.map((d) => sigma * sigma * d * Math.sqrt(d));
  ordered.forEach((d, i) => {
    reader.is(reader.cell(i, 0), int(d));
    reader.is(reader.cell(i, 2), sig(predicted[i]!));
    reader.is(reader.cell(i, 3), sig(Math.sqrt(d)));
  });
  // Read back only where the table prints plain decimals.
  const measured = ordered.map((_, i) => number(i, 1));
  if (measured.some(Number.isNaN)) return reader.wrong;
  const gaps = measured.map((std, i) => Math.abs(std / predicted[i]! - 1));
  reader.says(`σ＝${sigma}时，`);
  reader.says('实测与预测最多差*，', pct(Math.max(...gaps), 1, 2e-3));
  const [first = 0, last = 0] = [measured[0], measured.at(-1)];
  if (ordered.length > 1)
    reader.says(
      '实测斜率*，',
      dec(
        (Math.log(last) - Math.log(first)) / (Math.log(ordered.at(-1)!) - Math.log(ordered[0]!)),
        2,
        4e-3 / Math.log(ordered.at(-1)! / ordered[0]!),
      ),
    );
  const shares = [first / Math.sqrt(ordered[0]!), last / Math.sqrt(ordered.at(-1)!)];
  const expected = shares.map((share) => pct(share, 1, loose(share)));
  if (shown.says.includes('→')) reader.says('是√d的*→*。', ...expected);
  else for (const each of expected) reader.says('是√d的*。', each);
  return reader.wrong;
}

export function scalingOpinion(state: ScalingState, shown: Shown): string[] {
  if (state.part === 'divisor') return divisorOpinion(state, shown);
  if (state.part === 'init') return initOpinion(state, shown);
  return dimensionOpinion(state, shown);
}

/** Mostly the parts that take no draws, and there one or two widths. */
export function sampleScaling(state: State, random: () => number): State {
  const part = random() < 0.6 ? 'divisor' : random() < 0.5 ? 'init' : 'dimension';
  const most = part === 'dimension' ? 40 : 160;
  const dims = Array.from({length: 1 + Math.floor(2 * random())}, () =>
    Math.floor(2 + most * random()),
  );
  return {...state, part, dims};
}
