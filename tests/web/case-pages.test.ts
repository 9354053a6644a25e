// The claims of the case's pages about heads, learning rate and mistakes, checked against the
// records.
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import failuresOf from '../../lessons/case/failures/numbers.js';
import headsOf from '../../lessons/case/heads/numbers.js';
import trainingOf from '../../lessons/case/training/numbers.js';
import type {NumberContext} from '../../web/site/numbers.js';
import {authorsContext} from './authors-context.js';

interface Head {
  layer: number;
  head: number;
  diagonal: number;
  previous: number;
}
interface Run {
  finalLoss: number;
  portraits: {heads: Head[]};
}

const read = (name: string) => JSON.parse(readFileSync(`lessons/case/${name}.json`, 'utf8')) as Run;

let context: NumberContext;
beforeAll(async () => {
  context = await authorsContext();
});

describe('a previous-token head, as the glossary defines it', () => {
  it('is L0H1 of the first run, none of the second, L0H0 of the third', () => {
    // On 24 positions uniform rows give (1/2 + … + 1/24) ÷ 23 = 0.1207 to the previous token.
    const even = Array.from({length: 23}, (_, i) => 1 / (i + 2)).reduce((a, b) => a + b) / 23;
    expect(Number(headsOf(context)['even_previous']!.value)).toBeCloseTo(even, 12);
    const found = ['small-scaled', 'small-scaled-20261015', 'small-scaled-20261016'].map((run) =>
      read(run)
        .portraits.heads.filter(
          ({diagonal, previous}) => previous > 3 * even && previous > diagonal,
        )
        .map(({layer, head}) => `L${layer}H${head}`),
    );
    expect(found).toEqual([['L0H1'], [], ['L0H0']]);
  });

  it('puts less than half of its weight on the previous token', () => {
    expect(Number(headsOf(context)['l0h1_previous']!.value)).toBeLessThan(0.5);
    const glossary = readFileSync('lessons/data/glossary.json', 'utf8');
    expect(glossary).toContain('平均超过平分时的三倍');
  });
});

describe('the learning rate', () => {
  it('begins at a hundredth of its peak, 3e−3 ÷ 100, and not at 0', () => {
    expect(trainingOf(context)['first_rate']!.text).toBe('3×10⁻⁵');
  });
});

describe('the mistakes', () => {
  it('lower the loss in three of four; the fourth differs by less than two seeds do', () => {
    const value = (id: string) => Number(failuresOf(context)[id]!.value);
    for (const run of ['zero', 'after', 'width'])
      expect(value(`${run}_lower`)).toBeGreaterThan(0.03);
    expect(Math.abs(value('plain_lower'))).toBeLessThan(0.005);
    const ends = ['small-scaled', 'small-scaled-20261015', 'small-scaled-20261016'].map(
      (run) => read(run).finalLoss,
    );
    expect(value('seed_spread')).toBeCloseTo(Math.max(...ends) - Math.min(...ends), 12);
    expect(value('seed_spread')).toBeGreaterThan(4 * Math.abs(value('plain_lower')));
  });
});
