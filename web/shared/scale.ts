// A linear scale with round ticks. d3's ticks come from powers and logarithms, whose last bits
// differ between browsers; these are read from decimal text, which every browser rounds alike.

export interface Scale {
  (value: number): number;
  invert: (place: number) => number;
  /** About `count` round values inside the domain. */
  ticks: (count: number) => number[];
}

/** The smallest of 1, 2, 5 and 10 times a power of ten that is at least `size`, for size > 0. */
export function roundAbove(size: number): number {
  const exponent = size.toExponential().split('e')[1];
  const steps = [1, 2, 5, 10].map((factor) => Number(`${factor}e${exponent}`));
  return steps.find((step) => step >= size && step < Infinity) ?? size;
}

/** A tick this close to the end of the domain is on it. */
const EDGE = 1e-9;

/** Maps [d0, d1] to [r0, r1]; d0 < d1. */
export function linearScale(
  [d0, d1]: readonly [number, number],
  [r0, r1]: readonly [number, number],
): Scale {
  // Halves, since d1 − d0 may overflow.
  const share = (value: number) => (value / 2 - d0 / 2) / (d1 / 2 - d0 / 2);
  return Object.assign((value: number) => r0 + (r1 - r0) * share(value), {
    invert: (place: number) => {
      const t = (place - r0) / (r1 - r0);
      return d0 * (1 - t) + d1 * t;
    },
    ticks: (count: number) => {
      const step = roundAbove((d1 / count - d0 / count) * (1 - EDGE));
      const first = Math.ceil(d0 / step - EDGE);
      const last = Math.floor(d1 / step + EDGE);
      // Twelve digits, so that 3 × 0.1 reads 0.3; + 0 since −0 is no tick.
      return Array.from({length: last - first + 1}, (_, i) =>
        Number(((first + i) * step + 0).toPrecision(12)),
      );
    },
  });
}
