// <attn-position>: scores of one query and one key under each way to tell places.

import type {PositionState} from '../../../web/elements/attn-position/state.js';
import type {TeachingWorld} from '../../../web/shared/world.js';
import type {State} from '../random-state.js';
import {dot, mix, type Rows, softmax, times, turn} from './arithmetic.js';
import {Draws} from './random-numbers.js';
import {dec, int, Reader, type Shown} from './reading.js';

const PLACES = 64;
const SEED = 3;
/** Places of the key that the picture runs over. */
const SHOWN = 96;
const CHANGED = 1e-9;
const NAMES = {
  none: '不加位置',
  sinusoidal: '位置用正弦',
  learnt: '位置用可学的表',
  rotary: '位置用旋转',
};

/** The vectors of the experiment, drawn from one seed: each from a stream of its own. */
function headOf(d: number) {
  const draw = (rows: number, std: number, stream: number) =>
    new Draws(SEED, stream).matrix(rows, d, std);
  return {
    asker: draw(1, 1, 0)[0]!,
    asked: draw(1, 1, 1)[0]!,
    W_Q: draw(d, 1 / Math.sqrt(d), 2),
    W_K: draw(d, 1 / Math.sqrt(d), 3),
    W_V: draw(d, 1 / Math.sqrt(d), 4),
    table: draw(PLACES, Math.SQRT1_2, 5),
  };
}

/** Sines and cosines in turn, of place · 10000^(−2i/d). */
const sinusoid = (place: number, d: number) =>
  Array.from({length: d}, (_, i) => {
    const angle = place * 10000 ** (-(i - (i % 2)) / d);
    return i % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });

const plus = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x + b[i]!);

function codeOf(kind: PositionState['kind'], place: number, d: number, table: Rows): number[] {
  if (kind === 'sinusoidal') return sinusoid(place, d);
  return kind === 'learnt' ? [...table[place]!] : Array<number>(d).fill(0);
}

const apart = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));

/** The sentence's own vectors as Q, K and V, layer upon layer. */
function layersOf(state: PositionState, x: Rows, table: Rows): number[][] {
  const {kind, causal, layers} = state;
  const d = x[0]!.length;
  let rows = x.map((row, i) => plus(row, codeOf(kind, i, d, table)));
  for (let layer = 0; layer < layers; layer++) {
    const q = rows.map((row, i) => (kind === 'rotary' ? turn(row, i) : row));
    rows = q.map((query, i) => {
      const scores = q.map((key, j) =>
        causal && j > i ? -Infinity : dot(query, key) / Math.sqrt(d),
      );
      return mix(softmax(scores), rows);
    });
  }
  return rows;
}

function orderOpinion(state: PositionState, shown: Shown, world: TeachingWorld): string[] {
  const reader = new Reader(shown);
  const {table} = headOf(world.d_model);
  const by = state.order.map((place) => place - 1);
  const before = layersOf(state, world.embeddings, table);
  const after = layersOf(
    state,
    by.map((i) => world.embeddings[i]!),
    table,
  );
  const rows = world.tokens.map((token, i) => {
    const [old, now] = [before[i]!, after[by.indexOf(i)]!];
    return {token, i, to: by.indexOf(i), old, now, gap: apart(old, now)};
  });
  rows.forEach(({token, i, to, old, now, gap}) => {
    reader.row(i, [
      token,
      String(i + 1),
      String(to + 1),
      reader.cell(i, 3),
      reader.cell(i, 4),
      dec(gap, 3),
    ]);
    for (const [at, values] of [
      [3, old],
      [4, now],
    ] as const)
      reader.vector(
        reader.cell(i, at),
        values.map((x) => dec(x, 3)),
      );
  });
  reader.says(`${NAMES[state.kind]}，${state.causal ? '有因果' : '没有'}掩码，${state.layers}层：`);
  const changed = rows.filter(({gap}) => gap >= CHANGED).map(({token}) => token);
  if (changed.length === 0) reader.says('每个词元的输出一个数都没变');
  else reader.says(`换了次序，${changed.join('、')}的输出变了`);
  if (changed.length > 0 && changed.length < rows.length) reader.says('其余的没变');
  else reader.saysNot('其余的没变');
  return reader.wrong;
}

export function positionOpinion(state: PositionState, shown: Shown, world: TeachingWorld) {
  if (state.order.length > 0) return orderOpinion(state, shown, world);
  const reader = new Reader(shown);
  const {kind, dim, offset, at} = state;
  const head = headOf(dim);
  const rotated = state.rotated === 0 ? dim : Math.min(state.rotated, dim);
  const turned = (x: number[], place: number) => (kind === 'rotary' ? turn(x, place, rotated) : x);
  const coded = (x: number[], place: number) => plus(x, codeOf(kind, place, dim, head.table));
  const known = (place: number) => kind !== 'learnt' || place < PLACES;
  const score = (place: number) => {
    const q = turned(times(coded(head.asker, place + offset), head.W_Q), place + offset);
    const k = turned(times(coded(head.asked, place), head.W_K), place);
    return dot(q, k) / Math.sqrt(dim);
  };
  // Far places have large angles, of which a double keeps fewer digits behind the point.
  const slack = 1e-8;
  const rows = shown.rows.map((row) => Number(row[0]));
  rows.forEach((place, i) => {
    reader.is(reader.cell(i, 1), int(place + offset));
    if (known(place) && known(place + offset))
      reader.is(reader.cell(i, 2), dec(score(place), 3, slack));
    else reader.is(reader.cell(i, 2), '没有这一行');
  });
  if (!known(at + offset) || !known(at)) {
    reader.says(`可学的表只有0到${PLACES - 1}，位置*没有那一行`, int(at + offset));
    return reader.wrong;
  }
  reader.says('k在*、q在*，分数*。', int(at), int(at + offset), dec(score(at), 3, slack));
  if (kind === 'none') return reader.wrong;
  const places = Array.from({length: SHOWN}, (_, place) => place);
  const scores = places.filter((place) => known(place + offset)).map(score);
  const spread = Math.max(...scores) - Math.min(...scores);
  if (spread < CHANGED) reader.says('同样隔*个，换到哪里都一样。', int(offset));
  else reader.says('同样隔*个，换个位置，分数最多差*。', int(offset), dec(spread, 3, slack));
  const unseen = kind === 'rotary' ? offset >= PLACES : at + offset >= PLACES;
  if (unseen) reader.says('训练时没有过');
  else reader.saysNot('训练时没有过');
  if (kind === 'rotary' && state.value) saysTurnedValues(reader, state, head, rotated, places);
  return reader.wrong;
}

/** By how much the fetched vector differs from that of place 0, with V left alone and V turned. */
function saysTurnedValues(
  reader: Reader,
  {offset, dim}: PositionState,
  head: ReturnType<typeof headOf>,
  rotated: number,
  places: readonly number[],
): void {
  const fetch = (place: number, turnV: boolean) => {
    const at = [place, place + offset];
    const x = [head.asked, head.asker];
    const q = turn(times(head.asker, head.W_Q), place + offset, rotated);
    const scores = x.map(
      (row, i) => dot(q, turn(times(row, head.W_K), at[i]!, rotated)) / Math.sqrt(dim),
    );
    const values = x.map((row, i) => {
      const v = times(row, head.W_V);
      return turnV ? turn(v, at[i]!, rotated) : v;
    });
    return mix(softmax(scores), values);
  };
  const leak = [true, false].map((turnV) => {
    const first = fetch(0, turnV);
    return Math.max(...places.map((place) => apart(fetch(place, turnV), first)));
  });
  reader.says(
    '把V也转了，取回的向量随位置最多差*；不转，差*。',
    ...leak.map((each) => dec(each, 3, 1e-8)),
  );
}

/** Small widths: the second computation multiplies in plain loops. */
export function samplePosition(state: State, random: () => number): State {
  const dim = 2 * (1 + Math.floor(8 * random()));
  const order = random() < 0.3 ? state['order'] : [];
  return {...state, dim, rotated: random() < 0.5 ? 0 : 2 * Math.floor(4 * random()), order};
}
