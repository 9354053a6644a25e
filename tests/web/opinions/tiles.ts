// attn-tiles: attention over normal Q, K and V, key by key instead of tile by tile.

import type {TilesState} from '../../../web/elements/attn-tiles/state.js';
import {Draws} from './random-numbers.js';
import {dec, int, Reader, type Shown, type Value} from './reading.js';

/** The numbers of the widget: head width, seed, window, stride, first positions. */
const [WIDTH, SEED, LAST, EVERY, FIRST] = [4, 7, 4, 4, 2];

function sees({pattern}: TilesState, i: number, j: number): boolean {
  if (j > i) return false;
  if (pattern === 'causal' || i - j < LAST) return true;
  return (pattern === 'stride' && (i - j) % EVERY === 0) || (pattern === 'global' && j < FIRST);
}

interface Tile {
  queries: number[];
  keys: number[];
  pairs: number;
}

function tilesOf(state: TilesState): Tile[] {
  const {n, block} = state;
  const tiles: Tile[] = [];
  const from = (begin: number) =>
    Array.from({length: n}, (_, i) => i).filter((i) => i >= begin && i < begin + block);
  for (let i = 0; i < n; i += block)
    for (let j = 0; j < n; j += block) {
      const [queries, keys] = [from(i), from(j)];
      const pairs = queries.flatMap((q) => keys.filter((k) => sees(state, q, k))).length;
      tiles.push({queries, keys, pairs});
    }
  return tiles;
}

const span = (places: readonly number[]) => {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  return first === last ? `第${last + 1}个` : `第${first + 1}到${last + 1}个`;
};

export function tilesOpinion(state: TilesState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {n, block, at} = state;
  const matrix = (stream: number) => new Draws(SEED, stream).matrix(n, WIDTH, 1);
  const [q, k] = [matrix(1), matrix(2)];
  const score = (i: number, j: number) =>
    q[i]!.reduce((sum, x, c) => sum + x * k[j]![c]!, 0) / Math.sqrt(WIDTH);
  /** The visible scores of a query among the keys before a place. */
  const seen = (i: number, until: number) =>
    Array.from({length: until}, (_, j) => j)
      .filter((j) => sees(state, i, j))
      .map((j) => score(i, j));
  const tiles = tilesOf(state);
  reader.table(
    tiles.map(({queries, keys, pairs}): Value[] => {
      const scores = seen(queries.at(-1)!, keys.at(-1)! + 1);
      const max = Math.max(...scores);
      const sum = scores.reduce((total, s) => total + Math.exp(s - max), 0);
      return pairs === 0
        ? [span(queries), span(keys), '跳过', '', '']
        : [
            span(queries),
            span(keys),
            String(pairs),
            dec(scores.length ? max : 0, 3),
            dec(scores.length ? sum : 0, 3),
          ];
    }),
  );

  const walked = tiles.filter(({pairs}) => pairs > 0);
  const skips = tiles.length - walked.length;
  const skipped = skips === 0 ? '没有一块能跳过' : `跳过${skips}块`;
  const most = Math.min(block, n);
  // q, k, v and the output of a tile, its scores, and m and ℓ of its queries.
  const held = most * (WIDTH + WIDTH + WIDTH + WIDTH + most + 2);
  const place = at * walked.length;
  const onStop = Math.abs(place - Math.round(place)) < 0.02;
  const begun = onStop ? Math.round(place) : Math.min(walked.length, Math.floor(place) + 1);
  const kept = '手里最多*个数，整张分数表有*个';
  if (begun === 0) {
    reader.says(`还没有开始。要算${walked.length}块，${skipped}。${kept}`, int(held), int(n * n));
    return reader.wrong;
  }
  if (onStop && begun === walked.length) {
    reader.says(`算了${walked.length}块，${skipped}。${kept}`, int(held), int(n * n));
    const rest = /输出与先写下整张表的算法相比，(.*)。$/u.exec(shown.says)?.[1] ?? '';
    if (rest !== '一位不差' && !/^最多差\d×10⁻¹[⁴⁵⁶⁷⁸]$/u.test(rest))
      reader.is(rest, 'a difference of rounding');
    return reader.wrong;
  }
  const {queries, keys, pairs} = walked[begun - 1]!;
  reader.says(`第${begun}块：${span(queries)}查询，${span(keys)}键，看得见*对。`, int(pairs));
  const from = keys[0]!;
  const first = walked[begun - 2]?.queries[0] !== queries[0];
  // A query that had seen no key before has no old sum to shrink, but its m starts above 0 or not.
  const larger = queries.filter((i) => {
    const before = seen(i, from);
    const now = seen(i, keys.at(-1)! + 1);
    return (
      now.length > before.length && before.length > 0 && Math.max(...now) > Math.max(...before)
    );
  }).length;
  if (first) reader.says('这几个查询的第一块');
  else if (larger === 0) reader.says('没有更大的分数，m不变');
  else reader.says('有*个查询遇到更大的分数：', int(larger));
  return reader.wrong;
}
