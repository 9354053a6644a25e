// Handles that a reader drags inside a picture: mouse, finger and arrow keys give the same values.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import {color, type Token} from './plot.js';

/** A point in the panel around a handle: share of its width (0 … 1) and pixels from its top. */
export interface Place {
  x: number;
  y: number;
}

export interface Dragging {
  /** Centre of the handle: per cent of the panel's width, and pixels. */
  x: number;
  y: number;
  token: Token;
  label: string;
  /** The value in words, for screen readers. */
  spoken: string;
  disabled?: boolean;
}

/** The step of a pressed key, or an end of the range. */
type KeyStep = {by: number} | {to: 'min' | 'max'};

interface Grip<Value> extends Dragging {
  spokenValue: number;
  min: number;
  max: number;
  /** The picture's own scale, inverted. A drag keeps the scale with which it began. */
  valueAt: (place: Place) => Value;
  dragged: (value: Value) => void;
  /** `across` is false for the up and down arrows. */
  keyed: (step: KeyStep, across: boolean) => void;
  done: () => void;
  /** It moves up and down too, so a finger that begins on it does not scroll the page. */
  upright?: boolean;
}

/** For a handle that is held: offset between finger and centre in screen pixels, and the scale. */
const held = new WeakMap<Element, {dx: number; dy: number; valueAt: (place: Place) => unknown}>();

/** Fingers need 44 px; the circle that is seen is smaller. */
const TARGET = 44;
const RADIUS = 9;

function centreOf(target: Element): {x: number; y: number} {
  const {left, top, width, height} = target.getBoundingClientRect();
  return {x: left + width / 2, y: top + height / 2};
}

/** The value under the finger, while the handle is held. */
function valueUnder(target: SVGGraphicsElement, event: PointerEvent): unknown {
  const grasp = held.get(target);
  const panel = target.ownerSVGElement?.ownerSVGElement;
  const screen = panel?.getScreenCTM();
  if (!grasp || !panel || !screen) return undefined;
  return grasp.valueAt({
    x: (event.clientX - grasp.dx - screen.e) / screen.a / panel.width.baseVal.value,
    y: (event.clientY - grasp.dy - screen.f) / screen.d,
  });
}

const KEYS: Record<string, {step: KeyStep; across: boolean}> = {
  ArrowRight: {step: {by: 1}, across: true},
  ArrowLeft: {step: {by: -1}, across: true},
  ArrowUp: {step: {by: 1}, across: false},
  ArrowDown: {step: {by: -1}, across: false},
  PageUp: {step: {by: 10}, across: true},
  PageDown: {step: {by: -10}, across: true},
  Home: {step: {to: 'min'}, across: true},
  End: {step: {to: 'max'}, across: true},
};

/** Browsers scroll at once unless a touch is refused; only a listener that is not passive may. */
const refused = {
  handleEvent: (event: Event) => event.preventDefault(),
  passive: false,
};

/** A circle with a target around it, in an `<svg>` of its own whose origin is its centre. */
export function grip<Value>(options: Grip<Value>): SVGTemplateResult {
  const {x, y, token, label, spoken, spokenValue, min, max, disabled = false} = options;
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || disabled) return;
    const target = event.currentTarget as SVGGraphicsElement;
    const centre = centreOf(target);
    const [dx, dy] = [event.clientX - centre.x, event.clientY - centre.y];
    held.set(target, {dx, dy, valueAt: options.valueAt});
    target.setPointerCapture(event.pointerId);
    target.focus({preventScroll: true});
  };
  const move = (event: PointerEvent) => {
    const value = valueUnder(event.currentTarget as SVGGraphicsElement, event);
    if (value !== undefined) options.dragged(value as Value);
  };
  const release = (event: PointerEvent) => {
    if (held.delete(event.currentTarget as Element)) options.done();
  };
  const key = (event: KeyboardEvent) => {
    const pressed = KEYS[event.key];
    if (!pressed || disabled || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const {step, across} = pressed;
    const coarse = event.shiftKey && 'by' in step && Math.abs(step.by) === 1;
    options.keyed(coarse ? {by: step.by * 10} : step, across);
    options.done();
  };
  return svg`<svg x="${x}%" y=${y} overflow="visible"><g
    class="handle" role="slider" tabindex=${disabled ? -1 : 0}
    aria-label=${label} aria-valuemin=${min} aria-valuemax=${max} aria-valuenow=${spokenValue}
    aria-valuetext=${spoken} aria-disabled=${disabled ? 'true' : 'false'}
    @pointerdown=${down} @pointermove=${move} @pointerup=${release} @pointercancel=${release}
    @keydown=${key} @touchstart=${options.upright ? refused : nothing}>
    <rect x=${-TARGET / 2} y=${-TARGET / 2} width=${TARGET} height=${TARGET}
    fill="none" pointer-events="all"/><circle r=${RADIUS} fill=${color('raised')}
    stroke=${color(token)} stroke-width="2.5"/></g></svg>`;
}

export const clamp = (value: number, low: number, high: number) =>
  Math.min(high, Math.max(low, value));

/** To the nearest multiple of `step`; twelve digits, so that 0.1 + 0.2 reads 0.3. */
export function snapped(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toPrecision(12));
}

export interface SlideHandle extends Dragging {
  value: number;
  min: number;
  max: number;
  /** Dragging and arrows go by this step, Shift and Page by ten of them. */
  step: number;
  /** Value at a share of the panel's width. */
  valueAt: (share: number) => number;
  /** While it moves. */
  move: (value: number) => void;
  /** Once it is let go, and after every key. */
  done: () => void;
}

/** A handle that moves from left to right. */
export function slideHandle(options: SlideHandle): SVGTemplateResult {
  const {value, min, max, step} = options;
  const put = (next: number) => options.move(clamp(snapped(next, step), min, max));
  return grip<number>({
    ...options,
    spokenValue: value,
    valueAt: ({x}) => options.valueAt(x),
    dragged: put,
    keyed: (pressed) => {
      if ('to' in pressed) options.move(pressed.to === 'min' ? min : max);
      // An exact value between two steps keeps its fraction, as in a number box.
      else options.move(clamp(Number((value + pressed.by * step).toPrecision(12)), min, max));
    },
  });
}
