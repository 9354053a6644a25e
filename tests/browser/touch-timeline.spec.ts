// attn-timeline as it is touched: stations that are tapped, and a rail along the years.
import {expect, type Locator} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, dragTo, open, picture, shown} from './touching.js';

test.use({hasTouch: true});

const rail = (widget: Locator) => widget.getByRole('slider', {name: '从头走到'});
const station = (widget: Locator, id: string) =>
  widget.locator(`svg:is(.wide, .narrow):visible .station[data-station="${id}"]`);
const text = (widget: Locator, id: string) =>
  widget.locator(`details[data-stop="${id}"] p`).first();

test('the rail moved with mouse, finger and keys gives one state, picture and text', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-timeline');
    if (way === 'keys') {
      await rail(widget).focus();
      // The last of thirteen stations is complete at 1.
      for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowLeft');
    } else {
      const box = (await rail(widget).boundingBox())!;
      const {y} = await centre(rail(widget));
      const at = (share: number) => ({x: box.x + 11 + share * (box.width - 22), y});
      await dragTo(page, way, at(1), at(5 / 13), async () => expect(await changes(page)).toBe(0));
    }
    await expect(widget).toHaveAttribute('node', 'N5');
    await expect(text(widget, 'N5')).toBeVisible();
    await expect(station(widget, 'N5')).toHaveAttribute('aria-pressed', 'true');
    results.push((await shown(widget)) + (await picture(widget)));
  }
  expect(new Set(results).size).toBe(1);
  // Five stations have come, each with the number that it is stuck on.
  expect(results[0]?.match(/✗ /g)).toHaveLength(5);
});

test('a station chosen with mouse, finger and keys gives one state and link', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-timeline', '?current=c3-l05');
    if (way === 'mouse') await station(widget, 'N5').click();
    else if (way === 'touch') await station(widget, 'N5').tap();
    else {
      await station(widget, 'N3').focus();
      await page.keyboard.press('ArrowRight');
      await expect(station(widget, 'N4')).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(station(widget, 'N5')).toBeFocused();
    }
    await expect(widget).toHaveAttribute('node', 'N5');
    await expect(text(widget, 'N5')).toBeVisible();
    await expect(text(widget, 'N3')).toBeHidden();
    await expect(widget.locator('.says')).toContainText('因果掩码');
    results.push((await shown(widget)) + (await picture(widget)));
  }
  expect(new Set(results).size).toBe(1);
});

test('played to its end the picture is the one of the same state at rest', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'no-preference'});
  const still = await picture(await open(page, site, 'attn-timeline', '?node=N13'));
  const widget = await open(page, site, 'attn-timeline', '?at=0.9');
  expect(await picture(widget)).not.toBe(still);
  await widget.getByRole('button', {name: '播放'}).click();
  await expect.poll(() => changes(page), {timeout: 60_000}).toBe(1);
  await expect(widget).toHaveAttribute('node', 'N13');
  expect(await picture(widget)).toBe(still);
});

test('without motion ▶ goes from station to station, and loses none', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'reduce'});
  const widget = await open(page, site, 'attn-timeline', '?at=0');
  const seen: (string | null)[] = [];
  for (let i = 0; i < 13; i++) {
    await widget.getByRole('button', {name: '播放'}).click();
    seen.push(await widget.getAttribute('node'));
  }
  // By year; where both tracks have one in a column, training comes first.
  expect(seen.map((id) => id?.slice(1)).join(' ')).toBe('1 2 3 4 5 7 9 10 6 8 11 12 13');
});

for (const width of [360, 960]) {
  test(`no word of the map lies on another one, ${width} px`, async ({page, site}) => {
    await page.setViewportSize({width, height: 800});
    const widget = await open(page, site, 'attn-timeline', '?current=c3-l07');
    const hits = await widget.locator('svg:is(.wide, .narrow):visible').evaluate((map) => {
      const boxes = [...map.querySelectorAll('text')]
        .filter((one) => one.textContent.trim() !== '')
        .map((one) => ({words: one.textContent, box: one.getBoundingClientRect()}));
      const frame = map.getBoundingClientRect();
      const crossing = boxes.flatMap((a, i) =>
        boxes.slice(i + 1).flatMap((b) => {
          const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
          const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
          // Boxes have room above and below the letters.
          return across > 1 && down > 5 ? [`${a.words} / ${b.words}`] : [];
        }),
      );
      const outside = boxes
        .filter(({box}) => box.left < frame.left - 4 || box.right > frame.right + 4)
        .map(({words}) => words);
      return [...crossing, ...outside];
    });
    expect(hits).toEqual([]);
  });
}
