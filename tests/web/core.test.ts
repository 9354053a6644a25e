import {readFile} from 'node:fs/promises';
import {beforeAll, describe, expect, it} from 'vitest';
import {CoreError, loadCore, matrix, rowsOf, type Core, type WeighOptions} from '../../web/core.js';

let core: Core;
beforeAll(async () => {
  const wasmBinary = await readFile(new URL('../../build/wasm/attn_core.wasm', import.meta.url));
  core = await loadCore({wasmBinary});
});

const options: WeighOptions = {
  method: 'softmax',
  temperature: 1,
  offset: 0,
  precision: 'float64',
  stable: true,
};

describe('weigh', () => {
  it('keeps every step of softmax', () => {
    // Worked by hand: 8 − 9, 7 − 9, 9 − 9, then e⁻¹, e⁻², e⁰ over their sum.
    const trace = core.weigh([8, 7, 9], options);
    expect(trace.shift).toBe(9);
    expect(trace.shifted).toEqual([-1, -2, 0]);
    expect(trace.weights.map((w) => w.toFixed(4))).toEqual(['0.2447', '0.0900', '0.6652']);
    expect(trace).toMatchObject({
      defined: true,
      valid: true,
      sumStatus: 'ok',
      maxWeight: trace.weights[2],
    });
  });

  it('names what overflows and what is undefined, and gives 0 for it', () => {
    const trace = core.weigh([88.8, 100, 102], {...options, precision: 'float32', stable: false});
    expect(trace.parts).toEqual([0, 0, 0]);
    expect(trace.partStatus).toEqual(['overflow', 'overflow', 'overflow']);
    expect(trace.weightStatus).toEqual(['undefined', 'undefined', 'undefined']);
    expect(trace).toMatchObject({
      defined: false,
      valid: false,
      entropy: null,
      maxWeight: null,
      jacobianNorm: null,
    });
  });

  it('gives nothing but numbers whatever finite scores it is given', () => {
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
              for (const x of [...scores, ...shifted, ...parts, ...weights, sum, shift]) {
                expect(Number.isFinite(x) && !Object.is(x, -0)).toBe(true);
              }
            }
  });

  it('refuses bad arguments with a code and a sentence', () => {
    const refused = (run: () => unknown) => {
      try {
        run();
      } catch (error) {
        expect(error).toBeInstanceOf(CoreError);
        return `${(error as CoreError).code}: ${(error as CoreError).message}`;
      }
      return 'accepted';
    };
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
      'invalid_argument: method: expected share, shift, softmax, got hard',
    );
    expect(refused(() => core.weigh(null as unknown as number[], options))).toBe(
      'invalid_argument: scores: expected an array of numbers, got object',
    );
  });
});

describe('matrix', () => {
  it('keeps rows through both directions and refuses ragged ones', () => {
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
