// Decides how many threads make a step; the digits are the same with each number. Where the cores
// have other work, two threads can be slower than one, since each waits for the other. So some
// steps are timed with all threads and some with one, at the beginning of a run and again after
// every hundredth step, and the quicker number makes the steps in between.

/** Steps before the first timed one: the browser is still compiling the module. */
const WARM_UP = 2;
/** Steps from one round of timed steps to the next. */
const ROUND = 100;
/** A load that grows or falls slowly counts for both alike in this order. */
const TIMED = ['all', 'one', 'one', 'all', 'all', 'one', 'one', 'all'] as const;

export type Times = Readonly<Record<'all' | 'one', readonly number[]>>;

/** A step that was interrupted once changes no median. */
function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** True if steps with all threads are shorter than steps with one. */
export const helpersPay = ({all, one}: Times): boolean => median(all) < median(one);

export class Crew {
  readonly #most: number;
  #quicker: number;
  /** Steps of this crew. */
  #steps = 0;
  #times = {all: [] as number[], one: [] as number[]};

  /** @param most  the threads that there are */
  constructor(most: number) {
    this.#most = most;
    this.#quicker = most;
  }

  /** The number that makes most steps. */
  get quicker(): number {
    return this.#quicker;
  }

  /** The number for the next step. */
  get next(): number {
    const timed = this.#timed;
    return timed ? {all: this.#most, one: 1}[timed] : this.#quicker;
  }

  get #timed(): 'all' | 'one' | undefined {
    return TIMED[(this.#steps - WARM_UP) % ROUND];
  }

  /** The next step was made, in this time. */
  made(seconds: number): void {
    const timed = this.#timed;
    this.#steps++;
    if (!timed) return;
    this.#times[timed].push(seconds);
    if (this.#timed) return;
    this.#quicker = helpersPay(this.#times) ? this.#most : 1;
    this.#times = {all: [], one: []};
  }
}
