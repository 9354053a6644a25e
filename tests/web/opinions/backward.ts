// The way back through attention, in plain loops.

import type {BackwardState} from '../../../web/elements/attn-backward/state.js';
import {dot, mix, type Rows, softmax} from './arithmetic.js';
import {dec, Reader, type Shown} from './reading.js';

const SIZE = {rows: 3, columns: 4};
/** √4 */
const DIVISOR = 2;
const NAMES = ['Q', 'K', 'V', 'dO', 'P', 'dV', 'dP', 'dS', 'dQ', 'dK'];
/** The widget's limit for a gradient that agrees with differences. */
const TOLERANCE = 1e-7;

const turned = (rows: Rows): number[][] =>
  (rows[0] ?? []).map((_, c) => rows.map((row) => row[c] ?? 0));
const product = (a: Rows, b: Rows): number[][] => a.map((row) => mix(row, b));
const divided = (rows: Rows, by: number) => rows.map((row) => row.map((x) => x / by));

interface Inputs {
  q: Rows;
  k: Rows;
  v: Rows;
  grad: Rows;
}

function gradients({q, k, v, grad}: Inputs, mistake: BackwardState['mistake']) {
  const p = divided(product(q, turned(k)), DIVISOR).map(softmax);
  const dP = product(grad, turned(v));
  const means = dP.map((row, i) => (mistake === 'mean' ? 0 : dot(row, p[i] ?? [])));
  const dS = dP.map((row, i) => row.map((x, j) => (p[i]?.[j] ?? 0) * (x - (means[i] ?? 0))));
  const by = mistake === 'scale' ? 1 : DIVISOR;
  return {
    ...{p, dP, dS, means},
    dV: product(turned(p), grad),
    dQ: divided(product(dS, k), by),
    dK: divided(product(turned(dS), q), by),
  };
}

export function backwardOpinion(state: BackwardState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {mistake, row, column, at} = state;
  const shownRows = (table: number): number[][] =>
    Array.from({length: SIZE.rows}, (_, i) =>
      Array.from({length: SIZE.columns}, (_, c) =>
        Number(reader.cell(SIZE.rows * table + i, c + 2).replace('−', '-')),
      ),
    );
  // Numbers that the seed has drawn have one decimal, so the table shows them whole.
  const inputs = (['q', 'k', 'v', 'grad'] as const).map((name, table) => {
    const given = state[name];
    return given.length === 0
      ? shownRows(table)
      : Array.from({length: SIZE.rows}, (_, i) =>
          given.slice(SIZE.columns * i, SIZE.columns * (i + 1)),
        );
  });
  const [q = [], k = [], v = [], grad = []] = inputs;
  const told = gradients({q, k, v, grad}, mistake);
  const {p, dP, dS, dV, dQ, dK} = told;
  [q, k, v, grad, p, dV, dP, dS, dQ, dK].forEach((rows, table) =>
    rows.forEach((values, i) => {
      const cells = Array.from({length: SIZE.columns}, (_, c) => values[c]);
      reader.row(SIZE.rows * table + i, [
        NAMES[table] ?? '',
        `第${i + 1}行`,
        ...cells.map((value) => (value === undefined ? '' : dec(value, 3))),
      ]);
    }),
  );

  const right = gradients({q, k, v, grad}, 'nothing');
  const error = Math.max(
    ...[
      dQ.flat().map((x, i) => x - right.dQ.flat()[i]!),
      dK.flat().map((x, i) => x - right.dK.flat()[i]!),
    ]
      .flat()
      .map(Math.abs),
  );
  if (error < TOLERANCE / 10) reader.saysNot('不符');
  else if (error > 10 * TOLERANCE) reader.saysNot('相符');

  const place = 5 * at;
  const onStop = Math.abs(place - Math.round(place)) < 0.02;
  if (onStop && Math.round(place) === 0) {
    reader.says('从后面传来的只有dO');
    return reader.wrong;
  }
  const step = onStop ? Math.round(place) - 1 : Math.min(4, Math.floor(place));
  const columns = step === 1 || step === 2 ? SIZE.rows : SIZE.columns;
  const last = Math.min(SIZE.rows * columns - 1, Math.floor((place - step) * SIZE.rows * columns));
  const i = onStop ? row - 1 : Math.floor(last / columns);
  const j = onStop ? Math.min(columns, column) - 1 : last % columns;
  if (step === 2 && mistake === 'mean')
    reader.says(
      `第${i + 1}行的dS合计*，不是0`,
      dec(
        dS[i]!.reduce((a, b) => a + b, 0),
        3,
      ),
    );
  else if (step === 2) {
    const mean = told.means[i] ?? 0;
    const difference = (dP[i]?.[j] ?? 0) - mean;
    reader.says(`第${i + 1}行的dP按权重平均是*，第${j + 1}个`, dec(mean, 3));
    if (difference > 1e-12) reader.says('高于它，dS就为正');
    if (difference < -1e-12) reader.says('低于它，dS就为负');
  } else {
    const [mine, other] = [
      ['v的第*行', `第${i + 1}行`],
      [`第${i + 1}行看第*个的权重`, `dO的第${i + 1}行与v${j + 1}的点积`],
      ['', ''],
      ['q的第*行', `第${i + 1}行的三个分数`],
      ['k的第*行', `第${i + 1}列的三个分数`],
    ][step] as [string, string];
    reader.says(mine, dec(step === 1 ? j + 1 : i + 1, 0));
    if (step > 0) reader.says(other);
    if (step > 2 && mistake !== 'scale') reader.says('再除以√d');
    if (step > 2 && mistake === 'scale') reader.saysNot('再除以√d');
  }
  return reader.wrong;
}
