import {beforeAll, expect, it} from 'vitest';
import overview from '../../lessons/case/overview/numbers.js';
import type {NumberSpec} from '../../web/site/numbers.js';
import {authorsContexts} from './authors-context.js';

let numbers: Record<string, NumberSpec>;
beforeAll(async () => {
  numbers = overview((await authorsContexts())());
});

const PARTS = ['tokens', 'positions', 'attention', 'feed', 'norms'];
const valueOf = (id: string) => Number(numbers[id]?.value);

it.each(['small', 'large'])('the parts of the %s model add up to the recorded total', (preset) => {
  const sum = PARTS.reduce((total, part) => total + valueOf(`${preset}_${part}`), 0);
  expect(sum).toBe(valueOf(`${preset}_total`));
  const shares = PARTS.reduce((total, part) => total + valueOf(`${preset}_${part}_share`), 0);
  expect(shares).toBeCloseTo(1, 12);
});

it('the small model has the parts worked by hand', () => {
  // 1,200 · 128; 64 · 128; 2 · 4 · 128²; 2 · (2 · 128 · 256 + 256 + 128); 5 · 2 · 128.
  expect(PARTS.map((part) => valueOf(`small_${part}`))).toEqual([
    153600, 8192, 131072, 131840, 1280,
  ]);
});
