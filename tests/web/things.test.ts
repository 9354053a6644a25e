// The names of things in formulas and sentences.
import katex from 'katex';
import MarkdownIt from 'markdown-it';
import {describe, expect, it} from 'vitest';
import {nameInFormula, nameWords} from '../../web/site/things.js';

/** The names in a formula, in order. */
function namesIn(source: string): (string | undefined)[] {
  const set = nameInFormula(source, katex.renderToString(source, {displayMode: true}));
  return [...set.matchAll(/data-thing="([^"]*)"/g)].map(([, name]) => name);
}

describe('a formula', () => {
  it('names its letters, √d and softmax', () => {
    const names = namesIn(
      String.raw`\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V`,
    );
    // KaTeX sets a denominator before its numerator.
    expect(names).toEqual(['softmax', 'sqrt', 'q', 'k', 'v']);
  });

  it('leaves the letters of subscripts and exponents alone', () => {
    expect(namesIn(String.raw`xW_Q+e^{s_k}`)).toEqual(['x']);
  });

  it('names no other root', () => {
    expect(namesIn(String.raw`\sqrt{2}+\sqrt d+\sqrt{\sum w^2}+\sqrt{d_{\text{head}}}`)).toEqual([
      'sqrt',
      'sqrt',
    ]);
  });
});

describe('a sentence', () => {
  const md = new MarkdownIt().use(nameWords);
  const draw = (text: string, page = 'lessons/c3/l03/index.md') =>
    md.render(text, {page: {inputPath: page}}).trim();

  it('names the words of a lesson', () => {
    expect(draw('查询和「给了」')).toBe(
      '<p><span data-thing="q">查询</span>和<span data-thing="给了">「给了」</span></p>',
    );
  });

  it('names a word of one character only where it stands alone', () => {
    expect(draw('关键是把**键**')).toBe(
      '<p>关键是把<strong><span data-thing="k">键</span></strong></p>',
    );
  });

  it('names nothing on other pages', () => {
    expect(draw('查询', 'lessons/errata/index.md')).toBe('<p>查询</p>');
  });
});
