// Progress (lessons read, questions answered) is stored in the browser and shown on the pages.
import {readFileSync} from 'node:fs';
import {expect, type Page} from '@playwright/test';
import * as check from './checks.js';
import {test} from './site.js';

const lesson = 'c3/l05/';
const header = (page: Page) => page.locator('main > .eyebrow .progress');
const onMap = (page: Page) => page.locator('#map [data-progress="c3-l05"] .progress');

async function openLesson(page: Page, url: string): Promise<void> {
  await page.goto(url + lesson);
  expect(await check.widgetsReady(page)).toEqual([]);
}

async function readToTheEnd(page: Page): Promise<void> {
  await page.locator('#provenance').scrollIntoViewIfNeeded();
  await expect(header(page)).toHaveText('✓ 读过');
}

/** Answers the questions at the lesson's end, except the last few. */
async function answerQuiz(page: Page, {leave = 0} = {}): Promise<number> {
  const quiz = ((await page.locator('main > .eyebrow').getAttribute('data-quiz')) ?? '').split(' ');
  for (const question of quiz.slice(0, quiz.length - leave)) {
    await page.locator(`attn-check[question="${question}"]`).evaluate((element) => {
      const {state} = element as unknown as {state: object};
      Object.assign(element, {state: {...state, guess: 0}});
    });
  }
  return quiz.length;
}

test('a lesson read and answered is marked in its header and on the map', async ({page, site}) => {
  await openLesson(page, site.url);
  await expect(header(page)).toHaveCount(0);
  await readToTheEnd(page);
  await page.goto(site.url);
  await expect(onMap(page)).toHaveText('✓ 读过');
  await expect(page.locator('#map .progress')).toHaveCount(1);

  await openLesson(page, site.url);
  await expect(header(page)).toHaveText('✓ 读过');
  const questions = await answerQuiz(page, {leave: 1});
  expect(questions).toBeGreaterThan(2);
  await expect(header(page)).toHaveText(`✓ 读过 · 课后题答了${questions - 1}/${questions}`);
  await answerQuiz(page);
  await expect(header(page)).toHaveText('✓ 做完');
  await page.goto(site.url);
  await expect(onMap(page)).toHaveText('✓ 做完');
});

test('progress can be exported, cleared and restored', async ({page, site}) => {
  await page.goto(site.url);
  await expect(page.locator('.progress-tools')).toHaveCount(0);
  await openLesson(page, site.url);
  await readToTheEnd(page);
  await page.goto(site.url);

  const download = page.waitForEvent('download');
  await page.getByRole('button', {name: '导出进度'}).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('attn-lessons-progress.json');
  expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toEqual({
    version: 1,
    kept: {'c3-l05': {read: true}},
  });

  await page.getByRole('button', {name: '清空进度'}).click();
  await expect(onMap(page)).toBeEmpty();
  await page.getByRole('button', {name: '撤销清空'}).click();
  await expect(onMap(page)).toHaveText('✓ 读过');
  await page.getByRole('button', {name: '清空进度'}).click();
  await page.reload();
  await expect(page.locator('#map .progress')).toHaveCount(0);
});

for (const {name, script} of [
  {
    name: 'full',
    script: `Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };`,
  },
  {
    name: 'refused',
    script: `Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('no', 'SecurityError');
      },
    });`,
  },
]) {
  test(`a storage that is ${name} gives one sentence, and the page still works`, async ({
    page,
    site,
  }) => {
    const findings = check.watch(page, site);
    await page.addInitScript(script);
    await openLesson(page, site.url);
    await readToTheEnd(page);
    await answerQuiz(page);
    await expect(header(page)).toHaveText('✓ 做完');
    await expect(page.locator('.refused')).toHaveCount(1);
    await expect(page.locator('.refused')).toHaveText(/^[^。]*不让本站存东西[^。]*。$/);
    expect(findings).toEqual([]);
  });
}

test.describe('scripts off', () => {
  test.use({javaScriptEnabled: false});

  test('no progress is shown', async ({page, site}) => {
    await page.goto(site.url);
    await expect(page.locator('.progress, .progress-tools')).toHaveCount(0);
  });
});
