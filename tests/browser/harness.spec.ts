// Tests of the checks: a good page passes all of them, and each check fails on a page with its
// fault.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test, type Page} from '@playwright/test';
import * as check from './checks.js';
import {pagesOf, serveStrictly, type Site} from './site.js';

const folder = fileURLToPath(new URL('fixtures/site', import.meta.url));
const good = readFileSync(join(folder, 'index.html'), 'utf8');

/** The good page with one change. */
function edit(from: string, to: string): string {
  if (good.split(from).length !== 2) throw new Error(`not there exactly once: ${from}`);
  return good.replace(from, () => to);
}
const insert = (html: string) => edit('<details>', `${html}<details>`);
const inHead = (html: string) => edit('<title>', `${html}<title>`);

/** Opens `html` in place of the fixture's index and returns the findings of `look`. */
async function findings(
  page: Page,
  html: string,
  look: (page: Page, site: Site, watched: string[]) => Promise<string[]>,
): Promise<string[]> {
  const site = await serveStrictly(folder, {
    fault: (path) => (path === '/' ? {type: 'text/html; charset=utf-8', body: html} : undefined),
  });
  try {
    const watched = check.watch(page, site);
    await page.goto(site.url);
    await check.unfold(page);
    return await look(page, site, watched);
  } finally {
    await site.close();
  }
}

const axe = (page: Page) => check.accessibility(page);
const narrow = async (page: Page) => {
  await page.setViewportSize({width: 320, height: 640});
  return check.sideways(page);
};
const dark = async (page: Page) => {
  await page.emulateMedia({colorScheme: 'dark'});
  return check.accessibility(page, check.colourRules);
};
const scrollers = async (page: Page) => {
  await page.setViewportSize({width: 320, height: 640});
  return check.scrollers(page);
};
const alike = async (page: Page) => (await check.chosen(page)).alike;
const quiet = async (page: Page, _site: Site, watched: string[]) => {
  await page.waitForLoadState('networkidle');
  return watched;
};

test('pages are found in all folders', () => {
  expect(pagesOf(folder)).toEqual(['index.html', 'sub/index.html']);
});

const alive: [string, string, Parameters<typeof findings>[2], RegExp][] = [
  ['a picture without a name', edit(' aria-label="一根柱"', ''), axe, /^svg-img-alt.*#w >> svg/],
  ['pale text', insert('<p class="pale">淡得看不清的字</p>'), axe, /^color-contrast/],
  [
    'a formula paler than its text',
    insert(
      '<p><span class="katex"><span class="katex-html"><b class="pale">x</b></span></span></p>',
    ),
    check.formulaColours,
    /katex.*: not in the colour of its text/,
  ],
  ['text too dark on dark', insert('<p class="dim">暗得看不清的字</p>'), dark, /^color-contrast/],
  [
    'a request to another host',
    insert('<img src="http://127.0.0.1:9/a.png" alt="">'),
    quiet,
    /^request outside/,
  ],
  [
    'a file requested at the root of the host',
    insert('<img src="/a.png" alt="">'),
    quiet,
    /^request outside/,
  ],
  ['a file that is missing', insert('<img src="a.png" alt="">'), quiet, /^404 for/],
  [
    'a style attribute, against the policy',
    insert('<p style="color:red">红</p>'),
    quiet,
    /^console error: .*style/,
  ],
  [
    'an inline style sheet, against the policy',
    inHead('<style>p{color:red}</style>'),
    quiet,
    /^console error: .*style/,
  ],
  [
    'a style sheet in a shadow root, against the policy',
    edit('<p>一根柱', '<style>p{color:red}</style><p>一根柱'),
    quiet,
    /^console error: .*style/,
  ],
  [
    'an inline script, against the policy',
    inHead('<script>1</script>'),
    quiet,
    /^console error: .*script/,
  ],
  ['a script that throws', edit('page.js', 'fault.js'), quiet, /^uncaught: a fault/],
  [
    'a widget that nobody registers',
    insert('<attn-late>字</attn-late>'),
    (page) => check.widgetsReady(page, 200),
    /^<attn-late> was not registered/,
  ],
  [
    'a box that nothing can be typed into',
    insert('<label class="number">数<input type="button" value="1"></label>'),
    check.boxes,
    /not to be typed into/,
  ],
  [
    'a chip that looks the same pressed or not',
    insert('<button type="button" class="chip" aria-pressed="true">片</button>'),
    alike,
    /^button.chip looks the same/,
  ],
  [
    'a box that has no place',
    insert('<label class="number">数<input hidden></label>'),
    check.boxes,
    /without its place/,
  ],
];

const atRest: [string, string, Parameters<typeof findings>[2], RegExp][] = [
  ['a broad box', insert('<p class="broad">宽</p>'), narrow, /^p.broad sticks out/],
  [
    'a broad box that makes the page scroll',
    insert('<p class="broad">宽</p>'),
    narrow,
    /^the page scrolls sideways/,
  ],
  [
    'a broad box in a shadow root',
    edit('<p>一根柱', '<p class="broad">一根柱'),
    narrow,
    /attn-demo#w > p.broad/,
  ],
  [
    'a box that scrolls, but not by keyboard',
    edit(' tabindex="0" role="region" aria-label="宽表"', ''),
    scrollers,
    /^div.scroll scrolls, but not by keyboard/,
  ],
  [
    'a box that scrolls and has no name',
    edit(' role="region" aria-label="宽表"', ''),
    scrollers,
    /^div.scroll is a stop without/,
  ],
  ['a label outside its picture', edit('<text x="2"', '<text x="95"'), narrow, /“六成” is cut off/],
  ['a dollar sign left over', insert('<p>设 $d$ 为</p>'), check.formulas, /^p: raw TeX: 设 \$d\$/],
  ['a command left over', insert('<p>设 \\sqrt d</p>'), check.formulas, /raw TeX/],
  [
    'a formula with an error',
    insert('<span class="katex-error">x</span>'),
    check.formulas,
    /with an error/,
  ],
  [
    'a formula that can’t be seen',
    insert('<span class="katex unseen">x</span>'),
    check.formulas,
    /not visible/,
  ],
  [
    'a number without text',
    insert('<span class="num"> </span>'),
    check.numbers,
    /span.num: a number without/,
  ],
  [
    'an empty widget',
    insert('<attn-x><p> </p></attn-x>'),
    check.pictures,
    /^attn-x: nothing to see/,
  ],
  [
    'an empty picture',
    insert('<attn-x><svg width="9" height="9"></svg></attn-x>'),
    check.pictures,
    /nothing to see/,
  ],
  [
    'a picture that can’t be seen',
    insert('<attn-x><p class="unseen">字</p></attn-x>'),
    check.pictures,
    /^attn-x: nothing to see/,
  ],
  [
    'a placeholder left over',
    insert('<p>共 {num total}</p>'),
    check.unresolved,
    /“共 \{num total\}”/,
  ],
  ['NaN', insert('<p>NaN%</p>'), check.unresolved, /“NaN%”/],
  ['NaN in a shadow root', edit('60.0%', 'NaN%'), check.unresolved, /attn-demo#w > p/],
  [
    'undefined in a text for screen readers',
    edit('"一根柱"', '"undefined"'),
    check.unresolved,
    /“undefined”/,
  ],
  ['an object', insert('<p>[object Object]</p>'), check.unresolved, /object/],
  ['infinity', insert('<p>Infinity</p>'), check.unresolved, /Infinity/],
  ['zero with a sign', insert('<p>−0.00</p>'), check.unresolved, /“−0.00”/],
  ['zero with a sign from two texts', insert('<p>−<!-- -->0 %</p>'), check.unresolved, /“−0 %”/],
  ['a link to nowhere', insert('<a href="none/">空</a>'), check.links, /none\/ leads nowhere/],
  ['a stray percent sign', insert('<a href="%">百</a>'), check.links, /% is no address/],
  [
    'a link to the root of the host',
    insert('<a href="/sub/">根</a>'),
    check.links,
    /leaves the folder/,
  ],
  ['a folder without its slash', insert('<a href="sub">缺</a>'), check.links, /lacks its slash/],
  [
    'a fragment that is missing',
    insert('<a href="#none">空</a>'),
    check.links,
    /#none points at an id/,
  ],
  [
    'a fragment that is missing elsewhere',
    insert('<a href="sub/#none">空</a>'),
    check.links,
    /points at an id/,
  ],
  ['an unknown protocol', insert('<a href="lesson:c3-l04">课</a>'), check.links, /protocol/],
  [
    'a fragment hidden in a shadow root',
    edit('<p>一根柱', '<a href="#inner">内</a><p id="inner">一根柱'),
    check.links,
    /#inner points at an id/,
  ],
  [
    'a style sheet that is missing',
    inHead('<link rel="stylesheet" href="a.css">'),
    check.links,
    /a.css leads nowhere/,
  ],
];

test.describe('scripts on', () => {
  test('the good page passes', async ({page}) => {
    expect(
      await findings(page, good, async (page, site, watched) => [
        ...(await check.widgetsReady(page)),
        ...(await check.accessibility(page)),
        ...(await dark(page)),
        ...(await check.unresolved(page)),
        ...(await narrow(page)),
        ...(await scrollers(page)),
        ...(await quiet(page, site, watched)),
      ]),
    ).toEqual([]);
  });

  for (const [name, html, look, expected] of alive) {
    test(`found: ${name}`, async ({page}) => {
      expect(await findings(page, html, look)).toContainEqual(expect.stringMatching(expected));
    });
  }
});

test('found: a figure that is not as it was built', async ({page}) => {
  const changed = (page: Page) => check.changedFigures(page, good);
  expect(await findings(page, good, changed)).toEqual([]);
  expect(await findings(page, edit('width="60"', 'width="61"'), changed)).toEqual([
    'attn-demo#w: not as it was built',
  ]);
});

test.describe('scripts off', () => {
  test.use({javaScriptEnabled: false});

  test('the good page passes', async ({page}) => {
    expect(
      await findings(page, good, async (page, site, watched) => [
        ...(await check.formulas(page)),
        ...(await check.numbers(page)),
        ...(await check.pictures(page)),
        ...(await check.unresolved(page)),
        ...(await check.links(page, site)),
        ...(await narrow(page)),
        ...(await quiet(page, site, watched)),
      ]),
    ).toEqual([]);
  });

  test('a link outside the page until keyboard focus is allowed', async ({page}) => {
    const html = insert('<p><a class="skip" href="#w">跳到部件</a></p>');
    expect(await findings(page, html, narrow)).toEqual([]);
  });

  test('folds with the same name are all opened', async ({page}) => {
    const fold = '<details name="one"><summary>折</summary><span class="num">1</span></details>';
    expect(await findings(page, insert(fold + fold), check.numbers)).toEqual([]);
  });

  test('no signed zero: ranges, differences, small numbers', async ({page}) => {
    const html = insert('<p>10−0，x−0，−0.5，（a）−0，−0.001</p>');
    expect(await findings(page, html, check.unresolved)).toEqual([]);
  });

  for (const [name, html, look, expected] of atRest) {
    test(`found: ${name}`, async ({page}) => {
      expect(await findings(page, html, look)).toContainEqual(expect.stringMatching(expected));
    });
  }
});

test.describe('valid HTML', () => {
  const validate = (name: string) => check.validHtml({folder: join(folder, '..')}, name);

  test('the good pages pass', async () => {
    expect(await validate('site/index.html')).toEqual([]);
    expect(await validate('site/sub/index.html')).toEqual([]);
  });

  test('found: a box inside a paragraph, an id twice, a style attribute', async () => {
    const found = await validate('invalid.html');
    expect(found).toContainEqual(expect.stringMatching(/^invalid.html:4:.*close-order/));
    expect(found).toContainEqual(expect.stringMatching(/^invalid.html:5:.*no-dup-id/));
    expect(found).toContainEqual(expect.stringMatching(/^invalid.html:6:.*no-inline-style/));
  });
});
