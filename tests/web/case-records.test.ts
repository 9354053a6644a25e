// The runs that the case study records begin with the digits that the module computes in this
// build.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {loadTrain} from '../../web/train.js';
import type {Moments} from '../../web/training/moments.js';
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
          samples?: {prompt: string; temperature: number; text: string}[];
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
      const {losses} = run.step(1);
      // A further seed of a model differs in its numbers alone.
      if (/-\d+$/.test(experiment)) {
        expect(losses, experiment).toEqual(firstLosses.slice(0, 1));
        run.close();
        continue;
      }
      const {entropy, jacobianNorm} = run.diagnostics(0);
      expect([...losses, ...run.step(1).losses], experiment).toEqual(firstLosses.slice(0, 2));
      expect({entropy, jacobianNorm}, experiment).toEqual({
        entropy: diagnostics[0]?.entropy,
        jacobianNorm: diagnostics[0]?.jacobianNorm,
      });
      run.close();
    }
  });

  it('begin their moments with the maps and the poem of the untrained model', async () => {
    const text = readFileSync('build/corpus/tang.txt', 'utf8');
    const train = await loadTrain({wasmBinary: trainBytes()});
    for (const {experiment, preset, attention, seed, steps, learningRate} of runs) {
      const path = `${folder}/${experiment}-moments.json`;
      if (!existsSync(path)) continue;
      const {text: verse, prompt, moments} = JSON.parse(readFileSync(path, 'utf8')) as Moments;
      const run = train.open({...train.preset(preset), attention, seed, steps, learningRate}, text);
      expect(moments[0]?.steps).toBe(0);
      for (const {layer, head, weights} of moments[0]?.maps ?? []) {
        const {data} = run.attentionMap(verse, layer, head).weights;
        const n = [...verse].length;
        const seen = [...data].filter((_, k) => k % n <= Math.floor(k / n));
        expect(weights, experiment).toEqual(seen.map((weight) => Math.round(1000 * weight)));
      }
      const drawn = {count: 64, temperature: 1, topK: 0, cached: true, seed};
      expect(moments[0]?.poem).toBe(run.sample({...drawn, prompt}).text);
      run.close();
    }
  });

  it('end their moments with the poem of the trained model', () => {
    for (const {experiment, samples = []} of runs) {
      const path = `${folder}/${experiment}-moments.json`;
      if (!existsSync(path)) continue;
      const {prompt, moments} = JSON.parse(readFileSync(path, 'utf8')) as Moments;
      const written = samples.find((one) => one.prompt === prompt && one.temperature === 1);
      expect(moments.at(-1)?.poem, experiment).toBe(written?.text);
    }
  });
});
