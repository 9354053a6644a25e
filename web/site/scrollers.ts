// Makes boxes that scroll sideways reachable by the keyboard. The build gives formulas and tables a
// tab stop; this script removes it from those that fit the page.

const SCROLLERS = '.scroll, .katex-display';

function mark(box: HTMLElement): void {
  const broad = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  // A focused box keeps its tab stop.
  if (broad || box === document.activeElement) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}

export function stopAtBroad(): void {
  const boxes = [...document.querySelectorAll<HTMLElement>(SCROLLERS)];
  // A veiled box has no size. The observer reports it when the veil opens.
  const observer = new ResizeObserver((entries) => {
    for (const {target} of entries) mark(target as HTMLElement);
  });
  for (const box of boxes) observer.observe(box);
  // Another font changes the width of the content, not that of the box.
  document.fonts.addEventListener('loadingdone', () => {
    for (const box of boxes) if (box.checkVisibility({contentVisibilityAuto: true})) mark(box);
  });
}
