// Fingers and input methods: only intended actions change a widget.
import {expect, type Locator} from '@playwright/test';
import {test} from './site.js';

/** A key as an input method sends it. */
const key = (box: Locator, init: {key: string; keyCode?: number; isComposing?: boolean}) =>
  box.evaluate(
    (element, init) =>
      element.dispatchEvent(
        new KeyboardEvent('keydown', {...init, bubbles: true, cancelable: true}),
      ),
    init,
  );

test('a finger that moves up or down on a slider scrolls the page', async ({page, site}) => {
  await page.goto(`${site.url}embed/attn-softmax.html`);
  await expect(page.locator('attn-softmax input[type=range]').first()).toHaveCSS(
    'touch-action',
    'pan-y',
  );
});

test('the Enter that ends a composition, as Safari sends it, opens no answer', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}embed/attn-check.html?question=c3-l03/double-row`);
  const widget = page.locator('attn-check[ready]');
  const answer = widget.locator('details.answer');
  const box = widget.locator('input').first();
  await box.focus();
  await box.evaluate((element) =>
    element.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true})),
  );
  await key(box, {key: 'Enter', keyCode: 229});
  await expect(answer).not.toHaveAttribute('open');
});

test('an arrow key selects a candidate during a composition', async ({page, site}) => {
  await page.goto(`${site.url}embed/attn-softmax.html?scores=8,7,9`);
  const box = page.locator('attn-softmax[ready] .boxes .number input').first();
  await box.evaluate((element: HTMLInputElement) => {
    element.value = '８．５';
  });
  await key(box, {key: 'ArrowDown', keyCode: 229, isComposing: true});
  await expect(box).toHaveValue('８．５');
  await key(box, {key: 'ArrowDown', keyCode: 229});
  await expect(box).toHaveValue('８．５');
  await key(box, {key: 'ArrowDown', keyCode: 40});
  await expect(box).toHaveValue('7');
});

test('a printed thousand is one score; a list is several', async ({page, site}) => {
  await page.goto(`${site.url}embed/attn-softmax.html?scores=8,7,9`);
  const widget = page.locator('attn-softmax[ready]');
  await widget.locator('.exact > summary').click();
  const boxes = widget.locator('.boxes .number input');
  await boxes.first().fill('1,000');
  expect(await widget.evaluate((e: Element & {state?: unknown}) => e.state)).toMatchObject({
    scores: [1000, 7, 9],
  });
  await expect(widget.locator('.trouble')).toContainText('「1,000」读作一个数');
  await boxes.first().fill('1, 000');
  expect(await widget.evaluate((e: Element & {state?: unknown}) => e.state)).toMatchObject({
    scores: [1, 0, 9],
  });
});

test('seed and steps in the address of a frame are read back', async ({page, site}) => {
  await page.goto(`${site.url}embed/attn-train.html?theme=dark`);
  const widget = page.locator('attn-train[ready]');
  await widget.evaluate((e: Element & {state?: unknown}) => {
    e.state = {seed: 7, steps: 2};
  });
  await widget.getByRole('button', {name: '开始'}).click();
  await expect(page).toHaveURL(/[?&]seed=7\b.*[?&]?steps=2\b/);
  await page.reload();
  await expect(widget).toHaveAttribute('ready');
  expect(await widget.evaluate((e: Element & {state?: unknown}) => e.state)).toMatchObject({
    seed: 7,
    steps: 2,
  });
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
});
