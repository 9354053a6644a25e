import type {TemplateResult} from 'lit';
import {describe, expect, it} from 'vitest';
import {generalTick, ticksAround, ticksBelow, tickTexts} from '../../web/shared/axis.js';
import {scientific} from '../../web/shared/format.js';
import {drawTemplate} from '../../web/site/draw.js';

describe('labels of an axis', () => {
  it('have the usual digits where these differ', () => {
    expect(tickTexts([0, 0.25, 2048, 2e8], generalTick())).toEqual([
      '0',
      '0.25',
      '2,048',
      '2.00×10⁸',
    ]);
  });

  it('have as many digits as make them differ', () => {
    // With four digits both ends would read 0.5.
    expect(tickTexts([0.50001, 0.50002], generalTick())).toEqual(['0.50001', '0.50002']);
    // 1.5×10⁵ rounds to 2×10⁵.
    expect(tickTexts([1e5, 1.5e5, 2e5], scientific)).toEqual(['1.0×10⁵', '1.5×10⁵', '2.0×10⁵']);
    expect(tickTexts([20_000_000, 20_000_010], generalTick())).toEqual([
      '2.000000×10⁷',
      '2.000001×10⁷',
    ]);
  });

  it('are left out where no number of digits that fits makes them differ', () => {
    expect(tickTexts([1, 1 + 1e-12, 2], generalTick())).toEqual(['1.000000', '', '2.000000']);
  });

  it('stay inside at both ends', async () => {
    const drawn = await drawTemplate(
      ticksBelow([-4, 0, 4], [-4, 4], 0, String) as unknown as TemplateResult,
    );
    const anchors = [...drawn.matchAll(/text-anchor="?(\w+)/g)].map(([, anchor]) => anchor);
    expect(anchors).toEqual(['start', 'middle', 'end']);
  });

  it('at an end are left out beside a value', () => {
    expect(ticksAround(3, [0, 10])).toEqual([0, 3, 10]);
    expect(ticksAround(0.5, [0, 10])).toEqual([0.5, 10]);
    expect(ticksAround(0, [0, 10])).toEqual([0, 10]);
    expect(ticksAround(9.5, [0, 10])).toEqual([0, 9.5]);
  });
});
