import {describe, expect, it} from 'vitest';
import {along, histogram, path, ticksBelow} from '../../web/shared/plot.js';
import {drawTemplate} from '../../web/site/draw.js';
import type {TemplateResult} from 'lit';

const draw = async (part: unknown) => (await drawTemplate(part as TemplateResult)).replace(/<!--.*?-->/gs, '');

describe('parts of pictures', () => {
  it('places a value along an axis, linear or logarithmic', () => {
    expect(along(0.25, [0, 1])).toBe(25);
    expect(along(-32, [-64, 64])).toBe(25);
    expect(along(10, [1, 100], 'log')).toBe(50);
    expect(along(7, [7, 7])).toBe(50);
  });

  it('draws a histogram as one outline, as tall as the share of the largest count', async () => {
    expect(await draw(histogram({counts: [0, 4, 1], maxCount: 4, height: 50, fill: 'right'}))).toContain('d="M0 100V100.00H1V0.00H2V75.00H3V100Z"');
  });

  it('joins points by one line less than there are points', async () => {
    expect((await draw(path([[0, 1], [50, 2], [100, 3]], 'ink'))).match(/<line/g)).toHaveLength(2);
    expect(await draw(path([[0, 1]], 'ink'))).not.toContain('<line');
  });

  it('keeps the labels at the ends of an axis inside', async () => {
    const anchors = [...(await draw(ticksBelow([-4, 0, 4], [-4, 4], 0, String))).matchAll(/text-anchor="?(\w+)/g)].map(([, anchor]) => anchor);
    expect(anchors).toEqual(['start', 'middle', 'end']);
  });
});
