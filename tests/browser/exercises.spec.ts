// The exercises of the case, from start to end in the page with few steps: a model with two heads,
// and the sweep over widths, stopped, reloaded and resumed.
import {expect as given, type Locator, type Page} from '@playwright/test';
import type {AttnTrain} from '../../web/elements/attn-train.js';
import type {AttnSweep} from '../../web/elements/attn-sweep.js';
import {test} from './site.js';

/** A step takes long on a busy machine. */
const expect = given.configure({timeout: 60_000});

async function open(page: Page, url: string, id: string, query: string): Promise<Locator> {
  await page.goto(`${url}case/exercises/#${id}?${query}`);
  const widget = page.locator(`#${id}`);
  await expect(widget).toHaveAttribute('ready', '');
  return widget;
}

const says = (widget: Locator) => widget.locator('.says');
const button = (widget: Locator, name: string) => widget.getByRole('button', {name, exact: true});

test('two heads instead of four: the deviation before the first step grows by about √2', async ({
  page,
  site,
}) => {
  const widget = await open(
    page,
    site.url,
    'w-two-heads',
    'preset=own&heads=2&attention=unscaled&steps=1',
  );
  // Three heads do not divide 128: a sentence, and the setting stays.
  await widget.getByRole('textbox', {name: '头', exact: true}).fill('3');
  await page.keyboard.press('Tab');
  await expect(widget.locator('#trouble')).toHaveText('宽128分不成3个头：宽要是头数的倍数。');
  await widget.getByRole('textbox', {name: '头', exact: true}).fill('2');
  await page.keyboard.press('Tab');
  await button(widget, '开始').click();
  await expect(says(widget)).toContainText('练完了，1步');
  const deviation = await widget.evaluate(
    (element: AttnTrain) => element.result?.live?.curve.diagnostics[0]?.logitDeviation,
  );
  // 0.29 with heads of 32; a sum of twice as many terms has twice the variance.
  expect(deviation).toBeGreaterThan(0.37);
  expect(deviation).toBeLessThan(0.45);
});

test('the sweep is paused, reloaded, resumed, and ends with twelve losses', async ({
  page,
  site,
}) => {
  test.setTimeout(240_000);
  const sweep = await open(page, site.url, 'w-sweep', 'steps=1&seed=5');
  await expect(says(sweep)).toContainText('没有记录');
  await button(sweep, '开始').click();
  await expect(says(sweep)).toContainText('练完2次');
  const first = await sweep.evaluate((element: AttnSweep) => element.result?.live?.[0]);
  await page.reload();
  const again = page.locator('#w-sweep');
  await expect(again).toHaveAttribute('ready', '');
  await expect(again).toContainText(/上次练完\d+次，共12次/);
  await button(again, '接着练').click();
  await expect(says(again)).toContainText('12次都练完了', {timeout: 200_000});
  const rows = await again.evaluate((element: AttnSweep) => element.result?.live);
  expect(rows?.[0]).toEqual(first);
  // One step of an untrained model guesses evenly: ln 1200 = 7.09.
  for (const row of rows ?? []) {
    expect(row.scaled).toBeGreaterThan(6.9);
    expect(row.unscaled).toBeLessThan(7.3);
  }
  expect(rows).toHaveLength(6);
  await expect(again.locator('.reading')).toHaveCount(0);
});
