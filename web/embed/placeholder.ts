// An empty tag reserves the height that its widget will take, so that the page doesn't jump when
// the core is loaded.

import {onceSettled} from './drawn.js';
import heights from './heights.json';

/**
 * By tag: width and height in turn; from that width on, that height. `npm run heights` measures.
 */
const steps: Record<string, readonly number[]> = heights;

function heightAt(tag: string, width: number): number {
  let height = 0;
  const measured = steps[tag] ?? [];
  for (let i = 0; i < measured.length && (i === 0 || (measured[i] ?? 0) <= width); i += 2)
    height = measured[i + 1] ?? 0;
  return height;
}

const HOLDING: Partial<CSSStyleDeclaration> = {
  display: 'block',
  boxSizing: 'border-box',
  marginBlock: '1.6rem',
  border: '1px solid #8884',
  borderRadius: '8px',
};

/** Each gives its room back when it is drawn, or stays as it is for good. */
export function reserve(widgets: readonly Element[]): void {
  const empty = widgets.filter(
    (widget): widget is HTMLElement =>
      widget instanceof HTMLElement &&
      widget.childElementCount === 0 &&
      !widget.textContent?.trim(),
  );
  for (const {style} of empty) Object.assign(style, HOLDING);
  // All widths are read before a height is set: a read between two writes costs a layout.
  const widthsNow = empty.map((widget) => widget.getBoundingClientRect().width);
  empty.forEach((widget, i) => {
    widget.style.minHeight = `${heightAt(widget.localName, widthsNow[i] ?? 0)}px`;
    onceSettled(widget, () => {
      for (const name of [...Object.keys(HOLDING), 'minHeight'])
        widget.style[name as 'display'] = '';
    });
  });
}
