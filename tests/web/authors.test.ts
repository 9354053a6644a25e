// Authors' changes: a changed value reaches every place, a mistake is reported with its line, and
// dist/ stays complete.

import {createHash} from 'node:crypto';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {CODE_MARK, devRounds, TEXT_MARK, type DevRounds} from './dev-rounds.js';
import {buildPages, copyProject, mistakesIn, run} from './project-copy.js';

const ANCHOR = 'lessons/models/anchor-model.json';
const LESSON = 'lessons/c3/l03/index.md';
/** The limit for several builds on a busy machine: one takes 20 s of processor time. */
const PATIENCE_MS = 900_000;

let project: string;
let first: Record<string, string>;
let before: Map<string, Printed>;
let rounds: DevRounds;
let inWidgets: ReturnType<typeof widgetMistakes>;

beforeAll(async () => {
  project = copyProject();
  expect(await buildPages(project)).toMatchObject({ok: true});
  first = hashes(project);
  before = printed();
}, PATIENCE_MS);

afterAll(() => rmSync(project, {recursive: true, force: true}));

const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

/** A lesson's or a model's file whose text has changed. */
function changed(path: string, from: string | RegExp, to: string): {path: string; text: string} {
  const good = textOf(path);
  const text = good.replace(from, to);
  expect(text).not.toBe(good);
  return {path, text};
}

/** The line of a text in a file, from 1. */
function lineOf(path: string, text: string): number {
  const file = textOf(path);
  expect(file).toContain(text);
  return file.slice(0, file.indexOf(text)).split('\n').length;
}

/** The start of a message about a mistake in the lesson, in place of this text. */
const at = (text: string) => `${LESSON}:${lineOf(LESSON, text)}: `;

/** Mistakes in a widget of the lesson, each with parts of its message. */
function widgetMistakes(): {change: ReturnType<typeof changed>; parts: string[]}[] {
  const tag = /^<attn-softmax id="w-softmax".*$/m.exec(textOf(LESSON))?.[0] ?? '';
  return [
    {
      change: changed(LESSON, tag, tag.replace('8,7,9', '8,x,9')),
      parts: [at(tag), '「x」不是一个数'],
    },
    {
      change: changed(LESSON, tag, tag.replace('scores', 'score')),
      parts: [at(tag), '没有叫「score」的属性'],
    },
    {change: changed(LESSON, tag, `前面有字${tag}`), parts: [at(tag), '自成一段']},
  ];
}

/** Every file of dist/ in `folder`, with a hash of its bytes. */
function hashes(folder: string): Record<string, string> {
  const dist = join(folder, 'dist');
  const files = readdirSync(dist, {recursive: true, encoding: 'utf8'}).filter((path) =>
    statSync(join(dist, path)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(dist, path)))
        .digest('hex'),
    ]),
  );
}

interface Printed {
  id: string;
  page: string;
  text: string;
  inputs: {name: string; source: string}[];
}

function printed(): Map<string, Printed> {
  const {numbers} = JSON.parse(textOf('dist/numbers.json')) as {numbers: Printed[]};
  return new Map(numbers.map((number) => [`${number.page} ${number.id}`, number]));
}

describe('building the course', () => {
  it(
    'gives the same bytes in another folder',
    () => {
      // Built here only if another suite hasn't done it.
      const builder = `import('./web/tools/fresh.mjs').then((fresh) => fresh.buildIfChanged())`;
      execFileSync(process.execPath, ['-e', builder]);
      expect(hashes('.')).toEqual(first);
    },
    PATIENCE_MS,
  );

  it(
    'stops at a mistake with its path and line, and keeps dist/',
    async () => {
      const number = '{num fruit_sum}';
      const mistakes: [ReturnType<typeof changed>, string | RegExp][] = [
        // A missing key is reported with the lesson that needs it.
        [
          changed(ANCHOR, /\n\s*"head_dim": 256,/, ''),
          /anchor-model\.json:\d+: .*head_dim.*lessons\/c3\//,
        ],
        [changed(LESSON, number, '{num no_such_number}'), at(number)],
      ];
      const messages = await mistakesIn(
        project,
        mistakes.map(([change]) => change),
      );
      for (const [i, [, message]] of mistakes.entries()) expect(messages[i]).toMatch(message);
      expect(hashes(project)).toEqual(first);
    },
    PATIENCE_MS,
  );

  it(
    'fails as a command at a trailing comma, and keeps dist/',
    async () => {
      const good = textOf(ANCHOR);
      const {text} = changed(ANCHOR, /("head_dim": 256,\n)/, '$1  ,\n');
      writeFileSync(join(project, ANCHOR), text);
      const {ok, output} = await buildPages(project);
      writeFileSync(join(project, ANCHOR), good);
      expect(ok).toBe(false);
      expect(output).toMatch(/anchor-model\.json:\d+: .*lessons\/c3\//);
      expect(hashes(project)).toEqual(first);
    },
    PATIENCE_MS,
  );
});

describe('a course with another head_dim, a new lesson and a new widget', () => {
  beforeAll(async () => {
    const {text} = changed(ANCHOR, '"head_dim": 256', '"head_dim": 128');
    writeFileSync(join(project, ANCHOR), text);
    const written = {ok: true, output: ''};
    expect(await run(project, 'web/tools/new-lesson.mjs', ['c3/l99'])).toEqual(written);
    expect(await run(project, 'web/tools/new-element.mjs', ['attn-two-words'])).toEqual(written);
    inWidgets = widgetMistakes();
    // npm run dev begins with a build whose scripts are not minified.
    rounds = await devRounds(
      project,
      inWidgets.map(({change}) => change),
    );
  }, PATIENCE_MS);

  it('shows what is saved under npm run dev, and keeps a page through a mistake', () => {
    const {text, code, mistake, mended} = rounds;
    expect(text.page).toContain(TEXT_MARK);
    expect(text.page).toContain(`/dev-reload.js?seen=${text.version}"`);
    expect(text.page).not.toContain(CODE_MARK);
    expect(code.page).toContain(TEXT_MARK);
    // The first page leaves the drawing to the new scripts.
    expect(code.first).toContain('<attn-softmax');
    expect(code.first).not.toContain('shadowrootmode');
    for (const changed of [code.script, code.page, code.other])
      expect(changed).toContain(CODE_MARK);
    expect(mistake.message).toMatch(/^lessons\/c3\/l03\/index\.md:\d+: .*no_such_number/);
    expect(mistake).toMatchObject({version: code.version, page: code.page});
    expect(mended.page).not.toContain(TEXT_MARK);
    expect(mended.page).toContain(CODE_MARK);
    expect(new Set([text, code, mended].map(({version}) => version)).size).toBe(3);
  });

  it('reports mistakes in a widget under npm run dev with path and line', () => {
    expect(rounds.reports).toHaveLength(inWidgets.length);
    for (const [i, {parts}] of inWidgets.entries())
      for (const part of parts) expect(rounds.reports[i]).toContain(part);
  });

  it('carries head_dim to every number, figure, answer and widget that depends on it', () => {
    const after = printed();
    const dependent = [...before.values()].filter(({inputs}) =>
      inputs.some(({name}) => name === 'head_dim'),
    );
    expect(dependent.length).toBeGreaterThan(20);
    for (const {id, page, text} of dependent)
      expect(after.get(`${page} ${id}`)?.text, id).not.toBe(text);
    const now = hashes(project);
    for (const file of [
      'figures/c3-l03-w-variance.svg',
      'figures/c3-l03-q-dot-std.svg',
      'content/questions/c3-l03/dot-std.json',
      'content/timeline.json',
    ]) {
      expect(first[file], file).toBeDefined();
      expect(now[file], file).not.toBe(first[file]);
    }
    // A figure that depends on no model stays as it is.
    expect(now['figures/c3-l03-w-softmax.svg']).toBe(first['figures/c3-l03-w-softmax.svg']);
    // √128 = 11.3
    expect(textOf('dist/c3/l03/index.html')).toMatch(/data-num="dot_std"[^>]*>11\.3</);
  });

  it('has the pages of the lesson and of the widget', () => {
    const page = textOf('dist/c3/l99/index.html');
    expect(page).toMatch(/<a class="num" href="#num-example_tokens"[^>]*>5<\/a>/);
    expect(page).toContain('<attn-check');
    expect(textOf('dist/index.html')).toContain('c3/l99/index.html');
    expect(textOf('dist/embed/attn-two-words.html')).toContain('<template shadowrootmode="open">');
    expect(textOf('dist/figures/widgets-w-two-words.svg')).toContain('e的1次方');
    expect(textOf('dist/widgets/attn-two-words/index.html')).toContain('<attn-two-words');
    expect(textOf('dist/widgets/index.html')).toContain('href="attn-two-words/index.html"');
    expect(JSON.parse(textOf('web/embed/heights.json'))).toHaveProperty('attn-two-words');
  });

  it(
    'has new files that are well formed and typed, and pass their test',
    async () => {
      const written = [
        'lessons/c3/chapter.ts',
        'lessons/c3/l99/numbers.ts',
        'lessons/c3/l99/questions.ts',
        'web/elements/attn-two-words.ts',
        'web/embed/heights.json',
        'tests/web/attn-two-words.test.ts',
      ];
      const passes = async (script: string, ...args: string[]) =>
        expect(await run(project, `node_modules/${script}`, args)).toMatchObject({ok: true});
      await passes('prettier/bin/prettier.cjs', '--check', ...written);
      // The second file declares the forms of import() that Vite knows.
      const include = [...written.filter((path) => path.endsWith('.ts')), 'web/site/types.d.ts'];
      const types = JSON.stringify({extends: './tsconfig.json', include});
      writeFileSync(join(project, 'written.json'), types);
      await passes('typescript/bin/tsc', '-p', 'written.json');
      await passes('vitest/vitest.mjs', 'run', 'tests/web/attn-two-words.test.ts');
    },
    PATIENCE_MS,
  );
});
