// The number of threads for each step of a run.
import {describe, expect, it} from 'vitest';
import {Crew, helpersPay} from '../../web/training/crew.js';

/** The threads of `steps` steps, if a step takes `seconds` with a number of threads. */
function threadsOf(crew: Crew, steps: number, seconds: (threads: number, step: number) => number) {
  return Array.from({length: steps}, (_, step) => {
    const threads = crew.next;
    crew.made(seconds(threads, step));
    return threads;
  });
}

const count = (threads: readonly number[], of: number) => threads.filter((n) => n === of).length;
const [quiet, loaded] = [(n: number) => (n > 1 ? 0.1 : 0.18), (n: number) => (n > 1 ? 0.25 : 0.18)];

describe('helpersPay', () => {
  it('compares the middle times, so that one interrupted step decides nothing', () => {
    expect(helpersPay({all: [0.1, 0.1, 0.1, 9], one: [0.18, 0.18, 0.18, 0.18]})).toBe(true);
    expect(helpersPay({all: [0.25, 0.25, 0.25, 0.25], one: [9, 0.18, 0.18, 0.18]})).toBe(false);
    // The means of the two middle ones: 0.3 and 0.35.
    expect(helpersPay({all: [0.1, 0.4, 0.2, 0.9], one: [0.3, 0.4, 0.1, 0.9]})).toBe(true);
    expect(helpersPay({all: [3, 1, 2], one: [1.9]})).toBe(false);
  });

  it('takes one thread where two are not quicker', () => {
    expect(helpersPay({all: [0.2, 0.2], one: [0.2, 0.2]})).toBe(false);
  });
});

describe('a crew', () => {
  it('times four steps of each kind after two others, then keeps the quicker number', () => {
    const first = [2, 2, 2, 1, 1, 2, 2, 1, 1, 2];
    expect(threadsOf(new Crew(2), 14, quiet)).toEqual([...first, 2, 2, 2, 2]);
    expect(threadsOf(new Crew(2), 14, loaded)).toEqual([...first, 1, 1, 1, 1]);
  });

  it('times again after each hundred steps, and changes its mind when the load does', () => {
    const crew = new Crew(2);
    // The load ends at step 60: the rounds at 102 and at 202 find two threads quicker.
    const threads = threadsOf(crew, 300, (n, step) => (step < 60 ? loaded : quiet)(n));
    expect(crew.quicker).toBe(2);
    expect(new Set(threads.slice(10, 102))).toEqual(new Set([1]));
    expect(count(threads.slice(102, 110), 1)).toBe(4);
    expect(count(threads.slice(110), 1)).toBe(4);
  });

  it('spends at most 8 of 100 steps on times, and half of these with the slower number', () => {
    for (const seconds of [quiet, loaded]) {
      const crew = new Crew(2);
      const threads = threadsOf(crew, 1002, seconds);
      const slower = crew.quicker === 2 ? 1 : 2;
      expect(count(threads.slice(2), slower)).toBe(40);
    }
  });

  it('of one thread has one for each step', () => {
    expect(new Set(threadsOf(new Crew(1), 120, () => 0.2))).toEqual(new Set([1]));
  });
});
