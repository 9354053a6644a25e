// Questions, timeline, data flow and formula as a reader uses them.
import {expect, type Locator, type Page} from '@playwright/test';
import {test, type Site} from './site.js';

const lesson = 'c3/l03/';
const CHOICE = '#q-share-negative';
const NUMBER = '#q-softmax-close';

async function open(page: Page, site: Site, selector: string, hash = ''): Promise<Locator> {
  await page.goto(`${site.url}${lesson}${hash}`);
  const widget = page.locator(selector);
  await expect(widget).toHaveAttribute('ready', '');
  return widget;
}

const answerOf = (widget: Locator) => widget.locator('.answer');

test('a choice can be answered, compared, stored and withdrawn', async ({page, site}) => {
  const widget = await open(page, site, CHOICE);
  await expect(answerOf(widget).locator('dd').first()).toBeHidden();
  await widget.getByRole('radio', {name: '不到一整份'}).check();
  await expect(widget.locator('.says')).toHaveText('你选了「不到一整份」。打开答案对一对。');
  await widget.getByText('看答案').click();
  await expect(answerOf(widget)).toContainText('✗ 「不到一整份」');
  await expect(widget.getByText('✓ 算出来是它')).toBeVisible();
  await expect(widget.locator('.says')).toContainText('算出来是「比一整份还多」');

  await page.reload();
  await expect(widget.getByRole('radio', {name: '不到一整份'})).toBeChecked();
  await expect(answerOf(widget)).toHaveAttribute('open', '');

  await widget.getByRole('button', {name: '重新作答'}).click();
  await expect(answerOf(widget)).not.toHaveAttribute('open', '');
  await expect(widget.getByRole('radio').first()).toBeFocused();
  await expect(widget.getByRole('radio', {checked: true})).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('attn-lessons/answers'))).toBe('{}');
});

test('a question on a page has no links to take it along', async ({page, site}) => {
  const widget = await open(page, site, CHOICE);
  await expect(widget.locator('.tools')).toBeHidden();
});

test('a number may be typed in several forms, and Enter shows the answer', async ({page, site}) => {
  const widget = await open(page, site, NUMBER);
  const box = widget.getByRole('textbox', {name: '我猜'});
  await box.fill('六成');
  await expect(widget.getByRole('alert')).toContainText('不是一个数');
  await box.fill('４０％');
  await expect(widget.getByRole('alert')).toBeHidden();
  await expect(widget).toHaveAttribute('guess', '40');
  await box.press('Enter');
  await expect(answerOf(widget)).toContainText('✗ 40 %');
  await expect(answerOf(widget)).toContainText('66.5 %');
  await expect(widget.locator('.says')).toHaveText('你写了40 %，算出来是66.5 %，低了26.5 %。');
});

test('an empty box is not an answer', async ({page, site}) => {
  const widget = await open(page, site, NUMBER);
  const box = widget.getByRole('textbox', {name: '我猜'});
  await box.fill('−１．５');
  await expect(widget).toHaveAttribute('guess', '-1.5');
  await box.fill('');
  await expect(widget.locator('.says')).toHaveText('还没有作答。');
  await expect(widget.getByRole('alert')).toBeHidden();
});

test('without storage only the stored answer is missing', async ({page, site}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  const widget = await open(page, site, CHOICE);
  await widget.getByRole('radio', {name: '比一整份还多'}).check();
  await widget.getByText('看答案').click();
  await expect(widget.locator('.says')).toContainText('猜对了');
  expect(errors).toEqual([]);
});

test('a link holds the answer to one question, and an invalid option gives a message', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, CHOICE, `${CHOICE}?guess=2`);
  await expect(widget.getByRole('radio', {name: '比一整份还多'})).toBeChecked();
  await expect(page.locator('attn-check[guess]')).toHaveCount(1);
  await page.goto('about:blank');
  await page.goto(`${site.url}${lesson}${CHOICE}?guess=9`);
  await expect(widget.locator('.trouble')).toBeVisible();
  await expect(widget.getByRole('radio')).toHaveCount(3);
});

test('another question is reported when it has loaded', async ({page, site}) => {
  const widget = await open(page, site, CHOICE);
  const before = await widget.locator('.prompt, legend').first().textContent();
  const state = await widget.evaluate(
    (element) =>
      new Promise((resolve) => {
        element.addEventListener(
          'attn-change',
          (event) => resolve((event as CustomEvent<{state: object}>).detail.state),
          {once: true},
        );
        Object.assign(element, {state: {question: 'c3-l03/double-row'}});
      }),
  );
  expect(state).toMatchObject({question: 'c3-l03/double-row'});
  await expect(widget.locator('.prompt, legend').first()).not.toHaveText(before ?? '');
});

test('a widget whose script fails to load gives a message', async ({page, site}) => {
  const widget = await open(page, site, '#w-formula', '#w-formula');
  await page.route('**/figure-client*', (route) => route.abort());
  await widget.getByText('保存图片').click();
  await expect(widget.getByRole('alert')).toHaveText('画图的脚本载入失败，请再试一次。');
});

test.describe('without scripts', () => {
  test.use({javaScriptEnabled: false});
  test('the answer opens, and every text of the timeline and the data flow is present', async ({
    page,
    site,
  }) => {
    await page.goto(`${site.url}${lesson}`);
    const widget = page.locator(CHOICE);
    await expect(answerOf(widget).locator('p').first()).toBeHidden();
    await widget.getByText('看答案').click();
    await expect(answerOf(widget)).toContainText('−44.4 %');
    await expect(answerOf(widget).locator('p').first()).toBeVisible();
    await expect(page.locator('#w-formula dt')).toHaveCount(6);
    for (const term of await page.locator('#w-formula dt').all()) await expect(term).toBeVisible();
    const timeline = page.locator('attn-timeline');
    await expect(timeline.locator('li.here p').first()).toBeVisible();
    await timeline.getByText('② 生成').last().click();
    await timeline.locator('details[data-stop="N11"] summary').click();
    await expect(timeline.getByText('组数再减就退回MQA')).toBeVisible();
  });
});

test('on paper every answer and every node is open', async ({page, site}) => {
  await open(page, site, CHOICE);
  await page.emulateMedia({media: 'print'});
  await expect(page.locator(CHOICE).locator('.answer p').first()).toBeVisible();
  await expect(page.locator('attn-timeline').getByText('组数再减就退回MQA')).toBeVisible();
  await expect(page.locator('#w-formula dt').first()).toBeVisible();
});

test('timeline: a station shows its text; all of them, or the start, when one asks', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-timeline');
  const node = (id: string) => widget.locator(`details[data-stop="${id}"]`);
  const dot = (id: string) => widget.locator(`svg.wide .station[data-station="${id}"]`);
  await expect(node('N4').locator('p').first()).toBeVisible();
  await expect(node('N5')).toBeHidden();
  await dot('N5').press('Enter');
  await expect(node('N5').locator('p').first()).toBeVisible();
  await expect(node('N4')).toBeHidden();
  await widget.getByRole('button', {name: '全部展开'}).click();
  await expect(node('N12').locator('p').first()).toBeVisible();
  // Folds are the reader's until the state is set again.
  await node('N12').locator('summary').press('Enter');
  await expect(node('N12')).not.toHaveAttribute('open', '');
  await widget.getByRole('button', {name: '还原'}).click();
  await expect(node('N5')).toBeHidden();
  await expect(node('N4').locator('p').first()).toBeVisible();
  // A station of the other track.
  await dot('N9').click();
  await expect(node('N9').locator('p').first()).toBeVisible();
  await expect(widget).toHaveAttribute('node', 'N9');
});

test('data flow: a box of the picture and a line of the list choose the same step', async ({
  page,
  site,
}) => {
  const widget = await open(page, site, 'attn-dataflow');
  const step = (id: string) => widget.locator(`details[data-step="${id}"]`);
  await widget.locator('g[data-step="projection"]').click();
  await expect(step('projection')).toHaveAttribute('open', '');
  await expect(step('weights')).not.toHaveAttribute('open', '');
  await expect(widget).toHaveAttribute('step', 'projection');
  await step('scores').locator('summary').press('Enter');
  await expect(widget).toHaveAttribute('step', 'scores');
  await widget.locator('g[data-step="mask"]').click();
  await expect(step('mask').locator('dd').first()).toBeVisible();
  await widget.getByRole('button', {name: '还原'}).click();
  await expect(step('weights')).toHaveAttribute('open', '');
  await expect(step('mask')).not.toHaveAttribute('open', '');
});

test('formula: mouse and keyboard choose the same part', async ({page, site}) => {
  const widget = await open(page, site, '#w-formula');
  await widget.locator('g[data-part="k"] text').first().click();
  await expect(widget).toHaveAttribute('part', 'k');
  await expect(widget.locator('dt:visible')).toHaveText(/键的转置/);
  await widget.getByRole('button', {name: /softmax/}).press('Enter');
  await expect(widget.locator('dt:visible')).toHaveText(/分数到权重/);
  await expect(widget.getByRole('button', {name: /softmax/})).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('hydration keeps the built drawing, once', async ({page, site}) => {
  await open(page, site, CHOICE);
  await expect(page.locator('attn-timeline')).toHaveAttribute('ready', '');
  const changed = await page.evaluate(async () => {
    const built = Document.parseHTMLUnsafe(await (await fetch(location.href)).text());
    const tags = 'attn-check, attn-dataflow, attn-formula, attn-timeline';
    const drawing = (widget?: Element) =>
      [...(widget?.shadowRoot?.querySelectorAll('.widget') ?? [])].map((element) =>
        element.textContent?.replace(/\s+/g, ''),
      );
    const before = [...built.querySelectorAll(tags)];
    return [...document.querySelectorAll(tags)]
      .filter((widget, i) => {
        const [now, then] = [drawing(widget), drawing(before[i])];
        return now.length !== 1 || now[0] !== then[0];
      })
      .map((widget) => widget.localName);
  });
  expect(changed).toEqual([]);
});
