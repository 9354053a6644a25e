// attn-kv-cache as it is touched: the marker on the axis of contexts, and the cards.
import {expect, type Locator, type Page} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, dragTo, open, picture, shown} from './touching.js';

test.use({hasTouch: true});

const marker = (widget: Locator) =>
  widget.locator('svg.wide').getByRole('slider', {name: '上下文', exact: true});

/** The centre of the marker for a context between 2⁶ and 2²¹ tokens. */
async function pointOf(widget: Locator, power: number): Promise<{x: number; y: number}> {
  const {y} = await centre(marker(widget));
  const plot = await widget.locator('svg.wide .pick').first().boundingBox();
  if (!plot) throw new Error('not drawn');
  return {x: plot.x + (plot.width * (power - 6)) / 15, y};
}

test('the marker moved with mouse, finger and keys gives one state, same digits and link', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-kv-cache');
    const before = await picture(widget);
    if (way === 'keys') {
      await marker(widget).focus();
      // Two doublings.
      await page.keyboard.press('Shift+ArrowRight');
      await expect(widget).toHaveAttribute('context', '65536');
      await page.keyboard.press('PageUp');
      await expect.poll(() => changes(page)).toBe(2);
    } else {
      await dragTo(page, way, await pointOf(widget, 15), await pointOf(widget, 17), async () => {
        // The first touch fetches the module.
        await expect.poll(() => picture(widget)).not.toBe(before);
        expect(await changes(page)).toBe(0);
      });
      await expect.poll(() => changes(page)).toBe(1);
    }
    await expect(widget).toHaveAttribute('context', '131072');
    // 65,536 B · 2¹⁷ + 144 MiB = 8,589,934,592 + 150,994,944
    await expect(widget.locator('.says')).toContainText('8,740,929,536 B（8.14 GiB）');
    await expect(marker(widget)).toHaveAttribute(
      'aria-valuetext',
      '131,072个词元，缓存8.14 GiB，80 GiB放得下9条这样长的序列',
    );
    results.push((await shown(widget)) + (await picture(widget)));
  }
  expect(new Set(results).size).toBe(1);
});

test('arrows go by tenths of a doubling, Home and End to the ends of the axis', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-kv-cache', '?context=5000');
  await marker(widget).focus();
  // log₂ 5,000 = 12.288; the next tenth is 12.4, and 2^12.4 = 5,404.7.
  await page.keyboard.press('ArrowRight');
  await expect(widget).toHaveAttribute('context', '5405');
  await page.keyboard.press('Home');
  await expect(widget).toHaveAttribute('context', '64');
  await page.keyboard.press('End');
  await expect(widget).toHaveAttribute('context', '2097152');
});

test('a longer context is typed, and the axis grows for it', async ({page, site}) => {
  const widget = await open(page, site, 'attn-kv-cache', '?compare=');
  const box = widget.getByRole('textbox', {name: '上下文'});
  await box.fill('1073741824');
  await box.blur();
  await expect(marker(widget)).toHaveAttribute('aria-valuenow', '30');
  await expect(widget.locator('svg.wide .ticks').last()).toContainText('2,147,483,648');
  // While it is held the axis stays, though 2²⁰ tokens have a place on the shorter one.
  const plot = widget.locator('svg.wide .pick').first();
  const {x, width} = (await plot.boundingBox())!;
  const from = await centre(marker(widget));
  const at = (power: number) => ({x: x + (width * (power - 6)) / 25, y: from.y});
  await dragTo(page, 'mouse', from, at(20), async () => {
    await expect(widget.locator('svg.wide .ticks').last()).toContainText('2,147,483,648');
  });
  await expect(widget).toHaveAttribute('context', '1048576');
  await expect(widget.locator('svg.wide .ticks').last()).not.toContainText('2,147,483,648');
});

test('a press on the plot moves the marker there', async ({page, site}) => {
  const widget = await open(page, site, 'attn-kv-cache');
  const {x} = await pointOf(widget, 10);
  const {y} = await centre(widget.locator('svg.wide .pick').first());
  await page.mouse.click(x, y);
  await expect(widget).toHaveAttribute('context', '1024');
});

const cardWidth = (widget: Locator) =>
  widget
    .locator('svg.wide > rect')
    .first()
    .evaluate((board) => board.getBoundingClientRect().width);

test('another card is another room, and a full one is overrun', async ({page, site}) => {
  const widget = await open(page, site, 'attn-kv-cache', '?context=1048576');
  const whole = await cardWidth(widget);
  // 65,536 B · 2²⁰ + 144 MiB = 64.14 GiB.
  await expect(widget.locator('svg.wide').first()).toContainText('80 GiB放得下1条这样长的序列');
  await widget.getByRole('button', {name: '24 GiB'}).click();
  await expect(widget).toHaveAttribute('memory', '24');
  await expect(widget.getByRole('button', {name: '24 GiB'})).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(widget.locator('svg.wide').first()).toContainText('✗ 24 GiB放不下一条这样长的序列');
  // The card is 24 ÷ 64.14 of its content.
  expect((await cardWidth(widget)) / whole).toBeCloseTo(24 / 64.14, 1);
});

async function scrolled(page: Page, from: {x: number; y: number}): Promise<number> {
  const before = await page.evaluate(() => scrollY);
  await dragTo(page, 'touch', from, {x: from.x, y: from.y - 200});
  await page.waitForTimeout(200);
  return (await page.evaluate(() => scrollY)) - before;
}

test('a vertical swipe that begins on the marker scrolls the page', async ({page, site}) => {
  await page.setViewportSize({width: 360, height: 640});
  const widget = await open(page, site, 'attn-kv-cache');
  const narrow = widget.locator('svg.narrow').getByRole('slider', {name: '上下文', exact: true});
  await narrow.scrollIntoViewIfNeeded();
  const before = await shown(widget);
  expect(await scrolled(page, await centre(narrow))).toBeGreaterThan(50);
  expect(await shown(widget)).toBe(before);
});

test('cards, weights and an engine are chosen in a fold, and a link keeps them', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-kv-cache', '?model=llama-3.1-8b&context=8192');
  await widget.getByText('再算上几张卡、权重、引擎、共用的开头').click();
  await widget.getByRole('combobox', {name: '权重'}).selectOption('bf16');
  await widget.getByRole('combobox', {name: '引擎'}).selectOption('vllm');
  // (80 − 8 − 14.96) GiB for sequences of 1 GiB.
  await expect(widget.getByText('Maximum concurrency for 8,192 tokens')).toContainText('57.04x');
  const digits = await shown(widget);
  expect(digits).toContain('"sequences":57');
  await widget.getByRole('textbox', {name: '卡数'}).fill('3');
  await expect(widget.getByRole('alert')).toContainText('3张卡分不匀8个键值头');
  expect(await shown(widget)).toBe(digits);
  // Another visitor with the address.
  await page.goto('about:blank');
  await page.goto(
    `${site.url}embed/attn-kv-cache.html?model=llama-3.1-8b&context=8192&weights=bf16&engine=vllm`,
  );
  await expect(widget.getByText('Maximum concurrency for 8,192 tokens')).toContainText('57.04x');
  await expect(widget.getByRole('combobox', {name: '权重'})).toHaveValue('bf16');
});
