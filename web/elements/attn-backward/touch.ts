// The cells of <attn-backward> that answer a reader: a number is dragged sideways or changed by
// arrow keys, and a cell of the result is chosen.

import {svg, type SVGTemplateResult} from 'lit';
import {clamp, snapped} from '../../shared/handle.js';
import {type Input, LIMIT} from './state.js';

/** Callbacks for presses and drags in the pictures. Rows and columns are counted from 0. */
export interface BackwardTouch {
  readonly move: (input: Input, row: number, column: number, value: number) => void;
  readonly done: () => void;
  readonly choose: (row: number, column: number) => void;
}

const STEP = 0.1;
/** Pixels on the screen for a step. */
const PIXELS = 4;

/** For a held number: the place at which the press began, and the value at that moment. */
const held = new WeakMap<Element, {x: number; value: number}>();

/** The change of a pressed key, in steps; an end of the range. */
const KEYS: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: -Infinity,
  End: Infinity,
};

const withControl = ({ctrlKey, metaKey, altKey}: KeyboardEvent) => ctrlKey || metaKey || altKey;

/** A number that is dragged, around the drawing of its cell. */
export function dragCell(
  options: {label: string; spoken: string; value: number; set: (value: number) => void},
  done: () => void,
  content: SVGTemplateResult,
): SVGTemplateResult {
  const {label, spoken, value, set} = options;
  const put = (next: number) => set(clamp(Number(next.toPrecision(12)), LIMIT.min, LIMIT.max));
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const target = event.currentTarget as SVGGElement;
    held.set(target, {x: event.clientX, value});
    target.setPointerCapture(event.pointerId);
    target.focus({preventScroll: true});
  };
  const move = (event: PointerEvent) => {
    const grasp = held.get(event.currentTarget as Element);
    const steps = grasp ? Math.round((event.clientX - grasp.x) / PIXELS) : 0;
    // A press that has not moved keeps a value between two steps.
    if (grasp) put(steps === 0 ? grasp.value : snapped(grasp.value, STEP) + steps * STEP);
  };
  const up = (event: PointerEvent) => {
    if (held.delete(event.currentTarget as Element)) done();
  };
  const key = (event: KeyboardEvent) => {
    const by = KEYS[event.key];
    if (by === undefined || withControl(event)) return;
    event.preventDefault();
    put(value + by * STEP * (event.shiftKey && Math.abs(by) === 1 ? 10 : 1));
    done();
  };
  return svg`<g class="pick" role="slider" tabindex="0" aria-label=${label}
    aria-valuemin=${LIMIT.min} aria-valuemax=${LIMIT.max} aria-valuenow=${value}
    aria-valuetext=${spoken} @pointerdown=${down} @pointermove=${move} @pointerup=${up}
    @pointercancel=${up} @keydown=${key}>${content}</g>`;
}

const MOVES: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** A cell of a result; the arrows go from cell to cell. */
export function chooseCell(
  options: {
    row: number;
    column: number;
    rows: number;
    columns: number;
    lit: boolean;
    /** The tab key reaches one cell: the lit one, or the first. */
    reached: boolean;
    label: string;
    choose: (row: number, column: number) => void;
  },
  content: SVGTemplateResult,
): SVGTemplateResult {
  const {row, column, rows, columns, lit, reached, label, choose} = options;
  const key = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    const presses = event.key === 'Enter' || event.key === ' ';
    if ((!move && !presses) || withControl(event)) return;
    event.preventDefault();
    const next = [
      clamp(row + (move?.[0] ?? 0), 0, rows - 1),
      clamp(column + (move?.[1] ?? 0), 0, columns - 1),
    ] as const;
    const root = (event.currentTarget as Element).getRootNode() as ShadowRoot;
    choose(...next);
    root.querySelector<SVGGElement>(`[data-cell="${next.join()}"]`)?.focus();
  };
  return svg`<g class="pick" role="button" tabindex=${reached ? 0 : -1}
    aria-label=${label} aria-pressed=${lit ? 'true' : 'false'} data-cell=${`${row},${column}`}
    @click=${() => choose(row, column)} @keydown=${key}>${content}</g>`;
}
