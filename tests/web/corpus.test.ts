// The recipe of the corpus, on made-up poems. The SHA-256 of the real text is checked after
// download.
import {describe, expect, it} from 'vitest';
import {countsOf, textOf} from '../../web/tools/corpus.mjs';

describe('corpus', () => {
  it('puts each poem on one line, its lines joined without a separator', () => {
    const poems = [{paragraphs: ['山高。', '月小。']}, {paragraphs: ['水落。']}];
    expect(textOf(poems)).toBe('山高。月小。\n水落。\n');
  });

  it('counts no line breaks, and a character beyond 16 bits once', () => {
    // 𠀀 ×2, 山, 月, 。: the two most frequent characters make up 3 of 5.
    expect(countsOf('𠀀山\n𠀀月。\n', 2)).toEqual({
      poems: 2,
      characters: 5,
      distinct: 4,
      covered: 0.6,
    });
  });
});
