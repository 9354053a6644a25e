// Pictures of <attn-position>.

import {html, nothing, type TemplateResult} from 'lit';
import {fixed} from '../../shared/format.js';
import {course, type Line, type PositionTouch} from './course.js';
import {dials} from './dials.js';
import {map} from './map.js';
import {seats} from './seats.js';
import type {PositionResult, PositionState} from './state.js';
import {CHANGED, facts} from './words.js';

/** The picture; a widget that answers a reader gives `touch`. */
export function view(
  state: PositionState,
  result: PositionResult,
  touch?: PositionTouch,
): TemplateResult {
  if (result.moved.length > 0)
    return html`${seats(result.moved, state, touch)}
      <p class="reading">
        格子是输出的各个分量，颜色越深，绝对值越大；连线的两头是同一个词元，实线是输出没变。
      </p>`;
  const flat = result.spread < CHANGED && result.course[0] !== null;
  const line: Line = {
    values: result.course,
    tone: flat ? 'right' : 'wrong',
    name: flat
      ? '✓ 分数不随位置变'
      : result.spread > 0
        ? `✗ 分数随位置变，最多差${fixed(result.spread, 2)}`
        : '✗ 表里没有这一行',
  };
  const fetched: Line[] = [
    {values: result.kept, tone: 'right', name: '✓ 取回的，V不转'},
    {values: result.turned, tone: 'wrong', name: '✗ V也转'},
  ];
  return html`${course([line], state, '同样的距离，分数随位置怎样变', {places: touch ?? 'at rest'})}
    ${result.dials.length > 0 ? dials(result.dials, state, touch) : nothing}
    ${result.map.length > 0 ? map(result.map, state) : nothing}
    ${
      result.turned.length > 0
        ? course(fetched, state, '取回的第1个分量随位置怎样变：V不转，V也转')
        : nothing
    }
    <p class="reading">${facts(state, result)}</p>`;
}
