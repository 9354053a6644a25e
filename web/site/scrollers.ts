// What scrolls sideways is a stop for the keyboard. The build makes formulas and tables stops; the
// script takes the stop off those that fit the page.

const SCROLLERS = '.scroll, .katex-display';

function mark(box: HTMLElement): void {
  const broad = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  // A box that has the keyboard keeps it.
  if (broad || box === document.activeElement) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}

export function stopAtBroad(): void {
  const boxes = [...document.querySelectorAll<HTMLElement>(SCROLLERS)];
  // A part of the page that is not laid out yet has no sizes. It calls when it is.
  const observer = new ResizeObserver((entries) => {
    for (const {target} of entries) mark(target as HTMLElement);
  });
  for (const box of boxes) observer.observe(box);
  // Letters of another font change what is inside, not the box.
  document.fonts.addEventListener('loadingdone', () => {
    for (const box of boxes) if (box.checkVisibility({contentVisibilityAuto: true})) mark(box);
  });
}
