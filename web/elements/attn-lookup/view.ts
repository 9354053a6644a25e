// Drawing of <attn-lookup>: the entries with both weightings, and both outputs against one score.

import {html, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {generalTick, ticksAround, ticksBelow, ticksBeside} from '../../shared/axis.js';
import {general, percent} from '../../shared/format.js';
import {along, color, figure, panel, path, rule, text, type Point} from '../../shared/plot.js';
import {NAMES, type Answer, type LookupResult, type LookupState} from './compute.js';

const ROW = 46;
const TOP = 30;

/** The weights of both lookups, entry by entry, and the slope of each output by each score. */
function entries(
  {scores}: LookupState,
  {values, weights, best, hard, soft: blend, gradient}: LookupResult,
): TemplateResult {
  const bottom = TOP + ROW * scores.length;
  const bar = (x: number, y: number, share: number, label: string) =>
    panel(
      {x, y, width: 21, height: ROW},
      svg`${text(0, 17, label, {size: 12})}
    <rect x="0%" y="24" width="100%" height="12" fill=${color('weight-soft')}/><rect x="0%" y="24"
      width="${along(share, [0, 1])}%" height="12" fill=${color('weight')}/>`,
    );
  return figure(
    {height: bottom + 32, label: `硬查表取回${general(hard)}，软查表取回${general(blend)}`},
    svg`
    ${text(0, 18, '分数', {fill: 'score', size: 12})}${text(32, 18, '值', {
      fill: 'value',
      size: 12,
      anchor: 'end',
    })}
    ${text(36, 18, '硬查表', {weight: 600})}${text(61, 18, '软查表', {weight: 600})}${text(
      100,
      18,
      '梯度',
      {anchor: 'end', weight: 600},
    )}
    ${scores.map((score, i) => {
      const y = TOP + ROW * i;
      const name = NAMES[i] ?? '';
      return svg`${rule(0, 100, y)}<g data-thing=${name}>${text(0, y + 18, name)}${text(
        0,
        y + 36,
        general(score),
        {fill: 'score', size: 12},
      )}
        ${text(32, y + 27, general(values[i] ?? 0), {fill: 'value', anchor: 'end'})}
        ${bar(
          36,
          y,
          i === best ? 1 : 0,
          i === best ? '全取' : '不取',
        )}${bar(61, y, weights[i] ?? 0, percent(weights[i] ?? 0))}
        ${text(100, y + 18, '✗ 0', {
          anchor: 'end',
          size: 12,
          fill: 'wrong',
        })}${text(100, y + 36, `✓ ${slopeText(gradient[i] ?? 0)}`, {
          anchor: 'end',
          size: 12,
          fill: 'right',
        })}</g>`;
    })}
    ${rule(0, 100, bottom)}${text(0, bottom + 22, '取回', {weight: 600})}${text(
      36,
      bottom + 22,
      general(hard),
      {fill: 'value', weight: 600},
    )}${text(61, bottom + 22, general(blend), {fill: 'value', weight: 600})}`,
  );
}

/** A slope as text; one of the size of a rounding error is 0. */
export function slopeText(slope: number): string {
  return Math.abs(slope) < 1e-12 ? '0' : general(slope, 3);
}

const HEIGHT = 150;
const LEFT = 13;

/** The outputs against the moved score: a step for the hard lookup, a slope for the soft one. */
function course(
  {scores}: LookupState,
  {values, hard, soft: blend, gradient, moved, curve}: LookupResult,
): TemplateResult {
  const domain = [curve[0]?.score ?? 0, curve.at(-1)?.score ?? 1] as const;
  const range = [Math.min(...values), Math.max(...values)] as const;
  const own = scores[moved] ?? 0;
  const at = (score: number, output: number): Point => [
    along(score, domain),
    Math.round(HEIGHT - 10 - ((HEIGHT - 20) * along(output, range)) / 100),
  ];
  const switched = curve.findIndex(({hard: output}) => output !== curve[0]?.hard);
  const steps = switched < 0 ? [curve] : [curve.slice(0, switched), curve.slice(switched)];
  const flat = (part: readonly Answer[]): SVGTemplateResult => {
    const [first, last] = [part[0], part.at(-1)];
    return first && last
      ? path([at(first.score, first.hard), at(last.score, last.hard)], 'wrong', 'dashed')
      : svg``;
  };
  const dot = (output: number, token: 'wrong' | 'right') => {
    const [x, y] = at(own, output);
    return svg`<circle cx="${x}%" cy=${y} r="5.5" fill=${color(token)} stroke=${color('raised')}
      stroke-width="1.5"/>`;
  };
  const slope = gradient[moved] ?? 0;
  const near = (domain[1] - domain[0]) / 10;
  return figure(
    {
      height: HEIGHT + 68,
      label: `输出随「${NAMES[moved]}」的分数怎样变：硬查表是一级台阶，软查表是一道坡`,
    },
    svg`
    ${text(0, 14, '✗ 硬查表：台阶', {
      fill: 'wrong',
      weight: 600,
    })}${text(50, 14, '✓ 软查表：坡', {fill: 'right', weight: 600})}
    ${ticksBeside([...new Set(range)], LEFT - 2, (value) => 26 + at(0, value)[1], generalTick())}
    ${panel(
      {x: LEFT, y: 26, width: 100 - LEFT, height: HEIGHT},
      svg`
      ${[...new Set(range)].map((value) => rule(0, 100, at(0, value)[1]))}
      ${steps.map(flat)}${path(
        curve.map(({score, soft: output}) => at(score, output)),
        'right',
      )}
      ${path([at(own - near, blend - slope * near), at(own + near, blend + slope * near)], 'ink-2')}
      ${dot(hard, 'wrong')}${dot(blend, 'right')}
      ${ticksBelow(ticksAround(own, domain), domain, HEIGHT, generalTick(3))}`,
    )}
    ${text(100, HEIGHT + 62, `「${NAMES[moved]}」的分数；灰线的斜率就是梯度`, {
      anchor: 'end',
      size: 12,
      fill: 'ink-2',
    })}`,
  );
}

export function view(state: LookupState, result: LookupResult): TemplateResult {
  return html`<div class="charts">${entries(state, result)}${course(state, result)}</div>`;
}
