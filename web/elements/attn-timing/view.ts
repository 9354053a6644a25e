// Picture of <attn-timing>: work and time as multiples of those of the shortest length, on
// logarithmic axes, where n² is a straight line of slope 2.

import {svg, nothing, type SVGTemplateResult, type TemplateResult} from 'lit';
import {tickLabels, ticksBeside} from '../../shared/axis.js';
import {general, integer} from '../../shared/format.js';
import {along, color, figure, marker, panel, path, rule, text} from '../../shared/plot.js';
import type {TimingResult, TimingState} from './state.js';
import {milliseconds} from './words.js';

const LEFT = 13;
const RIGHT = 4;
const TOP = 40;
const PLOT = 220;

/** Powers of ten up to a limit. */
function decades([lo, hi]: readonly [number, number]): number[] {
  const ticks: number[] = [];
  for (let tick = 10 ** Math.floor(Math.log10(lo)); tick <= hi; tick *= 10)
    if (tick >= lo) ticks.push(tick);
  return ticks;
}

/** The measured multiples; the first is 1 by definition. */
function multiples({rows}: TimingResult): readonly (number | null)[] {
  const first = rows[0]?.timed?.median;
  return rows.map(({timed}) => (timed && first ? timed.median / first : null));
}

export function view(_state: TimingState, result: TimingResult): TemplateResult {
  const {rows} = result;
  const lengths = rows.map(({length}) => length);
  const [first = 1, last = 1] = [lengths[0], lengths.at(-1)];
  const measured = multiples(result);
  const values = measured.filter((value) => value !== null);
  const most = Math.max(10, rows.at(-1)?.times ?? 1, ...values);
  const span = [Math.min(1, ...values), most * 1.15] as const;
  const x = (n: number) => along(n, [first, first === last ? first * 2 : last], 'log');
  const y = (times: number) => PLOT - (PLOT * along(times, span, 'log')) / 100;
  const ticks = decades(span);
  const line = (power: number) =>
    path(
      [first, last].map((n) => [x(n), y((n / first) ** power)] as const),
      power === 2 ? 'weight' : 'ink-2',
      power === 2 ? 'solid' : 'dashed',
    );
  const dot = (value: number, i: number): SVGTemplateResult => {
    const n = lengths[i] ?? first;
    const timed = rows[i]?.timed;
    const anchor = i === 0 ? 'start' : i === rows.length - 1 ? 'end' : 'middle';
    return svg`${marker('dot', [x(n), y(value)], 'score')}
      ${text(x(n), y(value) - 12, timed ? milliseconds(timed.median) : '', {
        anchor,
        size: 12,
        fill: 'score',
        halo: true,
      })}`;
  };
  const said = values.length === 0 ? '还没有量' : `量了${values.length}个长度`;
  return figure(
    {
      height: TOP + PLOT + 44,
      label: `运算与时间随n的变化，n从${integer(first)}到${integer(last)}，${said}`,
    },
    svg`<line x1="0%" x2="6%" y1="10" y2="10" stroke=${color('weight')} stroke-width="2"/>
    ${text(7.5, 14, '运算：n²', {fill: 'weight', size: 12})}
    <line x1="38%" x2="44%" y1="10" y2="10" stroke=${color('ink-2')} stroke-width="2"
      stroke-dasharray="6 4"/>
    ${text(45.5, 14, '若与n成正比', {fill: 'ink-2', size: 12})}
    ${marker('dot', [78, 10], 'score')}${text(81, 14, '量到的', {fill: 'score', size: 12})}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT - RIGHT, height: PLOT},
      svg`${ticks.map((tick) => rule(0, 100, y(tick)))}
      ${line(1)}${line(2)}
      ${measured.map((value, i) => (value === null ? nothing : dot(value, i)))}
      ${tickLabels(
        lengths,
        (n, i) => ({
          x: x(n),
          y: PLOT + 18,
          anchor: i === 0 ? 'start' : i === lengths.length - 1 ? 'end' : 'middle',
        }),
        (n) => integer(n),
      )}`,
    )}
    ${ticksBeside(
      ticks,
      LEFT - 1.5,
      (tick) => TOP + y(tick),
      (tick) => `${general(tick)}倍`,
    )}
    ${text(100 - RIGHT, TOP + PLOT + 38, '词元数n', {anchor: 'end', size: 12, fill: 'ink-2'})}`,
  );
}
