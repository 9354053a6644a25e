// npm run new:lesson and npm run new:element write files that build and pass, or report one
// sentence.

import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {buildPages, copyProject, run} from './project-copy.js';

/** The limit for a build on a busy machine. */
const PATIENCE_MS = 900_000;

let project: string;

beforeAll(() => {
  project = copyProject();
});

afterAll(() => rmSync(project, {recursive: true, force: true}));

const lesson = (...args: string[]) => run(project, 'web/tools/new-lesson.mjs', args);
const element = (...args: string[]) => run(project, 'web/tools/new-element.mjs', args);
const textOf = (path: string) => readFileSync(join(project, path), 'utf8');

describe('scaffolds', () => {
  it('refuse a missing name, an invalid one and one in use, in one sentence each', async () => {
    const mistakes = [
      [await lesson(), /^缺少名字，例如：npm run new:lesson -- c3\/l11$/],
      [await lesson('l11'), /^“l11”不合规矩/],
      [await lesson('../c3/l11'), /^“\.\.\/c3\/l11”不合规矩/],
      [await lesson('c99/l01'), /^没有“c99”这一章/],
      [await lesson('c3/l03'), /^已经有 lessons\/c3\/l03\/index\.md 了/],
      [await lesson('c3/l98', 'c3/l99'), /^一次只能建一个/],
      [await element(), /^缺少名字，例如：npm run new:element -- attn-name$/],
      [await element('softmax'), /^“softmax”不合规矩/],
      [await element('attn-Name'), /^“attn-Name”不合规矩/],
      [await element('attn-softmax'), /^已经有 web\/elements\/attn-softmax\.ts 了/],
    ] as const;
    for (const [{ok, output}, sentence] of mistakes) {
      expect(ok).toBe(false);
      expect(output.trim()).toMatch(sentence);
      expect(output.trim()).not.toContain('\n');
    }
    expect(existsSync(join(project, 'lessons/c3/l98'))).toBe(false);
  });

  it(
    'writes a lesson and a widget that build, are well formed and typed, and pass their test',
    async () => {
      expect(await lesson('c3/l99')).toEqual({ok: true, output: ''});
      expect(await element('attn-two-words')).toEqual({ok: true, output: ''});
      expect(await buildPages(project, 'minify: false')).toMatchObject({ok: true});

      const page = textOf('dist/c3/l99/index.html');
      expect(page).toMatch(/<a class="num" href="#num-example_tokens"[^>]*>5<\/a>/);
      expect(page).toContain('<attn-check');
      expect(textOf('dist/index.html')).toContain('c3/l99/index.html');
      expect(textOf('dist/embed/attn-two-words.html')).toContain(
        '<template shadowrootmode="open">',
      );
      expect(textOf('dist/figures/widgets-w-two-words.svg')).toContain('e的1次方');
      expect(textOf('dist/widgets/attn-two-words/index.html')).toContain('<attn-two-words');
      expect(textOf('dist/widgets/index.html')).toContain('href="attn-two-words/index.html"');
      expect(JSON.parse(textOf('web/embed/heights.json'))).toHaveProperty('attn-two-words');

      const written = [
        'lessons/c3/chapter.ts',
        'lessons/c3/l99/numbers.ts',
        'lessons/c3/l99/questions.ts',
        'web/elements/attn-two-words.ts',
        'web/embed/heights.json',
        'tests/web/attn-two-words.test.ts',
      ];
      const prettier = 'node_modules/prettier/bin/prettier.cjs';
      expect(await run(project, prettier, ['--check', ...written])).toMatchObject({ok: true});
      // The second file declares the forms of import() that Vite knows.
      const include = [...written.filter((path) => path.endsWith('.ts')), 'web/site/types.d.ts'];
      const types = JSON.stringify({extends: './tsconfig.json', include});
      writeFileSync(join(project, 'written.json'), types);
      const tsc = ['node_modules/typescript/bin/tsc', ['-p', 'written.json']] as const;
      expect(await run(project, ...tsc)).toMatchObject({ok: true});
      const test = ['run', 'tests/web/attn-two-words.test.ts'];
      expect(await run(project, 'node_modules/vitest/vitest.mjs', test)).toMatchObject({ok: true});
    },
    PATIENCE_MS,
  );
});
