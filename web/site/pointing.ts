// Pointing at a named thing (a token, q, √d, softmax) lights it wherever the page shows it: in
// formulas, sentences, pictures and the path of the data. The build and the widgets name things by
// data-thing. The focus lights as the mouse does; on a touch screen a tap does.

const NAMED = '[data-thing]';

function namesAt(event: Event): string[] {
  const path = event.composedPath();
  const hit = path.find(
    (target): target is Element => target instanceof Element && target.matches(NAMED),
  );
  const [first] = path;
  const inside =
    event.type === 'focusin' && first instanceof Element ? first.querySelector(NAMED) : null;
  return (hit ?? inside)?.getAttribute('data-thing')?.split(' ').filter(Boolean) ?? [];
}

/** Every mark with one of the names, those in the pictures of widgets included. */
function marksOf(names: readonly string[]): Element[] {
  if (names.length === 0) return [];
  const selector = names.map((name) => `[data-thing~="${CSS.escape(name)}"]`).join();
  const roots = [...document.querySelectorAll('[ready]')].map(({shadowRoot}) => shadowRoot);
  return [document, ...roots].flatMap((root) => [...(root?.querySelectorAll(selector) ?? [])]);
}

export function lightThings(): void {
  let lit: Element[] = [];
  let shown = '';
  let focused: string[] = [];
  const light = (names: readonly string[]) => {
    if (names.join() === shown) return;
    shown = names.join();
    for (const mark of lit) mark.removeAttribute('data-lit');
    lit = marksOf(names);
    for (const mark of lit) mark.setAttribute('data-lit', '');
  };
  document.addEventListener('focusin', (event) => light((focused = namesAt(event))));
  document.addEventListener('focusout', () => light((focused = [])));
  document.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'mouse') return;
    // A mouse at rest gets this event as well where the page scrolls to a mark with the focus.
    const names = namesAt(event);
    light(names.length > 0 ? names : focused);
  });
  document.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse') light(namesAt(event));
  });
}
