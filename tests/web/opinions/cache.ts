// <attn-kv-cache>: what each kind of layer keeps, with the geometry of a few models by hand.

import type {KvCacheState} from '../../../web/elements/attn-kv-cache/state.js';
import type {State} from '../random-state.js';
import {binary, int, Reader, type Shown} from './reading.js';

interface Kind {
  layers: number;
  /** Numbers that one layer keeps of a token. */
  numbers: number;
  /** Tokens that it keeps at most. */
  window?: number;
  /** Bytes of a layer, whatever the length. */
  constant?: number;
}

/** From the models' published configs; all keep two bytes a number. */
const MODELS: Record<string, {longest: number; kinds: Kind[]}> = {
  // 32 layers of 32 heads, key and value of 128 numbers each.
  'llama-2-7b': {longest: 4096, kinds: [{layers: 32, numbers: 32 * (128 + 128)}]},
  'llama-2-70b': {longest: 4096, kinds: [{layers: 80, numbers: 8 * (128 + 128)}]},
  'llama-3.1-8b': {longest: 131072, kinds: [{layers: 32, numbers: 8 * (128 + 128)}]},
  gpt2: {longest: 1024, kinds: [{layers: 12, numbers: 12 * (64 + 64)}]},
  'mistral-7b-v0.1': {
    longest: 32768,
    kinds: [{layers: 32, numbers: 8 * (128 + 128), window: 4096}],
  },
  // A latent of 512 numbers and 64 that carry the position.
  'deepseek-v3': {longest: 163840, kinds: [{layers: 61, numbers: 512 + 64}]},
  // Five layers in six see 1,024 tokens; the others keep keys and values of 512 numbers.
  'gemma-4-26b-a4b': {
    longest: 262144,
    kinds: [
      {layers: 25, numbers: 8 * (256 + 256), window: 1024},
      {layers: 5, numbers: 2 * (512 + 512)},
    ],
  },
  // 16 of 64 layers attend; the states of the other 48 take 144 MiB.
  'anchor-model': {
    longest: 262144,
    kinds: [
      {layers: 16, numbers: 4 * (256 + 256)},
      {layers: 48, numbers: 0, constant: (144 * 2 ** 20) / 48},
    ],
  },
};

/** 32nds of a byte for a number, its share of a scale included, so that all is whole. */
const PARTS: Record<string, number> = {
  fp32: 128,
  bf16: 64,
  fp16: 64,
  fp8: 32,
  int8: 32,
  fp4: 16,
  int4: 16,
  // Blocks of 32 numbers with a scale of 2 B, or with a scale and an offset of 2 B each.
  q8_0: 34,
  q5_1: 24,
  q5_0: 22,
  q4_1: 20,
  q4_0: 18,
  iq4_nl: 18,
  // A scale of 1 B for 16 and for 32 numbers.
  nvfp4: 18,
  mxfp4: 17,
};

const sized = (bytes: bigint) =>
  bytes < 1024n
    ? `${bytes} B`
    : `${String(bytes).replace(/\B(?=(\d{3})+$)/g, ',')} B（${binary(bytes)}）`;

export function cacheOpinion(state: KvCacheState, shown: Shown): string[] {
  const reader = new Reader(shown);
  const {kinds, longest} = MODELS[state.model]!;
  const parts = BigInt(PARTS[state.dtype === 'config' ? 'bf16' : state.dtype] ?? 0);
  const [context, batch] = [BigInt(state.context), BigInt(state.batch)];
  const perToken = kinds.map(({layers, numbers}) => (BigInt(layers * numbers) * parts) / 32n);
  const constant = kinds.reduce(
    (sum, kind) => sum + BigInt(kind.layers * (kind.constant ?? 0)),
    0n,
  );
  const held = (window: number | undefined) =>
    window !== undefined && context > BigInt(window) ? BigInt(window) : context;
  const one = kinds.reduce((sum, {window}, i) => sum + perToken[i]! * held(window), 0n) + constant;
  const full = ({window}: Kind) => window !== undefined && context >= BigInt(window);
  const within = perToken.reduce((sum, each) => sum + each, 0n);
  const growing = kinds.reduce((sum, kind, i) => sum + (full(kind) ? 0n : perToken[i]!), 0n);
  reader.says('读到*个词元', int(state.context));
  reader.says('，*条序列，', int(state.batch));
  reader.says(`缓存共${sized(batch * one)}。`);
  if (state.context > longest) reader.says('（它的上下文只到*）', int(longest));
  else reader.saysNot('它的上下文只到');
  if (growing !== within)
    reader.says(`窗口都没满时，每多一个词元加${sized(within)}；现在只加${sized(growing)}：`);
  else
    reader.says(`每多一个词元加${sized(growing)}${kinds.some(({window}) => window) ? '；' : '。'}`);
  kinds.forEach((kind, i) => {
    reader.is(reader.cell(i, 1), int(kind.layers));
    if (kind.numbers > 0)
      reader.is(
        String(Number(reader.cell(i, 2)) * (Number(reader.cell(i, 3)) + Number(reader.cell(i, 4)))),
        String(kind.numbers),
      );
    reader.is(
      reader.cell(i, 5),
      kind.window === undefined ? emptyOr(reader.cell(i, 5)) : int(kind.window),
    );
    reader.is(reader.cell(i, 6), int(perToken[i]!));
    reader.is(reader.cell(i, 7), int(BigInt(kind.layers * (kind.constant ?? 0))));
  });
  const last = shown.rows.length - 1;
  reader.is(reader.cell(last, 0), `共${sized(batch * one)}`);
  reader.is(reader.cell(last, 6).replace('此时', ''), int(growing));
  reader.is(reader.cell(last, 7), int(constant));
  return reader.wrong;
}

/** Without a window nothing is said, or 0. */
const emptyOr = (text: string) => (text === '0' ? '0' : '');

/** Cards, weights and engines have tests of their own. */
const ALONE = {cards: 1, weights: 'none', engine: 'none', prefix: 0};

export function sampleCache(state: State, random: () => number): State {
  const names = Object.keys(MODELS);
  const model = names[Math.floor(names.length * random())];
  // Scales of whole heads are not shares of numbers.
  const dtype = state['dtype'] === 'fp8_per_head' ? 'fp8' : state['dtype'];
  return {...state, ...ALONE, model, dtype, compare: [], ignore: []};
}
