// Keys that a widget uses stay inside it, so that they do nothing else on the page around it: in
// slides the arrows turn pages, elsewhere a letter opens a search.

const TEXT = 'textarea, select, input:not([type=button], [type=checkbox], [type=radio])';
const PRESSED = 'button, summary, input, [role=button], [role=tab]';
const MOVED = '[type=radio], [role=slider], [role=tab], .scroll';

/** True for a key that the control with the focus uses. */
function isUsed(event: KeyboardEvent): boolean {
  const {key, target, ctrlKey, metaKey, altKey} = event;
  if (key === 'Escape' || key === 'Tab' || !(target instanceof Element)) return false;
  if (event.defaultPrevented) return true;
  // With Ctrl and Alt together, or with Alt, some keyboards write a sign.
  if (metaKey || (ctrlKey && !altKey)) return false;
  if (target.matches(TEXT)) return true;
  if (altKey) return false;
  if (key === ' ' || key === 'Enter') return target.matches(PRESSED);
  return /^(Arrow|Page|Home|End)/.test(key) && target.matches(MOVED);
}

export function keepKeys(root: EventTarget): void {
  for (const type of ['keydown', 'keypress', 'keyup'])
    root.addEventListener(type, (event) => {
      if (isUsed(event as KeyboardEvent)) event.stopPropagation();
    });
}
