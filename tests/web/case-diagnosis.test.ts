// The probes of the page about diagnosis, on the small examples that their program prints.
import {expect, it} from 'vitest';
import {python} from './python.js';

it('the probes read the values worked by hand, and tell right from wrong', () => {
  const text = python('lessons/case/diagnosis/probes.py');
  if (text === undefined) return console.warn('No NumPy here: the probes are not run.');
  const {flat, sharp, leak, two_paths, first_bad} = JSON.parse(text) as Record<string, number[]>;
  // Flat rows of 1, 2 and 3 keys: entropy 1, and ‖J‖ = √(n − 1)/n, which is 0, 1/2 and √2/3.
  expect(flat![0]).toBeCloseTo(1, 12);
  expect(flat![1]).toBe(0);
  expect(flat![2]).toBeCloseTo((0 + 1 / 2 + Math.SQRT2 / 3) / 3, 12);
  // q = k = 100 · unit vectors of width 4: three visible scores of 100²/2 = 5000 and three of 0.
  expect(sharp![0]).toBeCloseTo(0, 12);
  expect(sharp![1]).toBeCloseTo(2500, 9);
  expect(sharp![2]).toBeCloseTo(0, 12);
  // With 0 in place of −∞ the first row has scores 1/2, 0, 0: a hidden position has the weight
  // 1/(e^½ + 2). The changed value is larger by 1, and alone the row would have had weight 1.
  const hidden = 1 / (Math.exp(0.5) + 2);
  expect(leak![0]).toBe(0);
  expect(leak![1]).toBeCloseTo(hidden, 12);
  expect(two_paths![0]).toBeLessThan(1e-12);
  expect(two_paths![1]).toBeCloseTo(2 * hidden, 12);
  expect(first_bad!.map((step) => String(step).split(':')[0])).toEqual(['null', 'scores', 'mask']);
});
