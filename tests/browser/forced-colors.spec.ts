// With forced colours, a pressed chip, the open tab and a chosen part of a picture differ from the
// others.
import {expect} from '@playwright/test';
import * as check from './checks.js';
import {addressOf, dist, pagesOf, test} from './site.js';

/** Widgets whose choices must be found: chips, parts of a picture, tabs. Some others have none. */
const WITH_CHOICES = ['attn-softmax', 'attn-mask', 'attn-heads'];

for (const file of pagesOf(dist)) {
  const tag = /^embed\/(attn-[\w-]+)\.html$/.exec(file)?.[1];
  if (!tag) continue;

  test(`${tag}: chosen items differ from the others`, async ({page, site}) => {
    await page.emulateMedia({forcedColors: 'active'});
    await page.goto(addressOf(site, file));
    expect(await check.widgetsReady(page)).toEqual([]);
    const {choices, alike} = await check.chosen(page);
    expect(alike).toEqual([]);
    if (WITH_CHOICES.includes(tag)) expect(choices).toBeGreaterThan(0);
  });
}
