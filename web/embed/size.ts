// Tells the page around an iframe how large its content is.

/** Of one change: when a host answers in a way that changes the size again, it is not told for ever. */
const MOST_MESSAGES = 3;
/** Borders of an iframe may take as much of the height that the page asked for. */
const BORDERS = 8;

/** Returns what to call when something else than the reader changes the widget: it may be told of anew. */
export function postSize(): () => void {
  const page = document.documentElement;
  let last = '';
  let left = MOST_MESSAGES;
  let width = innerWidth;
  const again = () => {
    left = MOST_MESSAGES;
  };
  const height = () => Math.ceil(document.body.getBoundingClientRect().height);

  new ResizeObserver(() => {
    const size = {width: Math.ceil(document.body.getBoundingClientRect().width), height: height()};
    const text = `${size.width} ${size.height}`;
    if (text === last || left === 0) return;
    last = text;
    left--;
    parent.postMessage({type: 'attn:size', ...size}, '*');
  }).observe(document.body);

  addEventListener('resize', () => {
    if (innerWidth !== width) again();
    width = innerWidth;
    // A host that follows needs no scrollbar of ours, and one would make the page narrower and so taller.
    page.classList.toggle('fits', innerHeight + BORDERS >= height());
  });
  for (const event of ['attn-change', 'toggle', 'input', 'click'])
    addEventListener(event, again, true);
  return again;
}
