// Authors' changes: a changed value reaches every place, a mistake is reported with its line, and
// dist/ stays complete.

import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {buildPages, copyProject} from './project-copy.js';

const ANCHOR = 'lessons/models/anchor-model.json';
/** The limit for several builds on a busy machine: one takes 20 s of processor time. */
const PATIENCE_MS = 900_000;

let project: string;
let first: Record<string, string>;
let before: Map<string, Printed>;

const build = () => buildPages(project);
/** A build that is to stop at a mistake need not make the pages' scripts small first. */
const buildQuickly = () => buildPages(project, 'minify: false');

beforeAll(async () => {
  project = copyProject();
  expect(await build()).toMatchObject({ok: true});
  first = distHashes();
  before = printed();
}, PATIENCE_MS);

afterAll(() => rmSync(project, {recursive: true, force: true}));

const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

/**
 * Builds with a changed file and restores the file afterwards, so that a failed test does not
 * affect the next.
 */
async function buildWith(
  path: string,
  text: string,
  builder = buildQuickly,
): ReturnType<typeof build> {
  const good = textOf(path);
  expect(text).not.toBe(good);
  writeFileSync(join(project, path), text);
  try {
    return await builder();
  } finally {
    writeFileSync(join(project, path), good);
  }
}

/** Every file of dist/ with a hash of its bytes. */
function distHashes(): Record<string, string> {
  const files = readdirSync(join(project, 'dist'), {recursive: true, encoding: 'utf8'}).filter(
    (path) => statSync(join(project, 'dist', path)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(project, 'dist', path)))
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
    'gives the same bytes twice',
    async () => {
      rmSync(join(project, 'dist'), {recursive: true});
      expect(await build()).toMatchObject({ok: true});
      expect(distHashes()).toEqual(first);
    },
    PATIENCE_MS,
  );

  it(
    'stops at a trailing comma and at a missing key, names the line and who needs it, and ' +
      'keeps dist/',
    async () => {
      const good = textOf(ANCHOR);
      const mistakes: [string, RegExp][] = [
        [
          good.replace(/("head_dim": 256,\n)/, '$1  ,\n'),
          /anchor-model\.json:\d+: .*lessons\/c3\//,
        ],
        [
          good.replace(/\n\s*"head_dim": 256,/, ''),
          /anchor-model\.json:\d+: .*head_dim.*lessons\/c3\//,
        ],
      ];
      for (const [text, message] of mistakes) {
        const {ok, output} = await buildWith(ANCHOR, text);
        expect(ok).toBe(false);
        expect(output).toMatch(message);
        expect(distHashes()).toEqual(first);
      }
    },
    PATIENCE_MS,
  );

  it(
    'stops at an unknown number and a missing section of a lesson',
    async () => {
      const path = 'lessons/c3/l03/index.md';
      const good = textOf(path);
      const number = '{num fruit_sum}';
      const line = good.slice(0, good.indexOf(number)).split('\n').length;
      const unknown = await buildWith(path, good.replace(number, '{num no_such_number}'));
      expect(unknown.output).toContain(`${path}:${line}: `);
      expect((await buildWith(path, good.replace('{#gap}', ''))).output).toContain('{#gap}');
      expect(distHashes()).toEqual(first);
    },
    PATIENCE_MS,
  );

  it(
    'stops at a widget that its tag asks for what it can’t show, with the line',
    async () => {
      const path = 'lessons/c3/l03/index.md';
      const good = textOf(path);
      const tag = '<attn-softmax id="w-softmax" scores="8,7,9"';
      expect(good).toContain(tag);
      const line = good.slice(0, good.indexOf(tag)).split('\n').length;
      const mistakes: [string, RegExp][] = [
        [good.replace(tag, tag.replace('8,7,9', '8,x,9')), /「x」不是一个数/],
        [good.replace(tag, tag.replace('scores', 'score')), /没有叫「score」的属性/],
        [good.replace(tag, `前面有字${tag}`), /自成一段/],
      ];
      for (const [text, message] of mistakes) {
        const {ok, output} = await buildWith(path, text);
        expect(ok).toBe(false);
        expect(output).toContain(`${path}:${line}: `);
        expect(output).toMatch(message);
      }
      expect(distHashes()).toEqual(first);
    },
    PATIENCE_MS,
  );

  it(
    'carries a changed head_dim to every number, figure, answer and widget that depends on it',
    async () => {
      const changed = textOf(ANCHOR).replace('"head_dim": 256', '"head_dim": 128');
      expect(await buildWith(ANCHOR, changed, build)).toMatchObject({ok: true});
      const after = printed();
      const dependent = [...before.values()].filter(({inputs}) =>
        inputs.some(({name}) => name === 'head_dim'),
      );
      expect(dependent.length).toBeGreaterThan(20);
      for (const {id, page, text} of dependent)
        expect(after.get(`${page} ${id}`)?.text, id).not.toBe(text);
      const now = distHashes();
      for (const file of [
        'figures/c3-l03-w-variance.svg',
        'figures/c3-l03-q-dot-std.svg',
        'content/questions/c3-l03/dot-std.json',
        'content/timeline.json',
        'c3/l03/index.html',
      ]) {
        expect(first[file], file).toBeDefined();
        expect(now[file], file).not.toBe(first[file]);
      }
      // √128 = 11.3
      expect(textOf('dist/c3/l03/index.html')).toMatch(/data-num="dot_std"[^>]*>11\.3</);
    },
    PATIENCE_MS,
  );
});
