// The race of <attn-decode>: played, by keys and by the rail, it shows the same beats.
import {expect, type Locator} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, open, picture, shown} from './touching.js';

const drawn = (widget: Locator) => picture(widget, 'svg[data-figure]');

test('both ways race on one playhead, beat by beat', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'reduce'});
  const widget = await open(page, site, 'attn-decode');
  const built = await drawn(widget);
  const says = widget.locator('.says');
  const play = widget.getByRole('button', {name: '播放'});
  const rail = widget.getByRole('slider', {name: '跑到第几拍'});
  // From the end ▶ goes back to the start, and then one beat a press.
  await play.click();
  await expect(says).toContainText('第0拍：');
  const beats: string[] = [];
  for (let beat = 1; beat <= 4; beat++) {
    await play.click();
    await expect(says).toContainText(`第${beat}拍：`);
    beats.push(await drawn(widget));
  }
  expect(new Set(beats).size).toBe(4);
  await expect(says).toContainText('留着的算了4份，做完3步');
  const played = await shown(widget);
  // By keys back and forth, and by a press on a stop's name: the same state, digits and picture.
  await rail.press('ArrowLeft');
  await rail.press('ArrowRight');
  expect(await shown(widget)).toBe(played);
  expect(await drawn(widget)).toBe(beats[3]);
  await widget.getByRole('button', {name: '第2步', exact: true}).click();
  await expect(says).toContainText('第5拍：每步重算的算了5份，其中2份重复，做完2步');
  // A drag of the rail changes the picture alone; one event follows when it is let go.
  const before = await changes(page);
  const {x, y} = await centre(rail);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, {steps: 5});
  expect(await changes(page)).toBe(before);
  await page.mouse.up();
  expect(await changes(page)).toBe(before + 1);
  await rail.press('End');
  await expect(says).toContainText('逐位相同');
  expect(await drawn(widget)).toBe(built);
});
