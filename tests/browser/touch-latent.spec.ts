// The sizes of <attn-latent> are dragged, and its fold is played: by mouse, finger and keys alike.
import {expect, type Locator} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, dragTo, open, picture, shown} from './touching.js';

const drawn = (widget: Locator) => picture(widget, 'svg[data-figure]');

test('a size dragged by mouse, finger and keys; the fold stops at every distance', async ({
  page,
  site,
}) => {
  await page.emulateMedia({reducedMotion: 'reduce'});
  const states: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-latent', '?turn=apart');
    const handle = widget.getByRole('slider', {name: 'x有几个数'});
    const dmodel = () => widget.getAttribute('dmodel');
    if (way === 'keys') {
      await handle.press('End');
      await handle.press('ArrowLeft');
    } else {
      // A drag beyond the end stops there.
      const from = await centre(handle);
      await dragTo(page, way, from, {x: from.x + 900, y: from.y}, async () => {
        expect(await changes(page)).toBe(0);
      });
      await expect.poll(() => changes(page)).toBe(1);
      expect(await dmodel()).toBe('20480');
      await handle.press('ArrowLeft');
    }
    expect(await dmodel()).toBe('20416');
    states.push(await shown(widget));
  }
  expect(new Set(states).size).toBe(1);

  const widget = await open(page, site, 'attn-latent', '?turn=all');
  const built = await drawn(widget);
  const play = widget.getByRole('button', {name: '播放'});
  const chain = widget.locator('svg[data-figure]').first();
  await play.click();
  await expect(widget).toHaveAttribute('at', '0');
  await play.click();
  // The rotation stands in the way; then it is another one for each of the four tokens.
  const words = ['小明', '小明', '把', '苹果', '给了'];
  for (const [i, word] of words.entries()) {
    await expect(chain).toContainText(`「${word}」要`);
    if (i < words.length - 1) await play.click();
  }
  expect(await drawn(widget)).toBe(built);
});
