// Painting on the board of <attn-mask>: a press chooses a row, a press that moves paints, and in
// the chosen row a press turns one cell over. Arrows and space do the same.

import {codeOf} from './state.js';

/** The responses of the widget; rows are counted over all blocks, from 0. */
export interface Painted {
  readonly rows: () => number;
  readonly columns: () => number;
  /** Row that is explained. */
  readonly chosen: () => number;
  readonly masked: (row: number, column: number) => boolean;
  readonly choose: (row: number) => void;
  /** Hides or shows cells. The picture follows at once, the rest with `done`. */
  readonly paint: (codes: readonly number[], hide: boolean, row: number) => void;
  readonly done: () => void;
  /** Moves the focus to a cell. */
  readonly focus: (code: number) => void;
}

/** How the board answers a reader. */
export interface MaskTouch {
  /** Code of the cell that the tab key reaches. */
  readonly cursor: number;
  readonly down: (event: PointerEvent) => void;
  readonly moved: (event: PointerEvent) => void;
  readonly up: (event: PointerEvent) => void;
  readonly key: (event: KeyboardEvent) => void;
}

interface Place {
  row: number;
  /** −1 is the row's name. */
  column: number;
}

interface Press {
  readonly from: Place;
  last: Place;
  /** Whether cells are hidden or shown; null until the press has moved to another cell. */
  hide: boolean | null;
}

/** Rows and columns that a key moves by. */
const MOVES: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

const inside = (value: number, most: number) => Math.min(most, Math.max(0, value));

/** Cells on the straight way, so that a fast finger leaves none out. */
function between(from: Place, to: Place): Place[] {
  const [down, across] = [to.row - from.row, to.column - from.column];
  const steps = Math.max(Math.abs(down), Math.abs(across));
  return Array.from({length: steps}, (_, i) => ({
    row: from.row + Math.round((down * (i + 1)) / steps),
    column: from.column + Math.round((across * (i + 1)) / steps),
  }));
}

/** The cell under a pointer, which the board may have captured. */
function under({currentTarget, clientX, clientY}: PointerEvent): Place | null {
  const root = (currentTarget as Element).getRootNode() as ShadowRoot;
  const found = root.elementFromPoint(clientX, clientY)?.closest<SVGElement>('[data-cell]');
  const code = Number(found?.dataset['cell']);
  return found ? {row: Math.floor(code / 100) - 1, column: (code % 100) - 1} : null;
}

export class Painter {
  #column = 0;
  #press: Press | null = null;

  constructor(private readonly host: Painted) {}

  touch(): MaskTouch {
    const {row, column} = this.#cursor();
    return {
      cursor: codeOf(row, column),
      down: this.#down,
      moved: this.#moved,
      up: this.#up,
      key: this.#key,
    };
  }

  /** The cell that has the focus or would get it, in the row that is explained. */
  #cursor(): Place {
    return {row: this.host.chosen(), column: inside(this.#column, this.host.columns() - 1)};
  }

  readonly #down = (event: PointerEvent): void => {
    const from = event.button === 0 && under(event);
    if (!from) return;
    this.#press = {from, last: from, hide: null};
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };

  readonly #moved = (event: PointerEvent): void => {
    const press = this.#press;
    const at = press && under(event);
    if (!at || at.column < 0) return;
    const {last, from} = press;
    const columns = this.host.columns();
    const blockOf = ({row}: Place) => Math.floor(row / columns);
    const way = between(last, at);
    if (way.length === 0 || blockOf(at) !== blockOf(last)) return;
    if (press.hide === null) way.unshift(from);
    const cells = way.filter(({column}) => column >= 0);
    const [first = at] = cells;
    press.hide ??= !this.host.masked(first.row, first.column);
    press.last = at;
    this.#column = at.column;
    this.host.paint(
      cells.map(({row, column}) => codeOf(row, column)),
      press.hide,
      at.row,
    );
  };

  /** A press ends; or a vertical swipe became the page's, and what it had painted before stays. */
  readonly #up = ({type}: PointerEvent): void => {
    const press = this.#press;
    this.#press = null;
    if (!press) return;
    const {hide, from} = press;
    if (hide !== null) this.host.done();
    else if (type === 'pointerup') {
      this.#column = Math.max(0, from.column);
      if (from.column >= 0 && from.row === this.host.chosen()) this.#turn(from);
      else this.host.choose(from.row);
    }
  };

  readonly #key = (event: KeyboardEvent): void => {
    const at = this.#cursor();
    const move = MOVES[event.key];
    const turns = event.key === ' ' || event.key === 'Enter';
    if ((!move && !turns) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!move) return this.#turn(at);
    const row = inside(at.row + move[0], this.host.rows() - 1);
    this.#column = inside(at.column + move[1], this.host.columns() - 1);
    this.host.choose(row);
    this.host.focus(codeOf(row, this.#column));
  };

  #turn({row, column}: Place): void {
    this.host.paint([codeOf(row, column)], !this.host.masked(row, column), row);
    this.host.done();
  }
}
