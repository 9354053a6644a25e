// The recipe of the corpus, on poems of our own. The real text is held to its SHA-256 when fetched.
import {describe, expect, it} from 'vitest';
import {countsOf, textOf} from '../../web/tools/corpus.mjs';

describe('corpus', () => {
  it('one poem a line, lines of a poem joined without anything between', () => {
    const poems = [{paragraphs: ['山高。', '月小。']}, {paragraphs: ['水落。']}];
    expect(textOf(poems)).toBe('山高。月小。\n水落。\n');
  });

  it('counts leave line breaks out and know characters beyond 16 bits', () => {
    // 𠀀 ×2, 山, 月, 。: the two most frequent are 3 of 5.
    expect(countsOf('𠀀山\n𠀀月。\n', 2)).toEqual({
      poems: 2,
      characters: 5,
      distinct: 4,
      covered: 0.6,
    });
  });
});
