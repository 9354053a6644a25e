// The board of attn-mask: mouse, finger and keys paint and choose the same; the walk loses nothing.
import {expect, type Locator, type Page} from '@playwright/test';
import {test} from './site.js';
import {centre, changes, open, shown} from './touching.js';

test.use({hasTouch: true});

/** Elements, attributes and texts; the order of attributes and the tab key's place are free. */
const picture = (widget: Locator) =>
  widget.locator('.view').evaluate((view) => {
    const written = (node: Node): string => {
      if (node instanceof Text) return node.data;
      if (!(node instanceof Element)) return '';
      const attributes = [...node.attributes]
        .filter(({name}) => name !== 'tabindex')
        .map(({name, value}) => `${name}=${value}`)
        .sort();
      const inside = [...node.childNodes].map(written).join('');
      return `<${node.localName} ${attributes.join(' ')}>${inside}`;
    };
    return written(view);
  });

async function cellCentre(widget: Locator, code: number): Promise<{x: number; y: number}> {
  const cell = widget.locator(`[data-cell="${code}"]`);
  await cell.scrollIntoViewIfNeeded();
  return centre(cell);
}

async function finger(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: {x: number; y: number}) =>
    cdp.send('Input.dispatchTouchEvent', {type, touchPoints: at ? [at] : []});
}

test('cells are square', async ({page, site}) => {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({width, height: 900});
    const widget = await open(page, site, 'attn-mask');
    for (const code of [101, 303, 505]) {
      const box = await widget.locator(`[data-cell="${code}"]`).boundingBox();
      expect(Math.abs((box?.width ?? 0) - (box?.height ?? 1))).toBeLessThan(0.5);
      expect(box?.width).toBeGreaterThanOrEqual(width === 360 ? 40 : 44);
    }
  }
});

test('painting by mouse, finger and keys gives one state, link and digits', async ({
  page,
  site,
}) => {
  const results: string[] = [];
  for (const way of ['mouse', 'touch', 'keys'] as const) {
    const widget = await open(page, site, 'attn-mask', '?step=3');
    const [from, to] = [await cellCentre(widget, 401), await cellCentre(widget, 403)];
    if (way === 'mouse') {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      // In one leap: the cell between is not left out.
      await page.mouse.move(to.x, to.y);
      expect(await changes(page)).toBe(0);
      await page.mouse.up();
    } else if (way === 'touch') {
      const touch = await finger(page);
      await touch('touchStart', from);
      for (let i = 1; i <= 10; i++)
        await touch('touchMove', {x: from.x + ((to.x - from.x) * i) / 10, y: from.y});
      await touch('touchEnd');
    } else {
      await widget.getByRole('checkbox', {name: '遮住「苹果」看「小明」'}).focus();
      await page.keyboard.press('ArrowDown');
      for (const key of [' ', 'ArrowRight', ' ', 'ArrowRight', 'Enter'])
        await page.keyboard.press(key);
    }
    await expect(widget).toHaveAttribute('painted', '401,402,403');
    await expect(widget).toHaveAttribute('step', '4');
    if (way !== 'keys') expect(await changes(page)).toBe(1);
    // Only 给了 itself is left.
    await expect(widget.locator('[data-cell="404"]')).toContainText('100');
    await expect(widget.getByRole('checkbox', {name: '遮住「给了」看「小明」'})).toBeChecked();
    await widget.getByRole('button', {name: '复制链接'}).click();
    results.push(`${await shown(widget)} ${page.url()}`);
  }
  expect(new Set(results).size).toBe(1);
});

test('a press chooses a row, and in the chosen row turns a cell over', async ({page, site}) => {
  const widget = await open(page, site, 'attn-mask');
  for (const way of ['click', 'tap'] as const) {
    await widget.locator('[data-cell="202"]')[way]();
    await expect(widget).toHaveAttribute('step', '2');
    await expect(widget).not.toHaveAttribute('painted', /./);
    await widget.locator('[data-cell="205"]')[way]();
    await expect(widget).toHaveAttribute('painted', '205');
    await expect(widget.locator('[data-cell="205"]')).toContainText('✗');
    await widget.getByRole('button', {name: '擦掉涂改'}).click();
    await expect(widget).toHaveAttribute('painted', '');
    await widget.getByRole('button', {name: '还原'}).click();
    await expect(widget).toHaveAttribute('step', '0');
  }
});

test('on a phone, buttons of a finger’s size do what presses on small cells do', async ({
  page,
  site,
}) => {
  await page.setViewportSize({width: 360, height: 740});
  const words = 'tokens=一,二,三,四,五,六,七,八';
  const tapped = await open(page, site, 'attn-mask', `?${words}&step=4`);
  await tapped.locator('[data-cell="402"]').tap();
  await expect(tapped).toHaveAttribute('painted', '402');
  const digits = await shown(tapped);
  const widget = await open(page, site, 'attn-mask', `?${words}`);
  await widget.getByText('格子太小时，用按钮').tap();
  const press = (group: string, name: string) =>
    widget.getByRole('group', {name: group}).getByRole('button', {name}).tap();
  await press('看哪一行', '四');
  await expect(widget).toHaveAttribute('step', '4');
  await press('遮住谁', '二');
  await expect(widget).toHaveAttribute('painted', '402');
  expect(await shown(widget)).toBe(digits);
  const sizes = await widget
    .locator('details.exact .chip, details.exact summary')
    .evaluateAll((chips) =>
      chips.flatMap((chip) => {
        const {width, height} = chip.getBoundingClientRect();
        return [width, height];
      }),
    );
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  // The board of the teaching sentence has large cells.
  const five = await open(page, site, 'attn-mask');
  await expect(five.getByText('格子太小时，用按钮')).toHaveCount(0);
});

test('a vertical swipe over the board scrolls the page and paints nothing', async ({
  page,
  site,
}) => {
  await page.setViewportSize({width: 360, height: 500});
  await page.goto(`${site.url}c3/l04/#w-causal`);
  const widget = page.locator('#w-causal');
  await widget.scrollIntoViewIfNeeded();
  await expect(widget).toHaveAttribute('ready', '');
  const {x, y} = await cellCentre(widget, 303);
  const before = await page.evaluate(() => scrollY);
  const touch = await finger(page);
  await touch('touchStart', {x, y});
  for (let i = 1; i <= 12; i++) await touch('touchMove', {x, y: y - 10 * i});
  await touch('touchEnd');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before + 60);
  await expect(widget).not.toHaveAttribute('painted');
});

test('the board is one stop of the tab key, at the row that is explained', async ({page, site}) => {
  const widget = await open(page, site, 'attn-mask', '?step=4');
  await expect(widget.locator('[data-cell][tabindex="0"]')).toHaveCount(1);
  await widget.locator('[data-cell="401"]').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await expect(widget.locator('[data-cell="305"]')).toBeFocused();
  await expect(widget.locator('[data-cell="305"]')).toHaveAttribute('tabindex', '0');
  await expect(widget).toHaveAttribute('step', '3');
});

test('played to its end, the picture is the one that was built', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'no-preference'});
  const widget = await open(page, site, 'attn-mask', '?at=0.94');
  const rest = await picture(await open(page, site, 'attn-mask'));
  await open(page, site, 'attn-mask', '?at=0.94');
  expect(await picture(widget)).not.toBe(rest);
  await widget.getByRole('button', {name: '播放'}).click();
  await expect(widget).toHaveAttribute('at', '1', {timeout: 15_000});
  expect(await changes(page)).toBe(1);
  expect(await picture(widget)).toBe(rest);
});

test('a link to a moment draws what the walk shows there', async ({page, site}) => {
  // Two beats into 给了: its answer has been turned face down.
  const widget = await open(page, site, 'attn-mask', '?at=0.5833');
  const linked = await picture(widget);
  await expect(widget.locator('.says')).toContainText('「小王」扣过去了');
  await open(page, site, 'attn-mask', '?at=0');
  const rail = widget.getByRole('slider', {name: '走到哪一行哪一拍'});
  await rail.focus();
  for (let i = 0; i < 14; i++) await page.keyboard.press('ArrowRight');
  await expect(widget).toHaveAttribute('at', '0.5833');
  expect(await picture(widget)).toBe(linked);
});

test('without motion a press of ▶ goes on by a beat, and no beat is lost', async ({page, site}) => {
  await page.emulateMedia({reducedMotion: 'reduce'});
  const widget = await open(page, site, 'attn-mask', '?at=0.5');
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    await widget.getByRole('button', {name: '播放'}).click();
    seen.push((await widget.getByText(/^第.拍/).textContent()) ?? '');
  }
  expect(seen).toEqual(['第一拍：分数', '第二拍：遮', '第三拍：取指数', '第四拍：分满100 %']);
});

test('the writing changes at the same moment of the walk', async ({page, site}) => {
  const widget = await open(page, site, 'attn-mask', '?at=0.6667');
  await widget.getByRole('button', {name: /softmax之后再遮/}).click();
  await expect(widget).toHaveAttribute('at', '0.6667');
  await expect(widget).toContainText('不见了32.5 %');
  await expect(widget.locator('.says')).toContainText('行和是0.675');
});
