// The two examples of lesson 5 that can be computed by hand.

/** 明, 月 and 松 in two dimensions, one row a token. */
export const HAND = {
  q: [
    [1, 0],
    [0, 1],
    [1, 0],
  ],
  k: [
    [1, 0],
    [0, 1],
    [1, 1],
  ],
  v: [
    [2, 0],
    [0, 2],
    [1, 1],
  ],
};

/** Three entries with one number each. */
export const LOOKUP = {scores: [2, 1.5, -1], values: [10, 20, 0]};
