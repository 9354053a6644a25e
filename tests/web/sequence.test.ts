import {readFileSync} from 'node:fs';
import {beforeAll, expect, it} from 'vitest';
import {matrix, rowsOf} from '../../web/core.js';
import {loadSequence, type Sequence} from '../../web/sequence.js';

let sequence: Sequence;
beforeAll(async () => {
  sequence = await loadSequence({wasmBinary: readFileSync('build/wasm/attn_sequence.wasm')});
});

it('rotates the first pair by the position in radians, and no other column', () => {
  const [row] = rowsOf(
    sequence.rotate(matrix([[1, 0, 5]]), {positions: [2], rotated: 2, base: 10000}),
  );
  expect(row?.[0]).toBeCloseTo(Math.cos(2), 15);
  expect(row?.[1]).toBeCloseTo(Math.sin(2), 15);
  expect(row?.[2]).toBe(5);
});

it('names the refused argument', () => {
  expect(() =>
    sequence.rotate(matrix([[1, 0]]), {positions: [1.5], rotated: 2, base: 10000}),
  ).toThrow('positions[0]: expected a whole number, at most 2^20 from 0, got 1.5');
});

it('gives equal scores at equal distances: 12 digits up to position 10⁴, 10 up to 10⁶', () => {
  const q = matrix([[0.3, -1.2, 0.8, 0.5, -0.7, 1.1, 0.2, 0.9]]);
  const k = matrix([[1, 0.4, -0.6, 0.7, 0.9, -0.3, 1.3, -0.8]]);
  const score = (m: number, n: number) => {
    const turn = (x: typeof q, at: number) =>
      sequence.rotate(x, {positions: [at], rotated: 8, base: 10000});
    return sequence.rowProducts(turn(q, m), turn(k, n))[0]!;
  };
  for (const distance of [0, 1, 3, 100]) {
    const near = score(distance, 0);
    for (const at of [1, 77, 5000, 9900]) {
      expect(Math.abs(score(at + distance, at) - near)).toBeLessThan(1e-12 * (1 + Math.abs(near)));
    }
    for (const at of [123456, 999900]) {
      expect(Math.abs(score(at + distance, at) - near)).toBeLessThan(1e-10 * (1 + Math.abs(near)));
    }
  }
});

it('adds sinusoidal codes and rows of a table; one seed gives one matrix', () => {
  const x = matrix([[10, 20]]);
  const [row] = rowsOf(sequence.addSinusoidal(x, {positions: [3], base: 10000}));
  expect(row?.[0]).toBeCloseTo(10 + Math.sin(3), 14);
  expect(row?.[1]).toBeCloseTo(20 + Math.cos(3), 14);
  const table = matrix([
    [1, 2],
    [3, 4],
  ]);
  expect(rowsOf(sequence.addTableRows(x, table, [1]))).toEqual([[13, 24]]);
  expect(() => sequence.addTableRows(x, table, [2])).toThrow(
    'positions[0]: expected a row of the table, 0 to 1, got 2',
  );
  expect(sequence.wavelengths(4, 10000)[1]).toBeCloseTo(200 * Math.PI, 9);
  const drawn = () => sequence.normalMatrix({rows: 2, cols: 3, std: 1, seed: 5, stream: 0});
  expect(drawn()).toEqual(drawn());
});

it('folds an up-projection into the query', () => {
  // Keys 3·(1, 2) and −(1, 2); query (4, 5): 42 and −14; folded 4·1 + 5·2.
  const scores = sequence.latentScores([4, 5], matrix([[3], [-1]]), matrix([[1, 2]]), {
    rotated: 0,
    base: 10000,
  });
  expect(scores).toEqual({
    keys: matrix([
      [3, 6],
      [-1, -2],
    ]),
    expanded: [42, -14],
    folded: matrix([[14], [14]]),
    each: [42, -14],
    once: [42, -14],
    eachError: 0,
    onceError: 0,
  });
  expect(() =>
    sequence.latentScores([1], matrix([[1]]), matrix([[1, 2]]), {rotated: 0, base: 10000}),
  ).toThrow('query: expected 2 numbers, got 1');
});

it('lets a sink take its share and a gate multiply the rest', () => {
  // Three equal parts; one of them is the sink's.
  const trace = sequence.softmaxWithSink([2, 2], {sink: 2, gate: 0.5});
  for (const weight of [...trace.weights, trace.sinkWeight]) expect(weight).toBeCloseTo(1 / 3, 15);
  expect(trace.total).toBeCloseTo(2 / 3, 15);
  expect(trace.taken[0]).toBeCloseTo(1 / 6, 15);
  expect(trace.takenTotal).toBeCloseTo(1 / 3, 15);
  expect(trace.slope).toBeCloseTo(-2 / 9, 15);
  expect(() => sequence.softmaxWithSink([1], {sink: 0, gate: 2})).toThrow(
    'gate: expected a number, 0 to 1, got 2',
  );
});

it('computes a recurrent state, and the effect of the first one on each step', () => {
  const {states, reach} = sequence.recurrence(matrix([[1], [0]]), {
    input: matrix([[0.5]]),
    state: matrix([[0.9]]),
  });
  const first = Math.tanh(0.5);
  const second = Math.tanh(0.9 * first);
  expect(states.data[0]).toBeCloseTo(first, 15);
  expect(states.data[1]).toBeCloseTo(second, 15);
  expect(reach[0]).toBe(1);
  expect(reach[1]).toBeCloseTo(0.9 * (1 - second * second), 15);
  expect(sequence.serialCost(3, 0.5)).toEqual({steps: 3, updates: 2, left: 0.25});
  expect(() => sequence.serialCost(0, 0.5)).toThrow('length');
});
