// The codes of the first places: a column for each place, a row for each component.

import {nothing, svg, type TemplateResult} from 'lit';
import {integer} from '../../shared/format.js';
import {color, figure, panel, text} from '../../shared/plot.js';
import {PLACES} from '../../shared/positions.js';
import {LEFT} from './course.js';
import type {PositionState} from './state.js';

const ROW = {few: 20, many: 12} as const;
const TOP = 24;

/** Ink from the lowest value to the highest, so that no colour has to be told apart. */
const inkOf = (share: number) => (0.04 + 0.92 * share).toFixed(2);

export function map(
  codes: readonly (readonly number[])[],
  {at, offset, dim}: PositionState,
): TemplateResult {
  const rows = codes[0]?.length ?? 0;
  const row = rows > 8 ? ROW.many : ROW.few;
  const height = rows * row;
  const width = 100 / PLACES;
  const largest = Math.max(...codes.flatMap((code) => code.map(Math.abs)));
  const frame = (place: number, token: 'key' | 'query') =>
    place < PLACES
      ? svg`<rect x="${(width * place).toFixed(2)}%" y="-3" width="${width}%" height=${height + 6}
          fill="none" stroke=${color(token)} stroke-width="2.5" rx="2"/>`
      : nothing;
  return figure(
    {
      height: TOP + height + 26,
      label: `位置0到${PLACES - 1}的编码，颜色越近文字，数越大；数值见表格`,
    },
    svg`${text(0, 14, '一列一个位置；颜色越近文字，数越大', {
      size: 12,
      fill: 'ink-2',
    })}
    ${Array.from({length: rows}, (_, i) =>
      rows <= 8 || i % 4 === 0
        ? text(LEFT - 1, TOP + row * (i + 0.5) + 4, `第${i + 1}维`, {
            size: 11,
            anchor: 'end',
            fill: 'ink-2',
          })
        : nothing,
    )}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT, height},
      svg`${codes.map((code, place) =>
        code.map(
          (value, i) =>
            svg`<rect x="${(width * place).toFixed(2)}%" y=${row * i} width="${width}%"
              height=${row} fill=${color('ink')}
              fill-opacity=${inkOf((value / largest + 1) / 2)}/>`,
        ),
      )}${frame(at, 'key')}${frame(at + offset, 'query')}`,
    )}
    ${text(LEFT, TOP + height + 18, '位置0', {size: 11, fill: 'ink-2'})}
    ${
      dim > rows
        ? text(50, TOP + height + 18, `画了前${rows}维，共${integer(dim)}维`, {
            size: 11,
            fill: 'ink-2',
            anchor: 'middle',
          })
        : nothing
    }
    ${text(100, TOP + height + 18, `位置${PLACES - 1}`, {size: 11, fill: 'ink-2', anchor: 'end'})}`,
  );
}
