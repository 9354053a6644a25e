// Tells the page around an iframe how large its content is.

/** For one change. A host may answer with another size, which would go on for ever. */
const MOST_MESSAGES = 3;
/** Borders of an iframe may take up as much of the height that the page reported. */
const BORDERS = 8;

/** Returns a function that allows messages again, for changes that the reader did not make. */
export function postSize(): () => void {
  const page = document.documentElement;
  let last = '';
  let left = MOST_MESSAGES;
  let width = innerWidth;
  const again = () => {
    left = MOST_MESSAGES;
  };
  const heightNow = () => Math.ceil(document.body.getBoundingClientRect().height);

  new ResizeObserver(() => {
    const size = {
      width: Math.ceil(document.body.getBoundingClientRect().width),
      height: heightNow(),
    };
    const text = `${size.width} ${size.height}`;
    if (text === last || left === 0) return;
    last = text;
    left--;
    parent.postMessage({type: 'attn:size', ...size}, '*');
    // https://canvas.instructure.com/doc/api/file.lti_window_post_message.html
    const {height} = size;
    parent.postMessage(JSON.stringify({subject: 'lti.frameResize', height}), '*');
  }).observe(document.body);

  addEventListener('resize', () => {
    if (innerWidth !== width) again();
    width = innerWidth;
    // A host that follows the size needs no scrollbar here; one would make the page narrower, so
    // taller.
    page.classList.toggle('fits', innerHeight + BORDERS >= heightNow());
  });
  for (const event of ['attn-change', 'toggle', 'input', 'click'])
    addEventListener(event, again, true);
  return again;
}
