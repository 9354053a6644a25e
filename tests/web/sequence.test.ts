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
