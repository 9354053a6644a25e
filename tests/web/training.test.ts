// The module that trains: the same runs as natively, and a clear answer to everything it is asked.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import type {
  Created,
  Refusal,
  TrainingSettings,
  TrainModule,
} from '../../build/wasm/attn_train.mjs';

type Create<Module> = (options: {wasmBinary: Uint8Array}) => Promise<Module>;

async function load<Module>(name: string): Promise<Module> {
  const path = `../../build/wasm/${name}.mjs`;
  const {default: create} = (await import(path)) as {default: Create<Module>};
  return create({wasmBinary: readFileSync(`build/wasm/${name}.wasm`)});
}

/** What a call gave, which must not be a refusal. */
function good<T>(result: T | Refusal): T {
  if (typeof result === 'object' && result !== null && 'error' in result) {
    throw new Error((result as Refusal).error.message);
  }
  return result as T;
}

const message = (result: unknown) => (result as Refusal).error.message;

describe('same bits', () => {
  it(
    '20 small and 5 large steps, scaled or not: plain, wide vectors, two threads, ' + 'WebAssembly',
    async () => {
      const native = (program: string, threads: number) =>
        execFileSync(`build/native/${program}`, [String(threads)], {encoding: 'utf8'});
      const plain = readFileSync('build/native/training_digest.txt', 'utf8');
      const lines = plain.trim().split('\n');
      expect(lines.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
        'small scaled 20',
        'small unscaled 20',
        'large scaled 5',
        'large unscaled 5',
      ]);
      expect(new Set(lines.map((line) => line.split(' ')[3])).size).toBe(4);
      // Two threads, and wide vectors where the processor has them.
      const wide =
        process.arch === 'x64' ? native('attn_training_digest_avx2', 2) : 'unsupported\n';
      const other = wide === 'unsupported\n' ? native('attn_training_digest', 2) : wide;
      expect(other).toBe(plain);
      const module = await load<{digest(threads: number): string}>('attn_training_digest');
      expect(module.digest(1)).toBe(plain);
    },
  );
});

describe('a run in the module', () => {
  let module: TrainModule;
  const text = '春眠不觉晓，处处闻啼鸟。\n夜来风雨声，花落知多少。\n'.repeat(20);
  const settings: TrainingSettings & {text: string} = {
    config: {vocabSize: 30, blockSize: 16, nLayers: 2, nHeads: 2, dModel: 16, dFf: 32},
    attention: 'scaled',
    seed: 1,
    batchSize: 8,
    steps: 100,
    warmupSteps: 5,
    learningRate: 1e-2,
    text,
  };
  const create = (changes: Partial<typeof settings> = {}): Created =>
    good(module.create({...settings, ...changes}));

  beforeAll(async () => {
    module = await load<TrainModule>('attn_train');
  });

  it('presets are the two models of the case study', () => {
    for (const [name, total] of [
      ['small', 425_984],
      ['large', 1_376_256],
    ] as const) {
      const {run, parameters} = good(module.create({...good(module.preset(name)), text}));
      expect(parameters.total).toBe(total);
      const {total: _, ...parts} = parameters;
      expect(Object.values(parts).reduce((sum, part) => sum + part)).toBe(total);
      good(module.remove(run));
    }
    expect(message(module.preset('huge' as 'large'))).toBe(
      'preset: expected small, large, got huge',
    );
  });

  it('learns two lines by heart, and writes them on', () => {
    const {run, trainingTokens, validationTokens} = create();
    // 40 lines of 13 characters: 36 are learnt, 4 kept aside.
    expect([trainingTokens, validationTokens]).toEqual([36 * 13, 4 * 13]);
    const {losses, steps, diverged, learningRates} = good(module.step(run, 100));
    expect([steps, diverged, losses.length]).toEqual([100, false, 100]);
    expect(Math.abs(losses[0]! - Math.log(30))).toBeLessThan(0.1);
    expect(losses[99]).toBeLessThan(0.5);
    expect(learningRates[4]).toBe(1e-2);
    expect(good(module.validationLoss(run, 2))).toBeLessThan(0.5);
    const sample = good(
      module.sample(run, {
        prompt: '夜来风',
        count: 10,
        temperature: 0,
        topK: 0,
        cached: true,
        seed: 1,
      }),
    );
    expect(sample.text).toBe('雨声，花落知多少。\n');
    expect(sample.characters).toEqual([...sample.text]);
    const before = good(module.parameterHash(run));
    expect(good(module.validationLossWithout(run, 0, 1, 2))).not.toBe(
      good(module.validationLoss(run, 2)),
    );
    expect(good(module.parameterHash(run))).toBe(before);
    module.remove(run);
  });

  it('slices make the same run as one go, and so does a state taken up elsewhere', () => {
    const whole = create();
    const {losses} = good(module.step(whole.run, 30));
    const sliced = create();
    const first = [7, 1, 4].flatMap((n) => good(module.step(sliced.run, n)).losses);
    good(module.validationLoss(sliced.run, 1));
    const resumed = create();
    const state = good(module.save(sliced.run));
    expect(good(module.load(resumed.run, state))).toEqual({steps: 12, diverged: false});
    expect([...first, ...good(module.step(resumed.run, 18)).losses]).toEqual(losses);
    expect(module.parameterHash(resumed.run)).toBe(module.parameterHash(whole.run));
    const other = create({seed: 2});
    expect(message(module.load(other.run, state))).toContain('same config, seed and batch size');
    expect(message(module.load(other.run, state.slice(0, 10)))).toContain('too few bytes');
    good(module.setParameters(other.run, good(module.parameters(whole.run))));
    expect(module.parameterHash(other.run)).toBe(module.parameterHash(whole.run));
    for (const {run} of [whole, sliced, resumed, other]) module.remove(run);
  });

  it('with the cache and without it writes the same characters, beyond the block too', () => {
    const {run} = create();
    good(module.step(run, 20));
    const write = (cached: boolean) =>
      good(
        module.sample(run, {prompt: '花', count: 60, temperature: 1, topK: 10, cached, seed: 3}),
      );
    expect(write(true)).toEqual(write(false));
    expect(write(true).beyondBlock).toBe(true);
    module.remove(run);
  });

  it(
    'maps and portraits: causal rows that sum to 1, the end of a long text, unknown ' +
      'characters',
    () => {
      const {run} = create();
      const {weights, characters, skipped} = good(module.attentionMap(run, '春眠x', 1, 0));
      expect([weights.rows, weights.cols, skipped]).toEqual([3, 3, 0]);
      expect(characters).toEqual(['春', '眠', '<unk>']);
      expect(weights.data[1]).toBe(0);
      expect(weights.data[6]! + weights.data[7]! + weights.data[8]!).toBeCloseTo(1, 6);
      const long = good(module.attentionMap(run, '春'.repeat(10_000), 0, 0));
      expect([long.weights.rows, long.skipped]).toEqual([16, 9984]);
      const {layers, uniform} = good(module.portraits(run, text));
      expect(layers.map((heads) => heads.length)).toEqual([2, 2]);
      expect(uniform.distance).toBeCloseTo(7.5 / 2, 12); // mean of i/2 over i = 0 … 15
      expect(layers[0]![0]!.entropy).toBeGreaterThan(0.9); // untrained
      module.remove(run);
    },
  );

  it('extremes end in a clear state', () => {
    const {run} = create();
    good(module.step(run, 3));
    const before = module.parameterHash(run);
    good(module.setLearningRate(run, 0));
    good(module.step(run, 2));
    expect(module.parameterHash(run)).toBe(before);
    module.remove(run);

    const wild = create({learningRate: 1e30, warmupSteps: 0});
    const {steps, diverged, losses} = good(module.step(wild.run, 50));
    expect(diverged).toBe(true);
    expect(losses.length).toBe(steps);
    expect(good(module.step(wild.run, 1))).toMatchObject({steps, diverged: true, losses: []});
    module.remove(wild.run);

    const open = create();
    const sampling = {count: 3, temperature: 1, topK: 0, cached: true, seed: 1};
    const refused: [unknown, string][] = [
      [module.create({...settings, text: ''}), 'text: expected at least one character, got none'],
      [module.create({...settings, text: '春'}), 'training: expected at least 17 tokens, got 0'],
      [
        module.create({...settings, config: {...settings.config, nHeads: 3}}),
        'n_heads: expected a divisor of d_model = 16, got 3',
      ],
      [
        module.create({...settings, attention: 'x' as 'scaled'}),
        'attention: expected scaled, unscaled, hidden-as-zero, scaled-after-softmax, ' +
          'no-max-subtraction, divided-by-width, got x',
      ],
      [module.create(undefined as never), 'settings: expected an object, got undefined'],
      [module.create({...settings, config: null as never}), 'config: expected an object, got null'],
      [module.step(wild.run, 1), `run: expected one that is open, got ${wild.run}`],
      [module.remove(wild.run), `run: expected one that is open, got ${wild.run}`],
      [module.step(open.run, 0), 'steps: expected a whole number, 1 to 100000, got 0'],
      [
        module.setLearningRate(open.run, NaN),
        'learning_rate: expected a finite number, 0 or more, got NaN',
      ],
      [
        module.diagnostics(open.run, 0),
        'run: expected one that has made a step, got one that has made none',
      ],
      [
        module.sample(open.run, {...sampling, prompt: ''}),
        'prompt: expected at least one token, got none',
      ],
      [module.attentionMap(open.run, '', 0, 0), 'text: expected at least one character, got none'],
      [module.attentionMap(open.run, '春', 2, 0), 'layer: expected a whole number, 0 to 1, got 2'],
    ];
    for (const [result, expected] of refused) expect(message(result)).toBe(expected);
    module.remove(open.run);
  });

  it('memory: the large case stays below 200 MB and does not grow with steps', async () => {
    const fresh = await load<TrainModule>('attn_train');
    const {run} = good(fresh.create({...good(fresh.preset('large')), text: text.repeat(4)}));
    good(fresh.step(run, 1));
    good(fresh.validationLoss(run, 1));
    good(fresh.diagnostics(run, 0));
    good(fresh.save(run));
    const before = fresh.memoryBytes();
    expect(before).toBeLessThan(200e6);
    good(fresh.step(run, 2));
    good(fresh.validationLoss(run, 1));
    good(fresh.save(run));
    expect(fresh.memoryBytes()).toBe(before);

    const small = create();
    good(module.step(small.run, 10));
    const early = module.memoryBytes();
    good(module.step(small.run, 1500));
    expect(module.memoryBytes()).toBe(early);
    module.remove(small.run);
  });
});
