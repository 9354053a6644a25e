// The order of the case's pages, and the numbers of the questions in them.
import {describe, expect, it} from 'vitest';
import parts from '../../lessons/case/pages.js';
import {CasePages, circled} from '../../web/site/case-pages.js';
import {BASE} from '../../web/site/paths.js';

const pages = new CasePages(parts);
const all = parts.flatMap((part) => part.pages);

describe('the list of the pages', () => {
  it('must name every page of lessons/case and no other', () => {
    const [first, ...rest] = parts;
    const without = [{...first!, pages: first!.pages.slice(1)}, ...rest];
    const left = first!.pages[0]!.folder;
    expect(() => new CasePages(without)).toThrow(`lessons/case/${left}/index.md:1: `);
    const ghost = {folder: 'ghost', about: '', needs: [], able: '', minutes: 1};
    expect(() => new CasePages([...parts, {name: '', what: '', pages: [ghost]}])).toThrow(
      /^lessons\/case\/pages\.ts:\d+: 没有lessons\/case\/ghost\/index\.md/,
    );
  });

  it('links each page with its neighbours, in both directions', () => {
    const frames = pages.folders.map((folder) => pages.frame(folder)!);
    expect(frames[0]!.prev).toBeUndefined();
    expect(frames.at(-1)!.next).toBeUndefined();
    for (const [i, folder] of pages.folders.entries()) {
      const href = `${BASE}${folder}/index.html`;
      if (i > 0) expect(frames[i - 1]!.next!.href).toBe(href);
      if (i + 1 < frames.length) expect(frames[i + 1]!.prev!.href).toBe(href);
      expect(frames[i]!.minutes).toBe(all[i]!.minutes);
    }
    expect(pages.frame('c3/l03')).toBeUndefined();
    expect(pages.frame('case/think')).toEqual({});
  });

  it('puts every page on the map and on the list, with what it presupposes', () => {
    const map = pages.map((lesson) => `[${lesson}]`);
    for (const {folder, able, needs} of all) {
      expect(map).toContain(`<a href="${BASE}case/${folder}/index.html">`);
      expect(map).toContain(able);
      for (const need of needs)
        expect(map).toContain(need.startsWith('case/') ? `${BASE}${need}/` : `[${need}]`);
      expect(pages.list()).toContain(`${BASE}case/${folder}/index.html`);
    }
    expect(map + pages.list()).not.toMatch(/^$/m);
  });
});

describe('the questions', () => {
  it('have circled numbers up to 50', () => {
    expect([1, 18, 20, 21, 35].map(circled)).toEqual(['①', '⑱', '⑳', '㉑', '㉟']);
    expect([36, 50].map(circled)).toEqual(['㊱', '㊿']);
  });

  it('are counted through all pages, and collected under the titles of theirs', () => {
    let next = 1;
    const collected = pages.thinks((markdown, folder) => {
      const boxes = markdown.match(/^::: think \S.*$/gm) ?? [];
      for (const place of boxes.keys()) expect(pages.thinkNumber(folder, place)).toBe(next++);
      return '<a class="num" href="#num-x" data-num="x">1</a>';
    });
    expect(next).toBeGreaterThan(2);
    // Two pages may use one name for a number, so each link goes to the page that prints it.
    expect(collected).toContain(`"num" href="${BASE}case/experiment/index.html#num-x">1<`);
    expect(collected).not.toContain('data-num');
    expect(pages.thinkNumber('c3/l03', 0)).toBeUndefined();
  });
});
