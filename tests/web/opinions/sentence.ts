// Widgets on the teaching sentence: world, decode, latent, sentence.

import type {DecodeState} from '../../../web/elements/attn-decode/state.js';
import type {SentenceState} from '../../../web/elements/attn-sentence/state.js';
import type {LatentState} from '../../../web/elements/attn-latent/state.js';
import type {WorldState} from '../../../web/elements/attn-world/state.js';
import type {TeachingWorld} from '../../../web/shared/world.js';
import {dot, mix, type Rows, softmax, times, turn} from './arithmetic.js';
import {dec, int, pct, power, Reader, type Shown, sig, type Value} from './reading.js';

const plain = (value: number) => String(value).replace('-', '−');
const length = (x: readonly number[]) => Math.sqrt(dot(x, x));

/** Names from the highest value to the lowest. */
function ranked(values: readonly number[], names: readonly string[]): number[] {
  return names.map((_, i) => i).sort((a, b) => values[b]! - values[a]! || a - b);
}

export function worldOpinion({token, stage}: WorldState, shown: Shown, world: TeachingWorld) {
  const reader = new Reader(shown);
  const {tokens, embeddings: x, W_Q, W_K, W_V} = world;
  const me = tokens.indexOf(token);
  const project = (w: Rows): Rows => x.map((row) => times(row, w));
  const [q, k, v] = [project(W_Q), project(W_K), project(W_V)];
  const scores = k.map((key) => dot(q[me]!, key));
  const scaled = scores.map((score) => score / Math.sqrt(q[me]!.length));
  const weights = softmax(scaled);
  const output = mix(weights, v);
  const cosines = x.map((row) => dot(x[me]!, row) / (length(x[me]!) * length(row)));
  const short = (value: number): Value => (Math.abs(value) < 1e-14 ? '0' : sig(value, 3));
  const vectorSaid = (after: string, values: readonly number[]) => {
    const text = shown.says.split(after)[1]?.split('）')[0]?.split(')')[0] ?? '';
    reader.vector(text, values.map(short));
  };
  const order = (values: readonly number[], write: (value: number) => Value, but?: number) => {
    for (const i of ranked(values, tokens).filter((i) => i !== but))
      reader.says(`「${tokens[i]}」*${i === last(values, but) ? '。' : '、'}`, write(values[i]!));
  };
  const last = (values: readonly number[], but?: number) =>
    ranked(values, tokens)
      .filter((i) => i !== but)
      .at(-1);
  switch (stage) {
    case 'embeddings':
      reader.says(`「${token}」最像它自己（*）`, dec(1, 3));
      order(cosines, (value) => dec(value, 3), me);
      reader.table(tokens.map((name, i) => [name, ...x[i]!.map(short), dec(cosines[i]!, 3)]));
      break;
    case 'projections':
      for (const [letter, rows] of [
        ['查询q＝(', q],
        ['键k＝(', k],
        ['值v＝(', v],
      ] as const)
        vectorSaid(letter, rows[me]!);
      reader.table(
        [
          ['Q', '查询q', W_Q, q],
          ['K', '键k', W_K, k],
          ['V', '值v', W_V, v],
        ].flatMap(([letter, name, w, rows]) => [
          ...(w as Rows).map((row, i) => [
            `W_${letter as string}，${world.feature_names[i]}（x＝${plain(x[me]![i]!)}）`,
            ...row.map(short),
          ]),
          [name as string, ...(rows as Rows)[me]!.map(short)],
        ]),
      );
      break;
    case 'scores':
      order(scores, (value) => dec(value, 2));
      reader.says(`与自己的键排第*。`, int(ranked(scores, tokens).indexOf(me) + 1));
      reader.table([
        [`「${token}」的q`, ...q[me]!.map(short), ''],
        ...tokens.map((name, i) => [name, ...k[i]!.map(short), dec(scores[i]!, 2)]),
      ]);
      break;
    case 'weights':
      order(weights, (value) => pct(value));
      reader.table(
        tokens.map((name, i) => [name, dec(scores[i]!, 2), dec(scaled[i]!, 2), pct(weights[i]!)]),
      );
      break;
    case 'outputs': {
      vectorSaid('取回(', output);
      const [first = 0, second = 0] = ranked(weights, tokens);
      reader.says(
        `主要来自「${tokens[first]}」*和「${tokens[second]}」*。`,
        pct(weights[first]!),
        pct(weights[second]!),
      );
      reader.table([
        ...tokens.map((name, i) => [name, pct(weights[i]!), ...v[i]!.map(short)]),
        ['加权和', '', ...output.map(short)],
      ]);
    }
  }
  return reader.wrong;
}

/** The attention output of the last of the first `known` tokens, heads side by side, times W_O. */
function outputAt(world: TeachingWorld, known: number): number[] {
  const {embeddings, W_Q, W_K, W_V, W_O, n_heads, d_head} = world;
  const seen = embeddings.slice(0, known);
  const cut = (row: readonly number[], head: number) =>
    row.slice(head * d_head, (head + 1) * d_head);
  const joined: number[] = [];
  for (let head = 0; head < n_heads; head++) {
    const q = cut(times(seen.at(-1)!, W_Q), head);
    const scores = seen.map((x) => dot(q, cut(times(x, W_K), head)) / Math.sqrt(d_head));
    const values = seen.map((x) => cut(times(x, W_V), head));
    joined.push(...mix(softmax(scores), values));
  }
  return times(joined, W_O);
}

/** Every beat of either way on a list: the pass, and whether its token was computed before. */
function raceOpinion(reader: Reader, {at, cache}: DecodeState, passes: readonly number[]): void {
  const anew = passes.flatMap((known, i) =>
    Array.from({length: known}, (_, j) => ({pass: i, again: i > 0 && j < known - 1})),
  );
  const kept = passes.flatMap((known, i) =>
    Array.from({length: i === 0 ? known : 1}, () => ({pass: i, again: false})),
  );
  const beats = Math.floor(at * anew.length + 1e-9);
  const done = (all: typeof anew) => {
    const first = all.slice(0, beats);
    const left = new Set(all.slice(beats).map(({pass}) => pass));
    const again = first.filter((one) => one.again).length;
    const ended = passes.filter((_, i) => !left.has(i)).length;
    return `算了${first.length}份${again > 0 ? `，其中${again}份重复` : ''}，做完${ended}步`;
  };
  reader.says(`第${beats}拍：每步重算的${done(anew)}${cache ? `；留着的${done(kept)}` : ''}。`);
}

export function decodeOpinion(state: DecodeState, shown: Shown, world: TeachingWorld): string[] {
  const reader = new Reader(shown);
  const {prompt, generate} = state;
  const passes = Array.from({length: generate}, (_, i) => prompt + i);
  const anew = passes.reduce((sum, known) => sum + known, 0);
  const kept = prompt + generate - 1;
  if (state.at < 1) raceOpinion(reader, state, passes);
  else if (anew > kept)
    reader.says(
      '要算* ＝ *份K和V，其中*份早就算过；留着，只算* ＝ *份。',
      passes.join(' + '),
      int(anew),
      int(anew - kept),
      [prompt, ...passes.slice(1).map(() => 1)].join(' + '),
      int(kept),
    );
  else reader.says('两种做法都算*份K和V', int(anew));
  if (state.at === 1) {
    reader.says(`提示${prompt}个词元，生成${generate}个：`);
    reader.says(`${generate}步的输出，两种做法逐位相同`);
  }
  passes.forEach((known, i) => {
    const fresh = i === 0 ? known : 1;
    const row = shown.rows[i] ?? [];
    reader.row(i, [
      `第${i + 1}步`,
      world.tokens.slice(0, known).join(' '),
      world.tokens[known - 1]!,
      world.tokens[known]!,
      int(known),
      int(known - fresh),
      int(fresh),
      int(known - fresh),
      row[8] ?? '',
      row[9] ?? '',
    ]);
    for (const text of row.slice(8))
      reader.vector(
        text,
        outputAt(world, known).map((value) => dec(value, 3)),
      );
  });
  return reader.wrong;
}

/** 人 and 物 of an embedding turn the separate key, 语法 the separate query. */
const asks = (x: readonly number[]) => [x[2]!, 0];
const answers = (x: readonly number[]) => [x[0]! + x[1]!, 0];

export function latentOpinion(state: LatentState, shown: Shown, world: TeachingWorld): string[] {
  const reader = new Reader(shown);
  const {embeddings, W_Q, W_K, tokens, d_model} = world;
  const asking = tokens.indexOf(state.token);
  const place = (j: number) => (state.turn === 'all' ? j : 0);
  const q = times(embeddings[asking]!, W_Q);
  const apart = (j: number) => turn(answers(embeddings[j]!), j);
  const extra = turn(asks(embeddings[asking]!), asking);
  const rows = embeddings.slice(0, asking + 1).map((x, j) => {
    const more = state.turn === 'apart' ? dot(extra, apart(j)) : 0;
    const key = times(x, W_K);
    return {
      name: tokens[j]!,
      distance: asking - j,
      kept: [...x.slice(0, 3), ...(state.turn === 'apart' ? apart(j) : [])],
      // q turned by its place against the key turned by its own.
      expanded: dot(turn(q, place(asking)), turn(key, place(j))) + more,
      // W_K drawn to the query's side; the separate part stands beside it.
      folded: [
        ...W_K.slice(0, 3).map((row) => dot(row, turn(q, place(asking) - place(j)))),
        ...(state.turn === 'apart' ? extra : []),
      ],
      // The fold of distance 0: as if the key stood beside the query.
      once: dot(q, key) + more,
    };
  });
  rows.forEach((row, i) => {
    const cells = shown.rows[i] ?? [];
    reader.row(i, [
      row.name,
      String(row.distance),
      cells[2] ?? '',
      cells[3] ?? '',
      dec(row.expanded, 3),
      dec(row.once, 3),
      gap(Math.abs(row.once - row.expanded)),
    ]);
    reader.vector(
      cells[2] ?? '',
      row.kept.map((value) => dec(value, 2)),
    );
    reader.vector(
      cells[3] ?? '',
      row.folded.map((value) => dec(value, 2)),
    );
  });
  const error = Math.max(...rows.map(({once, expanded}) => Math.abs(once - expanded)));
  const kept = state.turn === 'apart' ? 5 : 3;
  reader.says(
    '看*个词元，每个只存*个数，不是K、V的*个。',
    int(asking + 1),
    int(kept),
    int(2 * d_model),
  );
  if (state.turn !== 'all')
    reader.says(
      '一个折好的查询够*个词元合用，与先展开成键的分数最多差*：只是舍入',
      int(asking + 1),
      gap(error),
    );
  else if (asking === 0) reader.says('只看自己，相距0');
  else
    reader.says(
      '*个距离就要*个不同的折法；只用相距0的那一个，分数最多错*。',
      int(asking + 1),
      int(asking + 1),
      gap(error),
    );
  return reader.wrong;
}

/** A difference of rounding has no digits to compare, but must be as small. */
const gap = (error: number): Value =>
  error < 1e-9
    ? {value: 0, form: /^0$|×10⁻¹\d?|×10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+$/u, half: 1e-9, slack: 0}
    : error < 1e-4
      ? power(error, 2)
      : sig(error, 3);

export function sentenceOpinion({token, at}: SentenceState, shown: Shown, world: TeachingWorld) {
  const reader = new Reader(shown);
  const {tokens, embeddings: x, W_Q, W_K, W_V} = world;
  const me = Math.max(0, tokens.indexOf(token));
  const q = times(x[me]!, W_Q);
  const scores = x.map((row) => dot(q, times(row, W_K)) / Math.sqrt(q.length));
  const weights = softmax(scores.map((score, i) => (i > me ? -Infinity : score)));
  const output = mix(
    weights,
    x.map((row) => times(row, W_V)),
  );
  reader.table(
    tokens.map((name, i) => [name, i > me ? '遮住' : sig(scores[i]!, 6), pct(weights[i]!, 4)]),
  );
  // Six steps, evenly.
  switch (Math.round(5 * at)) {
    case 0:
      reader.says('每个词元先是一个向量，*个数。', int(output.length));
      break;
    case 1:
      reader.says(`「${tokens[me]}」拿出一个查询q`);
      break;
    case 2:
      for (const [i, name] of tokens.entries())
        reader.says(`${name}*${i === tokens.length - 1 ? '。' : '，'}`, dec(scores[i]!, 2));
      break;
    case 3:
      for (const name of tokens.slice(me + 1)) reader.says(name);
      if (me === tokens.length - 1) reader.says('没有要遮的');
      else reader.says(`后面的${tokens.slice(me + 1).join('、')}还没出现`);
      break;
    case 4: {
      const named = ranked(weights, tokens)
        .filter((i) => weights[i]! >= 0.05)
        .slice(0, 2);
      reader.says(
        `百分比：${named.map((i) => `${tokens[i]}*`).join('，')}。`,
        ...named.map((i) => pct(weights[i]!)),
      );
      break;
    }
    default:
      reader.vector(/新的向量：(.*)。/.exec(shown.says)?.[1]?.replaceAll('，', ', ') ?? '', [
        ...output.map((value) => dec(value, 2)),
      ]);
  }
  return reader.wrong;
}
