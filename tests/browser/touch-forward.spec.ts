// attn-forward on its page: the model is fetched at the first change only, and a walk, a press and
// keys choose the same values.
import {expect, type Locator} from '@playwright/test';
import * as check from './checks.js';
import {addressOf, test} from './site.js';

const PAGE = 'case/overview/index.html';

const state = (widget: Locator) =>
  widget.evaluate((each) => ({...(each as unknown as {state: Record<string, unknown>}).state}));

test('attn-forward walks, reads a typed line, and points at every value', async ({page, site}) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await page.goto(`${addressOf(site, PAGE)}#walk`);
  expect(await check.widgetsReady(page)).toEqual([]);
  const widget = page.locator('attn-forward');
  const models = () => fetched.filter((url) => /attn_train|\.weights/.test(url)).length;
  const picture = () => widget.locator('.view').first().innerHTML();
  const rest = await picture();
  expect(models()).toBe(0);

  // Keys on the rail go from stop to stop; the first one loads the model.
  const rail = widget.getByRole('slider', {name: '走到哪一步'});
  await rail.focus();
  await rail.press('ArrowLeft');
  await expect(widget.locator('.says')).toContainText('第24步，共25步');
  expect(models()).toBe(2);
  await rail.press('ArrowRight');
  await expect(widget.locator('.says')).toContainText('第25步');
  expect(await picture()).toBe(rest);

  // A typed line.
  await widget.getByRole('textbox', {name: '一行字'}).fill('春眠不覺曉');
  await expect.poll(async () => (await state(widget))['text']).toBe('春眠不覺曉');

  // A link of the text leads to a step.
  await page.getByRole('link', {name: '两行相加'}).click();
  await expect.poll(async () => (await state(widget))['at']).toBe(0.125);

  // A press in the middle of the second of five rows, and the same place by keys.
  const values = widget.getByRole('slider', {name: '看哪个字的哪一维'});
  const box = (await values.boundingBox())!;
  await values.click({position: {x: box.width * 0.501, y: box.height * 0.3}});
  await expect.poll(() => state(widget)).toMatchObject({row: 2, dim: 65});
  const result = await widget.evaluate(
    (each) => (each as unknown as {result: {values: number[][]}}).result,
  );
  const value = result.values[1]?.[64] ?? NaN;
  await expect(values).toHaveAttribute('aria-valuetext', new RegExp(String(Math.abs(value))));
  await values.press('ArrowRight');
  await values.press('ArrowDown');
  await expect.poll(() => state(widget)).toMatchObject({row: 3, dim: 66});
});
