// Attention straight from the formulas, in plain loops.

export type Rows = readonly (readonly number[])[];

export const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

const columnOf = (rows: Rows, c: number): number[] => rows.map((row) => row[c] ?? 0);

/** x · W of one row. */
export const times = (x: readonly number[], w: Rows): number[] =>
  (w[0] ?? []).map((_, c) => dot(x, columnOf(w, c)));

/** exp(s) ÷ Σ exp, after the largest is taken off; −Infinity has no weight. */
export function softmax(scores: readonly number[]): number[] {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((total, x) => total + x, 0);
  return powers.map((x) => x / sum);
}

/** Σ weight · row. */
export const mix = (weights: readonly number[], rows: Rows): number[] =>
  (rows[0] ?? []).map((_, c) => dot(weights, columnOf(rows, c)));

/** −Σ p ln p ÷ ln n; 0 of one. */
export function entropyOf(weights: readonly number[], visible: number): number {
  if (visible === 1) return 0;
  return weights.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0) / Math.log(visible);
}

/** diag(p) − p pᵀ. */
export const jacobianOf = (p: readonly number[]): number[][] =>
  p.map((a, i) => p.map((b, j) => (i === j ? a * (1 - a) : -a * b)));

/** The root of the sum of all squares. */
export const normOf = (rows: Rows): number =>
  Math.sqrt(rows.flat().reduce((sum, x) => sum + x * x, 0));

/** Pairs of neighbouring numbers turn by position · base^(−2i/rotated). */
export function turn(
  x: readonly number[],
  position: number,
  rotated = x.length,
  base = 10000,
): number[] {
  const turned = [...x];
  for (let i = 0; i < rotated; i += 2) {
    const angle = position * base ** (-i / rotated);
    const [a = 0, b = 0] = [x[i], x[i + 1]];
    turned[i] = a * Math.cos(angle) - b * Math.sin(angle);
    turned[i + 1] = a * Math.sin(angle) + b * Math.cos(angle);
  }
  return turned;
}

/** Place of the first largest. */
export const firstLargest = (values: readonly number[]): number =>
  values.indexOf(Math.max(...values));
