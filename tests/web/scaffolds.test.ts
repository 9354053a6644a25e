// npm run new:lesson and npm run new:element refuse a wrong name. The files that they write are
// built in tests/web/authors.

import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {copyProject, run} from './project-copy.js';

let project: string;

beforeAll(() => {
  project = copyProject();
});

afterAll(() => rmSync(project, {recursive: true, force: true}));

const lesson = (...args: string[]) => run(project, 'web/tools/new-lesson.mjs', args);
const element = (...args: string[]) => run(project, 'web/tools/new-element.mjs', args);

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
});
