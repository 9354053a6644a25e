import {describe, expect, test} from 'vitest';
import {linearScale, roundAbove} from '../../web/shared/scale.js';

describe('a linear scale', () => {
  test('maps ends to ends and back, even if the difference of the ends overflows', () => {
    for (const domain of [
      [-6, 12],
      [-1e308, 1e308],
    ] as const) {
      const scale = linearScale(domain, [2, 97]);
      expect(scale(domain[0])).toBe(2);
      expect(scale(domain[1])).toBe(97);
      // The middle of the range 2 … 97.
      expect(scale(domain[0] / 2 + domain[1] / 2)).toBeCloseTo(49.5, 9);
      expect(scale.invert(2)).toBe(domain[0]);
      expect(scale.invert(97)).toBe(domain[1]);
    }
  });

  test('has round ticks inside the domain, including both ends if these are round', () => {
    // 18 ÷ 9 = 2.
    expect(linearScale([-6, 12], [0, 1]).ticks(9)).toEqual([-6, -4, -2, 0, 2, 4, 6, 8, 10, 12]);
    // 18 ÷ 4 = 4.5, so steps of 5.
    expect(linearScale([-6, 12], [0, 1]).ticks(4)).toEqual([-5, 0, 5, 10]);
    // 0.6 ÷ 6 = 0.1.
    expect(linearScale([0, 0.6], [0, 1]).ticks(6)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    expect(linearScale([-1e300, 1e300], [0, 1]).ticks(4)).toEqual([
      -1e300, -5e299, 0, 5e299, 1e300,
    ]);
  });

  test('finds the next round number above a size', () => {
    expect([1, 1.1, 2.5, 7, 0.03, 1e300].map(roundAbove)).toEqual([1, 2, 5, 10, 0.05, 1e300]);
    // 2e308 would overflow.
    expect(roundAbove(1.7e308)).toBe(1.7e308);
  });
});
