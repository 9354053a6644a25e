// Additive scoring with W₁ = W₂ = 1, for numbers and questions of lesson 2.
import type {Core} from '../../../web/core.js';

/** Uses the core's exp, so that every build gives the same digits. */
export function tanh(core: Core, x: number): number {
  return 1 - 2 / (core.exp(2 * x) + 1);
}

/** v·tanh(q + k), and tanh(q + k). */
export function additive(
  core: Core,
  q: readonly number[],
  k: readonly number[],
  v: readonly number[],
): {hidden: number[]; score: number} {
  const hidden = q.map((x, i) => tanh(core, x + k[i]!));
  return {hidden, score: hidden.reduce((sum, x, i) => sum + v[i]! * x, 0)};
}
