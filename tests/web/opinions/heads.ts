// <attn-heads>: one head over four columns, or two over two columns each, with a causal mask.

import type {HeadsState} from '../../../web/elements/attn-heads/state.js';
import type {TeachingWorld} from '../../../web/shared/world.js';
import type {State} from '../random-state.js';
import {dot, mix, type Rows, softmax, times} from './arithmetic.js';
import {dec, pct, Reader, type Shown, type Value} from './reading.js';
import {sampleTrained, trainedOpinion} from './trained-heads.js';

const EXAMPLE = [
  [1, 0, 1, 0],
  [0, 1, 0, 1],
];
const HALVES = [
  ['一个头', 0, 4],
  ['头A', 0, 2],
  ['头B', 2, 4],
] as const;

export function headsOpinion(state: HeadsState, shown: Shown, world: TeachingWorld): string[] {
  if (state.source === 'trained') return trainedOpinion(state, shown);
  const reader = new Reader(shown);
  const teaching = state.source === 'teaching';
  const tokens = teaching ? world.tokens : ['明', '月'];
  const project = (w: Rows) => (teaching ? world.embeddings.map((x) => times(x, w)) : EXAMPLE);
  const [q, k, v] = [project(world.W_Q), project(world.W_K), project(world.W_V)];
  const ways = HALVES.map(([name, from, to]) => {
    const cut = (rows: Rows) => rows.map((row) => row.slice(from, to));
    const [cutQ, cutK, cutV] = [cut(q), cut(k), cut(v)];
    const weights = cutQ.map((query, i) =>
      softmax(cutK.map((key, j) => (j > i ? -Infinity : dot(query, key) / Math.sqrt(to - from)))),
    );
    return {name, weights, outputs: weights.map((row) => mix(row, cutV))};
  });
  tokens.forEach((token, i) =>
    ways.forEach(({name, weights, outputs}, w) => {
      const row = ways.length * i + w;
      const fetched = reader.cell(row, tokens.length + 2);
      reader.row(row, [
        token,
        name,
        ...weights[i]!.map((weight, j): Value => (j > i ? '遮住' : pct(weight))),
        fetched,
      ]);
      reader.vector(
        fetched,
        outputs[i]!.map((x) => dec(x, 3)),
      );
    }),
  );
  const usual = teaching ? 3 : 1;
  const asking = state.row === 0 ? usual : Math.min(state.row, tokens.length) - 1;
  for (const {name, weights} of ways) {
    const own = weights[asking]!;
    const most = Math.max(...own);
    // Either of two weights that differ by rounding alone may be named.
    const named = tokens.findIndex(
      (token, j) => own[j]! > most - 1e-12 && shown.says.includes(`${name}最看「${token}」`),
    );
    if (named < 0) reader.wrong.push(`${name} looks elsewhere in “${shown.says}”`);
    else
      reader.says(`${name}最看「${tokens[named]}」，*${name === '头B' ? '。' : '；'}`, pct(most));
  }
  const joined = ways.slice(1).flatMap(({outputs}) => outputs[asking]!);
  reader.vector(
    shown.says.split('拼接起来是')[1]?.replace('。', '') ?? '',
    joined.map((x) => dec(x, 3)),
  );
  reader.says(`「${tokens[asking]}」这一行：`);
  return reader.wrong;
}

export function sampleHeads(state: State, random: () => number): State {
  const share = random();
  if (share < 0.3) return {...state, ...sampleTrained(random)};
  return {...state, source: share < 0.8 ? 'teaching' : 'example'};
}
