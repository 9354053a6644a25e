// The runs that the case study records begin with the digits that the module computes in this
// build.
import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {loadTrain} from '../../web/train.js';
import type {CaseRecord} from '../../web/training/records.js';
import {trainBytes} from './training-run.js';

describe('the recorded runs', () => {
  const folder = 'lessons/case';
  const runs = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map(
      (name) =>
        JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as CaseRecord & {
          config: object;
          batchSize: number;
        },
    )
    .filter((run) => 'losses' in run);

  it('exist', () => {
    expect(runs.map(({experiment}) => experiment)).toEqual(
      expect.arrayContaining(['small-scaled', 'small-unscaled', 'large-scaled', 'large-unscaled']),
    );
  });

  it('begin with the digits that this module computes', async () => {
    const text = readFileSync('build/corpus/tang.txt', 'utf8');
    const train = await loadTrain({wasmBinary: trainBytes()});
    for (const {
      experiment,
      preset,
      attention,
      seed,
      steps,
      learningRate,
      firstLosses,
      diagnostics,
    } of runs) {
      const run = train.open({...train.preset(preset), attention, seed, steps, learningRate}, text);
      const first = run.step(1);
      const {entropy, jacobianNorm} = run.diagnostics(0);
      expect([...first.losses, ...run.step(1).losses], experiment).toEqual(firstLosses.slice(0, 2));
      expect({entropy, jacobianNorm}, experiment).toEqual({
        entropy: diagnostics[0]?.entropy,
        jacobianNorm: diagnostics[0]?.jacobianNorm,
      });
      run.close();
    }
  });
});
