// Shared by the tests of pictures to touch: a widget on its page, its state, mouse and finger.
import {expect, type Locator, type Page} from '@playwright/test';
import type {Site} from './site.js';

/** A widget alone on its page, whose events are counted from now on. */
export async function open(page: Page, site: Site, tag: string, query = ''): Promise<Locator> {
  // An empty page between two of one address, so that no state is left from the first.
  await page.goto('about:blank');
  await page.goto(`${site.url}embed/${tag}.html${query}`);
  const widget = page.locator(tag);
  await expect(widget).toHaveAttribute('ready', '');
  await widget.evaluate((element) => {
    Object.assign(window, {changes: 0});
    element.addEventListener('attn-change', () => {
      (window as unknown as {changes: number}).changes++;
    });
  });
  return widget;
}

/** Events since the widget was opened. */
export const changes = (page: Page) =>
  page.evaluate(() => (window as unknown as {changes: number}).changes);

/** State, digits and attributes of a widget. */
export const shown = (widget: Locator) =>
  widget.evaluate((element) => {
    const {state, result} = element as HTMLElement & {state: object; result: object};
    const attributes = [...element.attributes].map(({name, value}) => [name, value]).sort();
    return JSON.stringify({state, result, attributes});
  });

/** Every element of the pictures with its attributes, in any order, and the texts. */
export const picture = (widget: Locator, pictures = 'svg.wide') =>
  widget.locator(pictures).evaluateAll((elements) => {
    const parts = elements.flatMap((element) =>
      [...element.querySelectorAll('*')].map((part) =>
        [
          part.localName,
          ...[...part.attributes].map((one) => `${one.name}=${one.value}`).sort(),
        ].join(' '),
      ),
    );
    return `${parts.join('\n')}\n${elements.map((element) => element.textContent).join('\n')}`;
  });

export async function centre(locator: Locator): Promise<{x: number; y: number}> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('not drawn');
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
}

/** Presses at one point, moves to another in steps and lets go there. */
export async function dragTo(
  page: Page,
  way: 'mouse' | 'touch',
  from: {x: number; y: number},
  to: {x: number; y: number},
  before: () => Promise<void> = async () => {},
): Promise<void> {
  const steps = 8;
  const point = (i: number) => ({
    x: from.x + ((to.x - from.x) * i) / steps,
    y: from.y + ((to.y - from.y) * i) / steps,
  });
  if (way === 'mouse') {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, {steps});
    await before();
    await page.mouse.up();
    return;
  }
  const cdp = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', i?: number) =>
    cdp.send('Input.dispatchTouchEvent', {type, touchPoints: i === undefined ? [] : [point(i)]});
  await send('touchStart', 0);
  for (let i = 1; i <= steps; i++) await send('touchMove', i);
  await before();
  await send('touchEnd');
}
