// Line breaks of headings.
import {describe, expect, it} from 'vitest';
import {headingHtml} from '../../web/site/headings.js';

describe('a heading', () => {
  it('breaks between words, and beside punctuation without a mark', () => {
    expect(headingHtml('一行分数，怎样变成「各看多少」？')).toBe(
      '一行<wbr>分数，怎样<wbr>变成「各看<wbr>多少」？',
    );
  });

  it('never breaks before a word of one character', () => {
    // 词元 is two words for the segmenter, 词 and 元.
    expect(headingHtml('无关的词元会改变别人的比例')).toBe(
      '无关的词元会<wbr>改变<wbr>别人的<wbr>比例',
    );
  });

  it('keeps a percentage together', () => {
    expect(headingHtml('100 %往哪里放')).toBe('100\u00a0%往<wbr>哪里放');
  });

  it('escapes what is special in HTML', () => {
    expect(headingHtml('<attn-softmax>')).not.toContain('<attn');
  });
});
