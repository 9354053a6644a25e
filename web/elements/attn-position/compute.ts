// Results of <attn-position>: scores, codes and outputs over distance, and a shuffled sentence.

import {type Core, type Matrix, matrix, rowsOf} from '../../core.js';
import type {Sequence} from '../../sequence.js';
import type {Point} from '../../shared/plot.js';
import {
  BASE,
  coded,
  type Coding,
  difference,
  fetchedAt,
  type Head,
  headOf,
  partsAt,
  PLACES,
  scoresAt,
  spread,
  stack,
} from '../../shared/positions.js';
import type {Resources} from '../../shared/runtime.js';
import {
  COLUMNS,
  type Dial,
  DIALS,
  MAP_ROWS,
  type Moved,
  type PositionResult,
  type PositionState,
  ROWS,
  SHOWN,
} from './state.js';

/** At most `DIALS` of the pairs, the first and the last among them. */
function pairsOf(count: number): number[] {
  const most = Math.min(count, DIALS);
  const pairs = Array.from({length: most}, (_, i) =>
    Math.round((i * (count - 1)) / Math.max(1, most - 1)),
  );
  return [...new Set(pairs)];
}

/** The pairs of q and k, which turn. */
function turningPairs(
  core: Core,
  sequence: Sequence,
  {W_Q, W_K, queryToken, keyToken}: Head,
  rotated: number,
  at: number,
  offset: number,
): Dial[] {
  const rows = (x: Matrix, w: Matrix, position: number) => {
    const before = core.product(x, w);
    return {before, after: sequence.rotate(before, {positions: [position], rotated, base: BASE})};
  };
  const q = rows(queryToken, W_Q, at + offset);
  const k = rows(keyToken, W_K, at);
  const waves = sequence.wavelengths(rotated, BASE);
  return pairsOf(rotated / 2).map((i) => {
    const pairIn = ({data}: Matrix): Matrix => ({
      data: data.subarray(2 * i, 2 * i + 2),
      rows: 1,
      cols: 2,
    });
    const points = ({before, after}: typeof q): [Point, Point] => [
      pointOf(before, i),
      pointOf(after, i),
    ];
    const [part = null] = sequence.rowScores(pairIn(q.after), pairIn(k.after), queryToken.cols);
    return {pair: i + 1, speed: (2 * Math.PI) / (waves[i] ?? 1), q: points(q), k: points(k), part};
  });
}

const pointOf = ({data}: Matrix, pair: number): Point => [
  data[2 * pair] ?? 0,
  data[2 * pair + 1] ?? 0,
];

/** The pairs of both codes: a sine and a cosine are the height and width of a hand. */
function handsOf(
  sequence: Sequence,
  dim: number,
  own: readonly number[],
  other: readonly number[],
): Dial[] {
  const waves = sequence.wavelengths(dim, BASE);
  const hand = (code: readonly number[], i: number): [Point, Point] => [
    [1, 0],
    [code[2 * i + 1] ?? 0, code[2 * i] ?? 0],
  ];
  return pairsOf(dim / 2).map((i) => ({
    pair: i + 1,
    speed: (2 * Math.PI) / (waves[i] ?? 1),
    q: hand(other, i),
    k: hand(own, i),
    part: null,
  }));
}

function shuffled(
  {core, sequence, world}: Resources,
  {order, causal, layers}: PositionState,
  coding: Coding,
): Moved[] {
  const {table} = headOf(sequence, world.d_model);
  const how = {causal, layers, table};
  const by = order.map((place) => place - 1);
  const [before, after] = [world.embeddings, by.map((place) => world.embeddings[place] ?? [])].map(
    (x) => stack(core, sequence, x, coding, how),
  );
  return world.tokens.map((token, i) => {
    const to = by.indexOf(i);
    const [old = [], now = []] = [before?.[i], after?.[to]];
    return {
      token,
      from: i + 1,
      to: to + 1,
      before: old,
      after: now,
      difference: difference(old, now),
    };
  });
}

export function compute(resources: Resources, state: PositionState): PositionResult {
  const {core, sequence, world} = resources;
  const {kind, dim, offset, at, order} = state;
  const rotated = state.rotated === 0 ? dim : Math.min(state.rotated, dim);
  const coding = {kind, rotated};
  if (order.length > 0) {
    return {
      rotated,
      course: [],
      score: null,
      spread: 0,
      codes: [],
      distance: null,
      waves: [],
      dials: [],
      map: [],
      parts: [0, 0],
      kept: [],
      turned: [],
      leak: [0, 0],
      moved: shuffled(resources, state, {kind, rotated: world.d_model}),
    };
  }
  const head = headOf(sequence, dim);
  const has = (place: number) => kind !== 'learnt' || place < PLACES;
  const places = Array.from({length: SHOWN}, (_, place) => place);
  const known = places.filter((place) => has(place + offset));
  const scores = known.length > 0 ? scoresAt(core, sequence, head, coding, known, offset) : [];
  const codes = (wanted: readonly number[]) => {
    const rows = wanted.filter(has);
    const zeros = matrix(rows.map(() => Array<number>(dim).fill(0)));
    return rows.length === 0 || (kind !== 'sinusoidal' && kind !== 'learnt')
      ? []
      : rowsOf(coded(sequence, zeros, rows, kind, head.table)).map((values, i) => ({
          place: rows[i] ?? 0,
          values,
        }));
  };
  const [own, other] = codes([at, at + offset]);
  const rotary = kind === 'rotary';
  const outputs = (turn: boolean) =>
    rotary && state.value ? fetchedAt(core, sequence, head, rotated, places, offset, turn) : [];
  const [kept, turned] = [outputs(false), outputs(true)];
  const varies = (rows: number[][]) =>
    Math.max(0, ...rows.map((row) => difference(row, rows[0] ?? [])));
  return {
    rotated,
    course: places.map((place) => scores[known.indexOf(place)] ?? null),
    score: has(at + offset)
      ? (scoresAt(core, sequence, head, coding, [at], offset)[0] ?? null)
      : null,
    spread: scores.length > 0 ? spread(scores) : 0,
    codes: codes(Array.from({length: ROWS}, (_, i) => at + i)).map(({place, values}) => ({
      place,
      values: values.slice(0, COLUMNS),
    })),
    distance: own && other ? sequence.distance(own.values, other.values) : null,
    waves:
      kind === 'sinusoidal' || rotary ? sequence.wavelengths(rotary ? rotated : dim, BASE) : [],
    dials: rotary
      ? turningPairs(core, sequence, head, rotated, at, offset)
      : kind === 'sinusoidal' && own && other
        ? handsOf(sequence, dim, own.values, other.values)
        : [],
    map: codes(places.slice(0, PLACES)).map(({values}) => values.slice(0, MAP_ROWS)),
    parts: rotary ? partsAt(core, sequence, head, rotated, at, offset) : [0, 0],
    kept: kept.map((row) => row[0] ?? 0),
    turned: turned.map((row) => row[0] ?? 0),
    leak: [varies(kept), varies(turned)],
    moved: [],
  };
}
