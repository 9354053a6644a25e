// Measures the pictures that a reader drags, with the processor slowed to a quarter: for every move
// the time from the event until the new picture is laid out. A frame of a screen takes 16 ms.

const SLOWED = 4;
const MOVES = 60;

/** A widget alone on its page; the control with this label is moved, or the first. */
const dragged = [
  {page: 'attn-softmax.html?scores=1,2,3,4,5,6,7,8', name: 'attn-softmax, 8 scores, a score'},
  {
    page: `attn-mask.html?tokens=${encodeURIComponent('一,二,三,四,五,六,七,八')}`,
    name: 'attn-mask, 8 tokens, the playhead',
  },
  {page: 'attn-variance.html', name: 'attn-variance, d'},
  {page: 'attn-timeline.html', name: 'attn-timeline, the playhead'},
  {page: 'attn-qkv.html', name: 'attn-qkv, a key', label: 'k₃'},
  {page: 'attn-position.html', name: 'attn-position, a place'},
];

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} url  of the course
 */
export async function frames(browser, url) {
  const page = await browser.newPage({viewport: {width: 1000, height: 1200}});
  try {
    const session = await page.context().newCDPSession(page);
    const results = [];
    for (const {page: address, name, label = ''} of dragged) {
      await page.goto(`${url}embed/${address}`);
      await page.locator('main > [ready]').waitFor();
      const control = page.getByRole('slider', {name: label}).filter({visible: true}).first();
      // The held control may be drawn in front of the others.
      const held = await control.elementHandle();
      // A handle's box has its label too; its target is a square in the middle of it.
      const target = control.locator('rect').or(control).last();
      const {x, y, width, height} = await target.boundingBox();
      // The first touch may load a module.
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2 + 5, y + height / 2);
      await page.waitForTimeout(500);
      await session.send('Emulation.setCPUThrottlingRate', {rate: SLOWED});
      const times = await held.evaluate(moved, MOVES);
      await session.send('Emulation.setCPUThrottlingRate', {rate: 1});
      await page.mouse.up();
      const middle = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
      results.push({
        name: `${name} dragged, processor slowed ${SLOWED} times: a move to layout, median`,
        value: middle,
        unit: 'ms',
      });
    }
    return results;
  } finally {
    await page.close();
  }
}

/** Runs in the page: moves a held handle or a slider to and fro, once a frame. */
async function moved(control, moves) {
  const widget = control.getRootNode().host;
  const {left, top, width, height} = control.getBoundingClientRect();
  const move = (share) => {
    if (control.localName === 'input') {
      const [min, max] = [Number(control.min || 0), Number(control.max || 100)];
      control.value = String(min + share * (max - min));
      control.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
      return;
    }
    const clientX = left + width / 2 + (share - 0.5) * 120;
    const clientY = top + height / 2;
    control.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX, clientY}));
  };
  const times = [];
  let pictures = 0;
  let last = '';
  for (let i = 0; i < moves; i++) {
    const began = performance.now();
    move(0.5 + 0.45 * Math.sin((2 * Math.PI * i) / moves));
    await widget.updateComplete;
    widget.getBoundingClientRect();
    times.push(performance.now() - began);
    const picture = widget.shadowRoot.querySelector('.widget').innerHTML;
    if (picture !== last) pictures++;
    last = picture;
    await new Promise(requestAnimationFrame);
  }
  // Values snap to steps, so some moves change nothing.
  if (pictures < 10) throw new Error(`${widget.localName}: ${pictures} pictures`);
  return times;
}
