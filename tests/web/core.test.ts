import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {beforeAll, describe, expect, it} from 'vitest';
import {CoreError, matrix, rowsOf, valuesOf, type Core, type WeighOptions} from '../../web/core.js';
import type {Scaling} from '../../web/scaling.js';
import {moduleDigest, replay, type CoreCase} from './core-cases.js';
import {coreFromBuild, resourcesFromBuild} from './load-core.js';

let core: Core;
let scaling: Scaling;
beforeAll(async () => {
  ({core, scaling} = await resourcesFromBuild());
});

const refused = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(CoreError);
    return `${(error as CoreError).code}: ${(error as CoreError).message}`;
  }
  return 'accepted';
};

const options: WeighOptions = {
  method: 'softmax',
  temperature: 1,
  offset: 0,
  precision: 'float64',
  stable: true,
};

const past = {window: 3, insideSequence: false, paddingAsks: true, inverted: false};

describe('weigh', () => {
  it('returns every step of softmax', () => {
    // Worked by hand: 8 − 9, 7 − 9, 9 − 9, then e⁻¹, e⁻², e⁰ over their sum.
    const trace = core.weigh([8, 7, 9], options);
    expect(trace.shift).toEqual({value: 9, status: 'ok'});
    expect(valuesOf(trace.shifted)).toEqual([-1, -2, 0]);
    expect(valuesOf(trace.weights).map((w) => w.toFixed(4))).toEqual([
      '0.2447',
      '0.0900',
      '0.6652',
    ]);
    expect(trace).toMatchObject({
      defined: true,
      valid: true,
      sum: {status: 'ok'},
      maxWeight: trace.weights[2]!.value,
    });
  });

  it('marks overflowed and undefined values, and sets them to 0', () => {
    const trace = core.weigh([88.8, 100, 102], {...options, precision: 'float32', stable: false});
    expect(trace.parts).toEqual(Array(3).fill({value: 0, status: 'overflow'}));
    expect(trace.weights).toEqual(Array(3).fill({value: 0, status: 'undefined'}));
    expect(trace).toMatchObject({
      defined: false,
      valid: false,
      entropy: null,
      maxWeight: null,
      jacobianNorm: null,
    });
  });

  it('returns finite numbers for all finite scores', () => {
    const extremes = [1e308, -1e308, 5e-324, 0, -0, 1e39, -1e39, 88.8, 1000];
    for (const method of ['share', 'shift', 'softmax'] as const)
      for (const precision of ['float64', 'float32'] as const)
        for (const stable of [true, false])
          for (const a of extremes)
            for (const b of extremes) {
              const {scores, shifted, parts, weights, sum, shift} = core.weigh([a, b], {
                ...options,
                method,
                precision,
                stable,
              });
              for (const {value} of [...scores, ...shifted, ...parts, ...weights, sum, shift]) {
                expect(Number.isFinite(value) && !Object.is(value, -0)).toBe(true);
              }
            }
  });

  it('refuses bad arguments with a code and a sentence', () => {
    expect(refused(() => core.weigh([], options))).toBe(
      'invalid_argument: scores: expected at least one number, got none',
    );
    expect(refused(() => core.weigh([1, NaN], options))).toBe(
      'invalid_argument: scores[1]: expected a finite number, got NaN',
    );
    expect(refused(() => core.weigh([1], {...options, temperature: -2.5}))).toBe(
      'invalid_argument: temperature: expected a finite number above 0, got -2.5',
    );
    expect(refused(() => core.weigh([1], {...options, method: 'hard' as 'share'}))).toBe(
      'invalid_argument: weigh: expected share, shift, softmax, got hard',
    );
    expect(refused(() => core.weigh(null as unknown as number[], options))).toBe(
      'invalid_argument: weigh: expected an array, got null',
    );
  });
});

describe('same digits everywhere', () => {
  const native = (program: string) =>
    execFileSync(`build/native/${program}`, {encoding: 'utf8', maxBuffer: 1 << 24}).trim();

  it('the module gives the native result of every case, bit for bit', () => {
    const cases = JSON.parse(native('attn_cases')) as CoreCase[];
    // Runs of the variance experiment are kept in TypeScript; their parts are calls of their own.
    const {varianceRuns, ...experiments} = scaling;
    expect(varianceRuns).toBeTypeOf('function');
    const calls = {...core, ...experiments};
    expect(new Set(cases.map(({call}) => call))).toEqual(new Set(Object.keys(calls)));
    expect(replay(calls, cases)).toEqual([]);
  });

  it('a result that is off by one bit is found', () => {
    const wrong: CoreCase[] = [
      {call: 'exp', args: [1], result: 2.7182818284590455},
      {
        call: 'cosine',
        args: [
          [1, 0],
          [1, 0],
        ],
        result: 1,
      },
    ];
    expect(replay(core, wrong)).toEqual([
      'case 0, exp: expected 2.7182818284590455, got 2.718281828459045',
    ]);
  });

  it('one digest over 100,000 results and more: scalar, vectorised, WebAssembly', async () => {
    const plain = native('attn_digest');
    expect(Number(plain.split(' ')[1])).toBeGreaterThan(100_000);
    if (process.arch === 'x64')
      expect([plain, 'unsupported']).toContain(native('attn_digest_avx2'));
    const path = '../../build/wasm/attn_digest.mjs';
    const {default: create} = (await import(path)) as {
      default: Parameters<typeof moduleDigest>[0];
    };
    expect(await moduleDigest(create, readFileSync('build/wasm/attn_digest.wasm'))).toBe(plain);
  });
});

describe('masks', () => {
  it('count the visible keys, and never give NaN for a row without any', () => {
    const mask = core.pastMask({...past, sequence: [-1, 0, 0]});
    const scores = matrix([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    for (const emptyRow of ['zero', 'self', 'mean'] as const) {
      const {rows, weights} = core.maskedWeights(scores, mask, {masking: 'infinity', emptyRow});
      expect(rows.map(({visible}) => visible)).toEqual([0, 1, 2]);
      expect(rows[0]!.sum).toBe(emptyRow === 'zero' ? 0 : 1);
      expect([...weights.data].every(Number.isFinite)).toBe(true);
      expect(rowsOf(weights)[1]).toEqual([0, 1, 0]);
    }
  });

  it('refuse a window of 0, a mask of other numbers, an unknown way of hiding', () => {
    expect(refused(() => core.pastMask({...past, sequence: [0], window: 0}))).toBe(
      'invalid_argument: window: expected at least 1, got 0',
    );
    const one = matrix([[1]]);
    expect(
      refused(() => core.maskedWeights(one, one, {masking: 'infinity', emptyRow: 'zero'})),
    ).toBe('invalid_argument: mask(0, 0): expected 0 or -Infinity, got 1');
    expect(
      refused(() => core.maskedWeights(one, one, {masking: 'no' as 'zero', emptyRow: 'zero'})),
    ).toContain('maskedWeights: expected infinity, zero');
  });
});

describe('matrices', () => {
  const q = matrix([[1, 1, 1, 1]]);
  const k = matrix([
    [1, 1, 0, 0],
    [1, -1, 0, 0],
  ]);
  const v = matrix([[10], [20]]);

  it('a mask may be a matrix; hidden keys have weight exactly 0', () => {
    const {weights, output} = core.attention(q, k, v, {
      scaled: true,
      mask: matrix([[-Infinity, 0]]),
    });
    expect(rowsOf(weights)).toEqual([[0, 1]]);
    expect(rowsOf(output)).toEqual([[20]]);
  });

  it('shapes that disagree are refused, and both are named', () => {
    expect(refused(() => core.attention(q, k, v, {scaled: true, mask: 'causal'}))).toBe(
      'invalid_argument: mask: expected (1, 2), got (1, 1)',
    );
    expect(refused(() => core.product(q, {...k, rows: 3}))).toBe(
      'invalid_argument: product: expected rows * cols numbers, got 8',
    );
    expect(refused(() => core.product(q, {...k, rows: -2, cols: -4}))).toBe(
      'invalid_argument: product: expected rows * cols numbers, got 8',
    );
    expect(refused(() => core.product(q, undefined as unknown as typeof k))).toBe(
      'invalid_argument: product: expected {data, rows, cols}, got undefined',
    );
  });

  it('wrong types are refused before they reach the core', () => {
    const wrong = (value: unknown) => value as never;
    const matrixLike = {data: [1], rows: 1, cols: 1};
    expect(refused(() => core.jacobian(...(wrong([]) as [never])))).toBe(
      'invalid_argument: jacobian: function jacobian called with 0 arguments, expected 1 args!',
    );
    expect(refused(() => core.pastMask(wrong({sequence: [0]})))).toBe(
      'invalid_argument: pastMask: Missing field:  "window"',
    );
    expect(refused(() => core.weigh(wrong(['x']), options))).toBe(
      'invalid_argument: scores[0]: expected a finite number, got NaN',
    );
    expect(refused(() => core.product(wrong({data: 1, rows: 1, cols: 1}), k))).toBe(
      'invalid_argument: product: expected an array, got 1',
    );
    expect(refused(() => core.attention(q, k, v, {scaled: true, mask: wrong('all')}))).toBe(
      'invalid_argument: attention: expected none, causal, self, got all',
    );
    expect(refused(() => core.attention(q, k, v, {scaled: true, mask: wrong(null)}))).toBe(
      'invalid_argument: attention: expected {data, rows, cols}, got null',
    );
    expect(rowsOf(core.product(wrong(matrixLike), matrix([[3]])))).toEqual([[3]]);
  });

  it('a list too long for the memory is refused, and the next call works', () => {
    expect(refused(() => core.weigh(Array<number>(2 ** 32 - 1), options))).toBe(
      'invalid_argument: weigh: expected at most 134217728 items, got 4294967295',
    );
    const ones = new Float64Array(40_000).fill(1); // 1·1ᵀ would be 12.8 GB
    const column = {data: ones, rows: ones.length, cols: 1};
    const row = {data: ones, rows: 1, cols: ones.length};
    expect(refused(() => core.product(column, row))).toBe('internal: std::bad_alloc');
    expect(core.cosine([1, 0], [1, 0])).toBe(1);
  });

  it('memory may grow between arguments and results', async () => {
    const fresh = await coreFromBuild();
    const [n, ones] = [1500, new Float64Array(1500).fill(1)];
    // 1ᵀ·1: arguments of 24 kB make a result of 18 MB, which is more than the module's initial
    // memory.
    const {data, rows, cols} = fresh.product(
      {data: ones, rows: n, cols: 1},
      {data: ones, rows: 1, cols: n},
    );
    expect([rows, cols, data.every((x) => x === 1)]).toEqual([n, n, true]);
  });

  it('results are copies that later calls do not change', () => {
    const first = core.product(q, matrix([[1], [2], [3], [4]]));
    core.product(matrix([Array(300).fill(7)]), matrix(Array(300).fill(Array(300).fill(7))));
    expect(rowsOf(first)).toEqual([[10]]);
  });
});

describe('experiments', () => {
  it('refuse arguments out of range, and name them', () => {
    const run = {dims: [4], seed: 1, samples: 10, keys: 5};
    expect(refused(() => scaling.variance({...run, dims: [4, 2.5]}))).toBe(
      'invalid_argument: variance: expected whole numbers, got 2.5',
    );
    expect(refused(() => scaling.initSweep({dims: [32], sigma: NaN, seed: 1}))).toBe(
      'invalid_argument: sigma: expected a number above 0, at most 10, got NaN',
    );
  });
});

describe('a page that calls two hundred thousand times', () => {
  it('leaks neither module memory nor handles', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = () => {
      collect();
      const {heapUsed, arrayBuffers} = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const call = (times: number) => {
      for (let i = 0; i < times; i++) {
        // One call in a hundred is refused; it must not leak either.
        if (i % 100) core.weigh([i % 7, 1], options);
        else refused(() => core.weigh([], options));
      }
    };
    call(10_000);
    const before = heap();
    call(200_000);
    // One byte per call is far less than any leaked handle, string or vector.
    expect(heap() - before).toBeLessThan(200_000);
  });
});

describe('matrix', () => {
  it('keeps rows in both directions and refuses ragged ones', () => {
    expect(
      matrix([
        [1, 2, 3],
        [4, 5, 6],
      ]),
    ).toEqual({data: new Float64Array([1, 2, 3, 4, 5, 6]), rows: 2, cols: 3});
    expect(
      rowsOf(
        matrix([
          [1, 2],
          [3, 4],
          [5, 6],
        ]),
      ),
    ).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(() => matrix([[1], [1, 2]])).toThrow('rows[1]: expected 1 numbers, got 2');
  });
});
