import {readFileSync} from 'node:fs';
import {beforeAll, expect, it} from 'vitest';
import {matrix, rowsOf} from '../../web/core.js';
import {loadSequence, type Sequence} from '../../web/sequence.js';

let sequence: Sequence;
beforeAll(async () => {
  sequence = await loadSequence({wasmBinary: readFileSync('build/wasm/attn_sequence.wasm')});
});

it('turns the first pair by the position in radians and leaves the rest', () => {
  const [row] = rowsOf(
    sequence.rotate(matrix([[1, 0, 5]]), {positions: [2], rotated: 2, base: 10000}),
  );
  expect(row?.[0]).toBeCloseTo(Math.cos(2), 15);
  expect(row?.[1]).toBeCloseTo(Math.sin(2), 15);
  expect(row?.[2]).toBe(5);
});

it('says what it refuses', () => {
  expect(() =>
    sequence.rotate(matrix([[1, 0]]), {positions: [1.5], rotated: 2, base: 10000}),
  ).toThrow('positions[0]: expected a whole number, at most 2^20 from 0, got 1.5');
});

it('walks a recurrent state, and says how far the first one reaches', () => {
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
