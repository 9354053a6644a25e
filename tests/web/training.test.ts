// The module that trains: its runs have the native digits, and every refusal has a clear error.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import {CoreError} from '../../web/core.js';
import {loadTrain, type Run, type Train, type TrainingSettings} from '../../web/train.js';

const bytes = () => readFileSync('build/wasm/attn_train.wasm');

/** The message of the error that a call throws. */
function message(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(CoreError);
    return (error as CoreError).message;
  }
  return 'accepted';
}

describe('same bits', () => {
  it('20 small and 2 large steps, scaled or not: scalar, vector, threads', () => {
    const native = (program: string, threads: number) =>
      execFileSync(`build/native/${program}`, [String(threads)], {encoding: 'utf8'});
    const plain = readFileSync('build/native/training_digest.txt', 'utf8');
    const lines = plain.trim().split('\n');
    expect(lines.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'small scaled 20',
      'small unscaled 20',
      'large scaled 2',
      'large unscaled 2',
    ]);
    expect(new Set(lines.map((line) => line.split(' ')[3])).size).toBe(4);
    // The build with two threads, and native wide vectors where the processor has them. The module
    // is compared in Chromium (tests/browser/training, threads).
    const wide = process.arch === 'x64' ? native('attn_training_digest_avx2', 2) : 'unsupported\n';
    const other = wide === 'unsupported\n' ? native('attn_training_digest', 2) : wide;
    expect(other).toBe(plain);
  });
});

describe('a run in the module', () => {
  let train: Train;
  const text = '春眠不觉晓，处处闻啼鸟。\n夜来风雨声，花落知多少。\n'.repeat(20);
  const settings: TrainingSettings = {
    config: {vocabSize: 30, blockSize: 16, nLayers: 2, nHeads: 2, dModel: 16, dFf: 32},
    attention: 'scaled',
    seed: 1,
    batchSize: 8,
    steps: 100,
    warmupSteps: 5,
    learningRate: 1e-2,
  };
  const create = (changes: Partial<TrainingSettings> = {}): Run =>
    train.open({...settings, ...changes}, text);

  beforeAll(async () => {
    train = await loadTrain({wasmBinary: bytes()});
  });

  it('presets are the two models of the case study', () => {
    for (const [name, total] of [
      ['small', 425_984],
      ['large', 1_376_256],
    ] as const) {
      const run = train.open(train.preset(name), text);
      const {total: sum, ...parts} = run.parameterCount;
      expect(sum).toBe(total);
      expect(Object.values(parts).reduce((all, part) => all + part)).toBe(total);
      run.close();
    }
    expect(message(() => train.preset('huge' as 'large'))).toBe(
      'preset: expected small, large, got huge',
    );
  });

  it('learns two lines by heart, and continues them', () => {
    const run = create();
    // 40 lines of 13 characters: 36 for training, 4 for validation.
    expect([run.trainingTokens, run.validationTokens]).toEqual([36 * 13, 4 * 13]);
    const {losses, steps, diverged, learningRates} = run.step(100);
    expect([steps, diverged, losses.length]).toEqual([100, false, 100]);
    expect(Math.abs(losses[0]! - Math.log(30))).toBeLessThan(0.1);
    expect(losses[99]).toBeLessThan(0.5);
    expect(learningRates[4]).toBe(1e-2);
    expect(run.validationLoss(2)).toBeLessThan(0.5);
    const sample = run.sample({
      prompt: '夜来风',
      count: 10,
      temperature: 0,
      topK: 0,
      cached: true,
      seed: 1,
    });
    expect(sample.text).toBe('雨声，花落知多少。\n');
    expect(sample.characters).toEqual([...sample.text]);
    const before = run.parameterHash();
    expect(run.validationLossWithout(0, 1, 2)).not.toBe(run.validationLoss(2));
    expect(run.parameterHash()).toBe(before);
    run.close();
  });

  it('a run in slices equals a run in one call, and so does a run from a restored state', () => {
    const whole = create();
    const {losses} = whole.step(30);
    const sliced = create();
    const first = [7, 1, 4].flatMap((n) => sliced.step(n).losses);
    sliced.validationLoss(1);
    const resumed = create();
    const state = sliced.save();
    expect(resumed.load(state)).toEqual({steps: 12, diverged: false});
    expect([...first, ...resumed.step(18).losses]).toEqual(losses);
    expect(resumed.parameterHash()).toBe(whole.parameterHash());
    const other = create({seed: 2});
    expect(message(() => other.load(state))).toContain('same config, seed and batch size');
    expect(message(() => other.load(state.slice(0, 10)))).toContain('too few bytes');
    other.setParameters(whole.parameters());
    expect(other.parameterHash()).toBe(whole.parameterHash());
    for (const run of [whole, sliced, resumed, other]) run.close();
  });

  it('writes the same characters with the cache and without it, also beyond the block', () => {
    const run = create();
    run.step(20);
    const write = (cached: boolean) =>
      run.sample({prompt: '花', count: 60, temperature: 1, topK: 10, cached, seed: 3});
    expect(write(true)).toEqual(write(false));
    expect(write(true).beyondBlock).toBe(true);
    run.close();
  });

  it(
    'maps and portraits: causal rows that sum to 1, the end of a long text, unknown ' +
      'characters',
    () => {
      const run = create();
      const {weights, characters, skipped} = run.attentionMap('春眠x', 1, 0);
      expect([weights.rows, weights.cols, skipped]).toEqual([3, 3, 0]);
      expect(characters).toEqual(['春', '眠', '<unk>']);
      expect(weights.data[1]).toBe(0);
      expect(weights.data[6]! + weights.data[7]! + weights.data[8]!).toBeCloseTo(1, 6);
      const long = run.attentionMap('春'.repeat(10_000), 0, 0);
      expect([long.weights.rows, long.skipped]).toEqual([16, 9984]);
      const {layers, uniform} = run.portraits(text);
      expect(layers.map((heads) => heads.length)).toEqual([2, 2]);
      expect(uniform.distance).toBeCloseTo(7.5 / 2, 12); // mean of i/2 over i = 0 … 15
      expect(layers[0]![0]!.entropy).toBeGreaterThan(0.9); // untrained
      run.close();
    },
  );

  it('extreme settings end in a clear state', () => {
    const run = create();
    run.step(3);
    const before = run.parameterHash();
    run.setLearningRate(0);
    run.step(2);
    expect(run.parameterHash()).toBe(before);
    run.close();

    const wild = create({learningRate: 1e30, warmupSteps: 0});
    const {steps, diverged, losses} = wild.step(50);
    expect(diverged).toBe(true);
    expect(losses.length).toBe(steps);
    expect(wild.step(1)).toMatchObject({steps, diverged: true, losses: []});
    wild.close();

    const open = create();
    const sampling = {count: 3, temperature: 1, topK: 0, cached: true, seed: 1};
    const refused: [() => unknown, string][] = [
      [() => train.open(settings, ''), 'text: expected at least one character, got none'],
      [() => train.open(settings, '春'), 'training: expected at least 17 tokens, got 0'],
      [
        () => create({config: {...settings.config, nHeads: 3}}),
        'n_heads: expected a divisor of d_model = 16, got 3',
      ],
      [
        () => create({attention: 'x' as 'scaled'}),
        'create: expected scaled, unscaled, hidden-as-zero, scaled-after-softmax, ' +
          'no-max-subtraction, divided-by-width, got x',
      ],
      [() => train.open({} as never, text), 'create: Missing field:  "config"'],
      [() => wild.step(1), 'step: Cannot pass deleted object as a pointer of type Run'],
      [() => open.step(0), 'steps: expected a whole number, 1 to 100000, got 0'],
      [
        () => open.setLearningRate(NaN),
        'learning_rate: expected a finite number, 0 or more, got NaN',
      ],
      [
        () => open.diagnostics(0),
        'run: expected one that has made a step, got one that has made none',
      ],
      [
        () => open.sample({...sampling, prompt: ''}),
        'prompt: expected at least one token, got none',
      ],
      [() => open.attentionMap('', 0, 0), 'text: expected at least one character, got none'],
      [() => open.attentionMap('春', 2, 0), 'layer: expected a whole number, 0 to 1, got 2'],
    ];
    for (const [result, expected] of refused) expect(message(result)).toBe(expected);
    open.close();
  });

  it('memory: the large case stays below 200 MB and does not grow with steps', async () => {
    const fresh = await loadTrain({wasmBinary: bytes()});
    const run = fresh.open(fresh.preset('large'), text.repeat(4));
    run.step(1);
    run.validationLoss(1);
    run.diagnostics(0);
    run.save();
    const before = fresh.memoryBytes();
    expect(before).toBeLessThan(200e6);
    run.step(2);
    run.validationLoss(1);
    run.save();
    expect(fresh.memoryBytes()).toBe(before);

    const small = create();
    small.step(10);
    const early = train.memoryBytes();
    small.step(1500);
    expect(train.memoryBytes()).toBe(early);
    small.close();
  });
});
