// The sentence in its order and in another: each token's output before and after.

import {nothing, svg, type TemplateResult} from 'lit';
import {fixed} from '../../shared/format.js';
import {slideHandle} from '../../shared/handle.js';
import {color, figure, pin, text} from '../../shared/plot.js';
import type {PositionTouch} from './course.js';
import type {Moved, PositionState} from './state.js';
import {CHANGED} from './words.js';

const CELL = 13;
const UPPER = {token: 38, strip: 48} as const;
const LOWER = {strip: 138, token: 172, verdict: 191, handle: 222} as const;
const HEIGHT = 258;

export function seats(
  moved: readonly Moved[],
  {order}: PositionState,
  touch?: PositionTouch,
): TemplateResult {
  const largest = Math.max(
    ...moved.flatMap(({before, after}) => [...before, ...after].map(Math.abs)),
  );
  const seat = (place: number) => (100 * (place - 0.5)) / moved.length;
  const faint = {anchor: 'middle', size: 12, fill: 'ink-2'} as const;
  const inkOf = (share: number) => (0.05 + 0.9 * share).toFixed(3);
  const strip = (x: number, y: number, values: readonly number[]) =>
    pin(
      x,
      y,
      svg`${values.map(
        (value, i) =>
          svg`<rect x=${(i - values.length / 2) * CELL} width=${CELL} height=${CELL}
            fill=${color('value')} fill-opacity=${inkOf(Math.abs(value) / largest)}
            stroke=${color('rule')} stroke-dasharray=${value < 0 ? '2 2' : nothing}/>`,
      )}`,
    );
  return figure(
    {
      height: HEIGHT,
      label: '换次序前后，每个词元的座位和输出；数值见表格',
      touched: touch !== undefined,
    },
    svg`${text(0, 14, '上排是原来的次序，下排是现在的', {size: 12, fill: 'ink-2'})}
    ${touch ? text(50, HEIGHT - 4, '拖动圆点换座位', faint) : nothing}
    ${moved.map(({token, from, to, before, after, difference}, i) => {
      const same = difference < CHANGED;
      const [x, y] = [seat(from), seat(to)];
      const tone = same ? 'right' : 'wrong';
      const put = (place: number) => {
        const rest = order.filter((other) => other !== i + 1);
        touch?.order([...rest.slice(0, place - 1), i + 1, ...rest.slice(place - 1)]);
      };
      return svg`${text(x, UPPER.token, token, {anchor: 'middle', weight: 600, size: 15})}
      ${strip(x, UPPER.strip, before)}
      <line x1="${x}%" y1=${UPPER.strip + CELL + 5} x2="${y}%" y2=${LOWER.strip - 5}
        stroke=${color(tone)} stroke-width="2" stroke-dasharray=${same ? nothing : '5 4'}/>
      ${strip(y, LOWER.strip, after)}
      ${text(y, LOWER.token, token, {anchor: 'middle', weight: 600, size: 15})}
      ${text(y, LOWER.verdict, same ? '＝没变' : `≠差${fixed(difference, 3)}`, {
        anchor: 'middle',
        size: 12,
        weight: 600,
        fill: tone,
      })}
      ${
        touch
          ? slideHandle({
              x: y,
              y: LOWER.handle,
              token: 'value',
              label: `${token}的座位`,
              spoken: `第${to}个`,
              value: to,
              min: 1,
              max: moved.length,
              step: 1,
              valueAt: (share) => share * moved.length + 0.5,
              move: put,
              done: touch.done,
            })
          : nothing
      }`;
    })}`,
  );
}
