// The shares of a whole as pieces laid end to end, and how far they exceed the frame of 100 %.

export interface Piece {
  /** Index of the share. */
  i: number;
  /** 0 is the start of the frame, 1 its end; a negative share lies before 0. */
  from: number;
  to: number;
}

/**
 * Pieces in order: what is above 0 runs on from 0, what is below 0 sticks out before it.
 *
 * @return `below`: how far pieces reach before the frame; `span`: from the first piece's start to
 *     the end of the frame or of the last piece, at least 1
 */
export function pieces(shares: readonly number[]): {list: Piece[]; below: number; span: number} {
  let above = 0;
  let below = 0;
  const list = shares.map((share, i) => {
    if (share >= 0) return {i, from: above, to: (above += share)};
    const to = -below;
    below -= share;
    return {i, from: -below, to};
  });
  return {list, below, span: Math.max(1, above) + below};
}
