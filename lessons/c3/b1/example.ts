// The small RNN of branch B1, shared by its numbers and questions.
import {matrix} from '../../../web/core.js';
import {diagonal, INTAKE, KEEP} from '../../../web/shared/recurrence.js';
import type {Recurrence, Sequence} from '../../../web/sequence.js';
import type {TeachingWorld} from '../../../web/shared/world.js';
import {TOKEN} from '../teaching.js';

/** Words of the chapter's example sentence. */
export const WORDS = 50;
/** The share that a nearly open forget gate keeps at each step. */
export const GATE = 0.99;

/** The states after each of the vectors, with W_x = INTAKE·I and W_h = KEEP·I. */
export function walk(
  sequence: Sequence,
  {d_model}: TeachingWorld,
  vectors: readonly (readonly number[])[],
): Recurrence {
  return sequence.recurrence(matrix(vectors.map((row) => [...row])), {
    input: matrix(diagonal(d_model, INTAKE)),
    state: matrix(diagonal(d_model, KEEP)),
  });
}

/** The sentence repeated, as in attn-rnn. */
export function overAndOver({embeddings}: TeachingWorld, length: number): number[][] {
  return Array.from({length}, (_, t) => embeddings[t % embeddings.length]!);
}

/** A name, followed by 把 苹果 给了 repeated. */
export function startingWith(
  {embeddings}: TeachingWorld,
  name: number,
  length: number,
): number[][] {
  const rest = [TOKEN.ba, TOKEN.pingguo, TOKEN.geile];
  return Array.from({length}, (_, t) => embeddings[t === 0 ? name : rest[(t - 1) % rest.length]!]!);
}
