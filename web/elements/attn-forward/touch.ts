// Pointing at the values of <attn-forward>: a mouse that passes reads a value, a press or a drag
// and the arrow keys choose it.

import type {DetailTouch, Spot} from './detail.js';

/** The responses of the widget. */
export interface Pointed {
  /** Positions that have a row, by index. */
  readonly rows: () => readonly number[];
  readonly columns: () => number;
  readonly chosen: () => Spot;
  /** Chooses a value; the picture follows at once, the rest with `done`. */
  readonly choose: (spot: Spot) => void;
  readonly done: () => void;
  readonly redraw: () => void;
}

/** Rows and columns that a key moves by. */
const MOVES: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [0, 10],
  PageDown: [0, -10],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

const inside = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));

export class Pointer {
  #spot: Spot | null = null;
  #held = false;

  constructor(private readonly host: Pointed) {}

  touch(): DetailTouch {
    return {
      spot: this.#spot,
      down: this.#down,
      moved: this.#moved,
      up: this.#up,
      left: this.#left,
      key: this.#key,
    };
  }

  /** The value under a pointer, which the values may have captured. */
  #under({currentTarget, clientX, clientY}: PointerEvent): Spot {
    const {left, top, width, height} = (currentTarget as Element).getBoundingClientRect();
    const rows = this.host.rows();
    const columns = this.host.columns();
    const at = (share: number, count: number) => inside(Math.floor(share * count), count);
    return {
      row: rows[at((clientY - top) / height, rows.length)] ?? 0,
      column: at((clientX - left) / width, columns),
    };
  }

  readonly #down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.#held = true;
    this.#spot = null;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.host.choose(this.#under(event));
  };

  readonly #moved = (event: PointerEvent): void => {
    if (this.#held) this.host.choose(this.#under(event));
    else if (event.pointerType === 'mouse') this.#point(this.#under(event));
  };

  readonly #up = (): void => {
    if (!this.#held) return;
    this.#held = false;
    this.host.done();
  };

  readonly #left = (): void => {
    if (!this.#held) this.#point(null);
  };

  #point(spot: Spot | null): void {
    this.#spot = spot;
    this.host.redraw();
  }

  readonly #key = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const rows = this.host.rows();
    const {row, column} = this.host.chosen();
    const far = event.shiftKey ? 10 : 1;
    this.#spot = null;
    this.host.choose({
      row: rows[inside(rows.indexOf(row) + move[0], rows.length)] ?? row,
      column: inside(column + far * move[1], this.host.columns()),
    });
    this.host.done();
  };
}
