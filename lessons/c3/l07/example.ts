// The small example of lesson 7: two tokens in four dimensions, every projection the identity.
export const PAIR = [
  [1, 0, 1, 0],
  [0, 1, 0, 1],
];
