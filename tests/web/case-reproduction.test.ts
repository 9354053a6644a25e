// The claims of the page about the distance to the source's losses, from the records themselves.
import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';

interface Run {
  seed: number;
  finalLoss: number;
  lossByTarget: {unknownShare: number; unknown: number; others: number};
  changes?: string[];
}
const SOURCE = 4.0;
const SEEDS = ['', '-20261015', '-20261016'];
const read = (name: string): Run[] =>
  SEEDS.map((seed) => JSON.parse(readFileSync(`lessons/case/${name}${seed}.json`, 'utf8')) as Run);
const zero = read('small-scaled');
const uniform = read('runs/protocol-small-scaled-poems-uniform');
const couplets = read('runs/protocol-small-scaled-couplets-zero');
const both = read('runs/protocol-small-scaled-couplets-uniform');
const losses = (runs: readonly Run[]) => runs.map(({finalLoss}) => finalLoss);

it('compares runs of the same seeds that differ in what their names say', () => {
  const seeds = zero.map(({seed}) => seed);
  for (const runs of [uniform, couplets, both]) expect(runs.map(({seed}) => seed)).toEqual(seeds);
  expect(uniform[0]!.changes).toEqual(['uniform-biases']);
  expect(couplets[0]!.changes).toEqual(['couplets', 'decay-all']);
  expect(both[0]!.changes).toEqual(['couplets', 'decay-all', 'uniform-biases']);
});

it('each of the twelve paired differences is below 0', () => {
  const pairs = [
    [uniform, zero],
    [both, couplets],
    [couplets, zero],
    [both, uniform],
  ] as const;
  const differences = pairs.flatMap(([to, from]) =>
    losses(to).map((loss, i) => loss - from[i]!.finalLoss),
  );
  expect(differences).toHaveLength(12);
  for (const difference of differences) expect(difference).toBeLessThan(0);
});

it('two of the four combinations have the source’s loss between their seeds', () => {
  const around = (runs: readonly Run[]) =>
    Math.min(...losses(runs)) < SOURCE && Math.max(...losses(runs)) > SOURCE;
  expect([zero, uniform, couplets, both].map(around)).toEqual([false, true, true, false]);
  expect(Math.min(...losses(zero))).toBeGreaterThan(SOURCE);
  expect(Math.max(...losses(both))).toBeLessThan(SOURCE);
});

it('the two losses by target are the parts of the whole, and the others are harder', () => {
  for (const runs of [uniform, couplets, both])
    for (const {finalLoss, lossByTarget} of runs) {
      const {unknownShare, unknown, others} = lossByTarget;
      expect(unknownShare * unknown + (1 - unknownShare) * others).toBeCloseTo(finalLoss, 4);
    }
  both.forEach(({finalLoss, lossByTarget}, i) => {
    expect(finalLoss).toBeLessThan(uniform[i]!.finalLoss);
    expect(lossByTarget.others).toBeGreaterThan(uniform[i]!.lossByTarget.others);
  });
});
