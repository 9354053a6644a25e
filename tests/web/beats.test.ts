import {describe, expect, test} from 'vitest';
import {beat, linearBeat, nearestStop, nextStop} from '../../web/shared/beats.js';

describe('beats cut a playhead into parts', () => {
  test('a beat is 0 before it starts, 1 after it ends, and halfway in its middle', () => {
    for (const part of [beat, linearBeat]) {
      expect(part(0.1, 0.2, 0.6)).toBe(0);
      expect(part(0.9, 0.2, 0.6)).toBe(1);
      // 0.4 is the middle of 0.2 … 0.6, and the ease is symmetric about it.
      expect(part(0.4, 0.2, 0.6)).toBeCloseTo(0.5, 12);
    }
  });

  test('the cubic ease at a quarter is 4 × 0.25³ = 0.0625', () => {
    expect(beat(0.25, 0, 1)).toBeCloseTo(0.0625, 12);
  });

  test('a beat never decreases and stays within 0 … 1', () => {
    let last = -1;
    for (let i = 0; i <= 1000; i++) {
      const now = beat(i / 1000, 0.13, 0.77);
      expect(now).toBeGreaterThanOrEqual(last);
      expect(now).toBeLessThanOrEqual(1);
      last = now;
    }
  });
});

describe('stops', () => {
  const stops = [
    {at: 0, name: 'a'},
    {at: 0.25, name: 'b'},
    {at: 1, name: 'c'},
  ];

  test('finds the next stop in each direction, and the ends beyond the last', () => {
    expect(nextStop(stops, 0, 1)).toBe(0.25);
    expect(nextStop(stops, 0.25, 1)).toBe(1);
    expect(nextStop(stops, 0.25, -1)).toBe(0);
    expect(nextStop(stops, 1, 1)).toBe(1);
    expect(nextStop(stops, 0, -1)).toBe(0);
  });

  test('moves on from a value that rounding put beside a stop', () => {
    expect(nextStop(stops, 0.25 - 1e-9, 1)).toBe(1);
    expect(nextStop(stops, 0.25 + 1e-9, -1)).toBe(0);
  });

  test('finds the nearest stop', () => {
    expect(nearestStop(stops, 0.1)).toBe(0);
    expect(nearestStop(stops, 0.2)).toBe(1);
    expect(nearestStop(stops, 0.9)).toBe(2);
  });
});
