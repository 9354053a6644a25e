import {describe, expect, it} from 'vitest';
import {wrapText} from '../../web/shared/plot.js';

describe('wrapText', () => {
  it('counts Latin half, keeps words whole and never begins a line with closing punctuation', () => {
    expect(wrapText('一二三四五六七', 3)).toEqual(['一二三', '四五六', '七']);
    // The comma would be the fourth: it stays with its line.
    expect(wrapText('一二三，四五', 3)).toEqual(['一二三，', '四五']);
    // softmax is 3.5 wide: too wide beside 做, so it moves as a whole.
    expect(wrapText('做softmax之后', 4)).toEqual(['做', 'softmax', '之后']);
  });

  it('loses no character, however narrow', () => {
    const text = '先softmax，再把权重除以√d（d = 64）。';
    for (const width of [1, 2, 5, 40]) expect(wrapText(text, width).join('')).toBe(text);
    expect(wrapText('', 10)).toEqual([]);
  });
});
