// The experiment that did not reproduce: the claims of its page hold in our records.
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import numbersOf from '../../lessons/case/experiment/numbers.js';
import questionsOf from '../../lessons/case/experiment/questions.js';
import type {NumberContext, NumberSpec} from '../../web/site/numbers.js';
import {authorsContext} from './authors-context.js';

interface Row {
  step: number;
  entropy: number;
  jacobianNorm: number;
  logitDeviation: number;
}
interface Run {
  finalLoss: number;
  seed: number;
  diagnostics: Row[];
}
interface Sweep {
  rows: {d: number; unscaled: {logitDeviation: number}}[];
}

const read = <T>(name: string) =>
  JSON.parse(readFileSync(`lessons/case/${name}.json`, 'utf8')) as T;
const SEEDS = {a: '', b: '-20261015', c: '-20261016'};
const LETTERS = ['a', 'b', 'c'] as const;
const run = (size: string, kind: string, seed: (typeof LETTERS)[number]) =>
  read<Run>(`${size}-${kind}${SEEDS[seed]}`);
const from = (rows: Row[], step: number) => rows.filter((row) => row.step >= step);

let context: NumberContext;
let numbers: Record<string, NumberSpec>;
beforeAll(async () => {
  context = await authorsContext();
  numbers = numbersOf(context);
});
const value = (id: string) => Number(numbers[id]?.value);

describe('the gap between with and without ÷√d', () => {
  it('is the difference of the recorded losses, seed by seed and on average', () => {
    for (const size of ['small', 'large']) {
      let sum = 0;
      for (const seed of LETTERS) {
        const [without, divided] = [run(size, 'unscaled', seed), run(size, 'scaled', seed)];
        expect(without.seed).toBe(divided.seed);
        const gap = without.finalLoss - divided.finalLoss;
        expect(value(`${size}_${seed}_gap`)).toBeCloseTo(gap, 12);
        sum += gap;
      }
      expect(value(`${size}_gap`)).toBeCloseTo(sum / 3, 12);
    }
  });

  it('has one sign in all runs, is small in the small model and near 1 in the large one', () => {
    for (const seed of LETTERS) {
      expect(value(`small_${seed}_gap`)).toBeGreaterThan(0);
      expect(value(`small_${seed}_gap`)).toBeLessThan(0.3);
      expect(value(`large_${seed}_gap`)).toBeGreaterThan(0.85);
      expect(value(`large_${seed}_gap`)).toBeLessThan(1.05);
    }
  });

  it('is small although the small model learns, which answers the guess', () => {
    const questions = questionsOf({...context, numbers});
    // The third option: the model learns, and the gap is below 0.3.
    expect(questions['small-gap']?.answer).toBe(2);
    // 4^1.5
    expect(Math.abs(questions['start-times']!.answer - 8)).toBeLessThan(0.1);
  });

  it('comes with losses above the chapter’s in every pair', () => {
    for (const size of ['small', 'large'])
      for (const kind of ['scaled', 'unscaled'])
        for (const seed of LETTERS)
          expect(run(size, kind, seed).finalLoss).toBeGreaterThan(value(`${size}_quoted_${kind}`));
  });
});

describe('the large model', () => {
  it('collapses by step 222 without ÷√d in each run, and does not come back', () => {
    for (const seed of LETTERS) {
      const rows = run('large', 'unscaled', seed).diagnostics;
      const at = rows.find(({step}) => step === 222)!;
      expect(value(`${seed}_h`)).toBe(at.entropy);
      expect(value(`${seed}_j`)).toBe(at.jacobianNorm);
      expect(value(`${seed}_early_h`)).toBe(rows.find(({step}) => step === 74)!.entropy);
      expect(at.entropy).toBeLessThan(0.01);
      expect(at.jacobianNorm).toBeLessThan(rows[0]!.jacobianNorm / 50);
      for (const row of from(rows, 222)) {
        expect(row.entropy).toBeLessThanOrEqual(value('most_h'));
        expect(row.jacobianNorm).toBeLessThanOrEqual(value('most_j'));
      }
      // The same holds at the last step of the published records.
      const falls = from(rows, 740)
        .filter(({step}) => step <= 1480)
        .map(({jacobianNorm}) => rows[0]!.jacobianNorm / jacobianNorm);
      expect(value(`${seed}_fall`)).toBeCloseTo(falls.at(-1)!, 9);
      expect(falls).toHaveLength(11);
      for (const fall of falls) {
        expect(fall).toBeGreaterThanOrEqual(value('least_fall') - 1e-9);
        expect(fall).toBeLessThanOrEqual(value('most_fall') + 1e-9);
        // The published pair of values: 0.2975 ÷ 0.00008.
        expect(fall).toBeLessThan(3718.75);
      }
    }
    expect(value('most_h')).toBeLessThan(0.01);
    expect(value('quoted_fall')).toBeCloseTo(3718.75, 9);
  });

  it('is steady with it', () => {
    for (const seed of LETTERS)
      for (const row of from(run('large', 'scaled', seed).diagnostics, 222)) {
        expect(row.entropy).toBeGreaterThan(0.4);
        expect(row.entropy).toBeGreaterThanOrEqual(value('steady_least_h'));
        expect(row.entropy).toBeLessThanOrEqual(value('steady_most_h'));
        expect(row.jacobianNorm).toBeGreaterThan(0.25);
        expect(row.jacobianNorm).toBeGreaterThanOrEqual(value('steady_least_j'));
        expect(row.jacobianNorm).toBeLessThanOrEqual(value('steady_most_j'));
      }
  });

  it('is compared with the published run at the same steps', () => {
    const rows = run('large', 'unscaled', 'a').diagnostics;
    for (const step of [0, 222, 444, 888, 1480])
      expect(value(`unscaled_${step}_std`)).toBe(
        rows.find((row) => row.step === step)!.logitDeviation,
      );
  });
});

describe('the small model', () => {
  it('attends to fewer positions without ÷√d, but its softmax is not saturated', () => {
    for (const seed of LETTERS) {
      const [without, divided] = [run('small', 'unscaled', seed), run('small', 'scaled', seed)];
      expect(without.diagnostics.at(-1)!.entropy).toBeLessThan(divided.diagnostics.at(-1)!.entropy);
      expect(without.diagnostics.at(-1)!.jacobianNorm).toBeGreaterThan(0.2);
    }
  });
});

describe('untrained models', () => {
  it('have scores of σ²·d^1.5, not √d', () => {
    const {rows} = read<Sweep>('init-sweep');
    expect(rows.map(({d}) => d)).toEqual([32, 64, 128, 256, 512]);
    for (const {d, unscaled} of rows) {
      const predicted = 0.02 * 0.02 * d ** 1.5;
      expect(value(`sweep_${d}_predicted`)).toBeCloseTo(predicted, 12);
      expect(value(`sweep_${d}_measured`)).toBe(unscaled.logitDeviation);
      expect(Math.abs(unscaled.logitDeviation / predicted - 1)).toBeLessThan(0.05);
      expect(unscaled.logitDeviation).toBeLessThan(Math.sqrt(d) / 4);
    }
    expect(Math.abs(value('slope') - 1.5)).toBeLessThan(0.03);
    // 128 · 0.0004 · √32 and 256 · 0.0004 · 16
    expect(value('small_expected')).toBeCloseTo(0.28963, 5);
    expect(value('large_expected')).toBeCloseTo(1.6384, 10);
  });
});
