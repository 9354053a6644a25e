// The small RNN that represents all RNNs, in <attn-rnn> and in its lesson.

/**
 * An update keeps this share of the state (W_h = 0.9·I) and takes this share of a token (W_x =
 * 0.3·I).
 */
export const KEEP = 0.9;
export const INTAKE = 0.3;
/** Length of the state, and of each token's vector. */
export const WIDTH = 512;

/** share · I, a matrix of `size` rows and columns. */
export function diagonal(size: number, share: number): number[][] {
  return Array.from({length: size}, (_, i) =>
    Array.from({length: size}, (__, j) => (i === j ? share : 0)),
  );
}
