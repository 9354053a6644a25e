import type {TemplateResult} from 'lit';
import {describe, expect, it} from 'vitest';
import {along, histogram, path, wrapText} from '../../web/shared/plot.js';
import {drawTemplate} from '../../web/site/draw.js';

describe('wrapText', () => {
  it('counts Latin letters half, keeps words whole and punctuation behind its word', () => {
    expect(wrapText('一二三四五六七', 3)).toEqual(['一二三', '四五六', '七']);
    // The comma would be the fourth character; it stays on its line.
    expect(wrapText('一二三，四五', 3)).toEqual(['一二三，', '四五']);
    // softmax is 3.5 wide, too wide beside 做, so the whole word moves to the next line.
    expect(wrapText('做softmax之后', 4)).toEqual(['做', 'softmax', '之后']);
  });

  it('loses no character at any width', () => {
    const text = '先softmax，再把权重除以√d（d = 64）。';
    for (const width of [1, 2, 5, 40]) expect(wrapText(text, width).join('')).toBe(text);
    expect(wrapText('', 10)).toEqual([]);
  });
});

const draw = async (part: unknown) =>
  (await drawTemplate(part as TemplateResult)).replace(/<!--.*?-->/gs, '');

describe('parts of pictures', () => {
  it('places a value along an axis, linear or logarithmic', () => {
    expect(along(0.25, [0, 1])).toBe(25);
    expect(along(-32, [-64, 64])).toBe(25);
    expect(along(10, [1, 100], 'log')).toBe(50);
    expect(along(7, [7, 7])).toBe(50);
  });

  it('draws a histogram as one outline, with heights in proportion to the counts', async () => {
    expect(
      await draw(histogram({counts: [0, 4, 1], maxCount: 4, height: 50, fill: 'right'})),
    ).toContain('d="M0 100V100.00H1V0.00H2V75.00H3V100Z"');
  });

  it('joins n points by n − 1 lines', async () => {
    expect(
      (
        await draw(
          path(
            [
              [0, 1],
              [50, 2],
              [100, 3],
            ],
            'ink',
          ),
        )
      ).match(/<line/g),
    ).toHaveLength(2);
    expect(await draw(path([[0, 1]], 'ink'))).not.toContain('<line');
  });
});
