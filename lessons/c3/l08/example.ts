// The teaching sentence as a decoder, for the numbers and the questions of lesson 8.
import {matrix, rowsOf, type Core, type Mask} from '../../../web/core.js';
import type {Decoder, DecodeStep, Sequence} from '../../../web/sequence.js';
import type {TeachingWorld} from '../../../web/shared/world.js';

/** The lesson's generation: 小明 把 are given, 苹果 给了 小王 follow. */
export const PROMPT = 2;
export const GENERATED = 3;

export function decoderOf(world: TeachingWorld, layers: number): Decoder {
  const [wQ, wK, wV, wO] = [world.W_Q, world.W_K, world.W_V, world.W_O].map(matrix) as [
    Decoder['wQ'],
    Decoder['wK'],
    Decoder['wV'],
    Decoder['wO'],
  ];
  return {wQ, wK, wV, wO, heads: world.n_heads, layers};
}

/** Generation of `generated` tokens after `prompt` tokens, without and with a cache. */
export function bothWays(
  sequence: Sequence,
  world: TeachingWorld,
  {prompt, generated, layers = 1}: {prompt: number; generated: number; layers?: number},
): {anew: DecodeStep[]; kept: DecodeStep[]} {
  const run = (cached: boolean) =>
    sequence.decode(matrix(world.embeddings), decoderOf(world, layers), {
      prompt,
      generated,
      cached,
    });
  return {anew: run(false), kept: run(true)};
}

/** Computations of K and V, counted by the engine. */
export function computations(steps: readonly DecodeStep[]): number {
  return steps.reduce((sum, {computed}) => sum + computed, 0);
}

/** Number of K and V computations: each step reads all tokens, or only the new ones. */
export const formulas = {
  anew: (prompt: number, generated: number) =>
    prompt * generated + (generated * (generated - 1)) / 2,
  kept: (prompt: number, generated: number) => prompt + generated - 1,
};

/** Keys of the second layer when so many tokens of the sentence have been read, (T, d). */
export function secondKeys(core: Core, world: TeachingWorld, read: number, mask: Mask): number[][] {
  const {wQ, wK, wV, wO, heads} = decoderOf(world, 2);
  const x = matrix(world.embeddings.slice(0, read));
  const {output} = core.multiHead(core.product(x, wQ), core.product(x, wK), core.product(x, wV), {
    heads,
    scaled: true,
    mask,
  });
  return rowsOf(core.product(core.product(output, wO), wK));
}
