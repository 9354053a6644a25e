// Shows the source of a number that the reader touches: its row of the page's table, as a card.

function numberAt(event: Event): HTMLAnchorElement | undefined {
  return event
    .composedPath()
    .find(
      (target): target is HTMLAnchorElement =>
        target instanceof HTMLAnchorElement && target.classList.contains('num'),
    );
}

export function showSources(): void {
  const card = document.createElement('div');
  card.className = 'card';
  card.id = 'number-card';
  card.setAttribute('role', 'note');
  card.hidden = true;
  document.body.append(card);
  let shownFor: HTMLAnchorElement | undefined;

  const hide = () => {
    card.hidden = true;
    shownFor?.removeAttribute('aria-describedby');
    shownFor = undefined;
  };
  const show = (number: HTMLAnchorElement) => {
    const row = document.getElementById(`num-${number.dataset['num'] ?? ''}`);
    const list = row?.querySelector('dl');
    if (!list || shownFor === number) return;
    hide();
    card.replaceChildren(list.cloneNode(true));
    card.hidden = false;
    shownFor = number;
    if (number.getRootNode() === document) number.setAttribute('aria-describedby', card.id);
    const place = number.getBoundingClientRect();
    const size = card.getBoundingClientRect();
    const left = Math.max(
      8,
      Math.min(place.left, document.documentElement.clientWidth - size.width - 8),
    );
    const below = place.bottom + 6;
    const top =
      below + size.height < innerHeight ? below : Math.max(8, place.top - size.height - 6);
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${top + scrollY}px`;
  };

  // The focus may have reached a number before this script was loaded.
  const focused = document.activeElement?.closest<HTMLAnchorElement>('a.num');
  if (focused) show(focused);
  document.addEventListener('pointerover', (event) => {
    const number = numberAt(event);
    if (event.pointerType !== 'mouse') return;
    if (number) show(number);
    // A mouse at rest gets this event as well where the page scrolls to a number with the focus.
    else if (!event.composedPath().includes(card) && !shownFor?.matches(':focus')) hide();
  });
  document.addEventListener('focusin', (event) => {
    const number = numberAt(event);
    if (number) show(number);
    else hide();
  });
  document.addEventListener('click', (event) => {
    const number = numberAt(event);
    if (number) {
      event.preventDefault();
      show(number);
    } else if (!event.composedPath().includes(card)) hide();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });
}
