// A tag without content of its own holds the room that its widget will take, so that the page doesn't
// jump when the core comes.

import {onceSettled} from './drawn.js';
import heights from './heights.json';

/** Heights in pixels at each of `widths`; measured by `npm run heights` for the tag's own defaults. */
const {widths, ...measured} = heights as {widths: number[]} & Record<string, number[]>;

/** Between two measured widths, the height between theirs; beyond them, the nearest. */
function heightAt(tag: string, width: number): number {
  const at = measured[tag] ?? [];
  const next = widths.findIndex((each) => each >= width);
  const [to = at.at(-1) ?? 0, from = to] = [at[next], at[next - 1]];
  const [right = 1, left = 0] = [widths[next], widths[next - 1]];
  return Math.round(from + ((to - from) * (width - left)) / (right - left));
}

const HOLDING: Partial<CSSStyleDeclaration> = {display: 'block', boxSizing: 'border-box', marginBlock: '1.6rem', border: '1px solid #8884', borderRadius: '8px'};

/** Each gives its room back when it is drawn, or stays as it is for good. */
export function reserve(widgets: readonly Element[]): void {
  const empty = widgets.filter((widget): widget is HTMLElement => widget instanceof HTMLElement && widget.childElementCount === 0 && !widget.textContent?.trim());
  for (const {style} of empty) Object.assign(style, HOLDING);
  // All widths before the first height: reading one between two writes lays the page out anew each time.
  const widthsNow = empty.map((widget) => widget.getBoundingClientRect().width);
  empty.forEach((widget, i) => {
    widget.style.minHeight = `${heightAt(widget.localName, widthsNow[i] ?? 0)}px`;
    onceSettled(widget, () => {
      for (const name of [...Object.keys(HOLDING), 'minHeight']) widget.style[name as 'display'] = '';
    });
  });
}
