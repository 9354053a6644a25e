// Pictures of <attn-float>: the bits, the number between its neighbours, and the same number in
// every format over its range.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {slideHandle} from '../../shared/handle.js';
import {
  along,
  color,
  figure,
  panel,
  pin,
  rule,
  text,
  type Token,
  upright,
} from '../../shared/plot.js';
import type {FormatLimits} from '../../sequence.js';
import {sumChart} from './sum.js';
import {type FloatResult, type FloatState, isNumber, type Kept, widthOf} from './state.js';
import {apart, layoutText, printed} from './words.js';

/** Callbacks for pressed bits and the dragged number. */
export interface FloatTouch {
  readonly flip: (bit: number) => void;
  readonly move: (wanted: number) => void;
  readonly done: () => void;
}

const IN_ROW = 8;
const BIT_ROW = 62;
const BIT = 40;

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const raised = (power: number) =>
  (power < 0 ? '⁻' : '') +
  [...String(Math.abs(power))].map((digit) => RAISED[Number(digit)]).join('');

/** The part of the number that a bit belongs to, and what a 1 stands for there. */
function partOf(place: number, {exponentBits, fractionBits}: FormatLimits) {
  if (place === 0) return {name: '符号', token: 'score' as Token, worth: '负'};
  if (place <= exponentBits)
    return {name: '指数', token: 'key' as Token, worth: String(2 ** (exponentBits - place))};
  const power = place - exponentBits;
  return {
    name: '小数',
    token: 'value' as Token,
    worth: fractionBits <= 3 || power <= 3 ? `1/${2 ** power}` : `2${raised(-power)}`,
  };
}

function bitsFigure({chosen}: FloatResult, touch: FloatTouch | undefined): TemplateResult {
  const {limits, number, format} = chosen;
  const width = widthOf(limits);
  const cell = 100 / IN_ROW;
  const top = 24;
  const bit = (place: number): SVGTemplateResult => {
    const {name, token, worth} = partOf(place, limits);
    const on = Math.floor(number.bits / 2 ** (width - 1 - place)) % 2 === 1;
    const [x, y] = [cell * (place % IN_ROW), top + BIT_ROW * Math.floor(place / IN_ROW)];
    const flip = () => touch?.flip(width - 1 - place);
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      flip();
    };
    const face = svg`<rect x="6%" y="0" width="88%" height=${BIT} rx="5" fill=${color(token)}
      fill-opacity=${on ? 0.3 : 0} stroke=${color(token)} stroke-width=${on ? 2 : 1}/>
      ${text(50, 26, on ? '1' : '0', {anchor: 'middle', size: 17, weight: on ? 700 : 400})}
      ${text(50, BIT + 15, worth, {anchor: 'middle', size: 11, fill: 'ink-2'})}`;
    return panel(
      {x, y, width: cell, height: BIT_ROW},
      // The texts lie under the button, since its name says more than they do.
      svg`${face}${
        touch
          ? svg`<g class="pick" role="button" tabindex="0" aria-pressed=${on ? 'true' : 'false'}
              aria-label="第${place + 1}位，${name}，${worth}" @click=${flip}
              @keydown=${press}><rect x="6%" y="0" width="88%" height=${BIT} rx="5" fill="none"
              pointer-events="all"/></g>`
          : nothing
      }`,
    );
  };
  const parts = isNumber(number)
    ? `指数2${raised(number.exponent)}，有效数字${apart([number.significand])[0]}`
    : number.kind === 'nan'
      ? '不是数'
      : '无穷';
  return figure(
    {
      height: top + (BIT_ROW * width) / IN_ROW + 36,
      label: `${format}的${width}位，${parts}`,
      touched: touch !== undefined,
    },
    svg`${text(0, 14, `${format}，${layoutText(limits)}`, {weight: 600})}
    ${Array.from({length: width}, (_, place) => bit(place))}
    ${text(0, top + (BIT_ROW * width) / IN_ROW + 14, `${number.negative ? '负' : '正'}，${parts}`, {
      size: 12,
      fill: 'ink-2',
    })}`,
  );
}

/** The number that is wanted between the numbers that there are. */
function lineFigure({wanted, chosen}: FloatResult, touch: FloatTouch | undefined): TemplateResult {
  const {number, limits} = chosen;
  const height = 92;
  const title = text(0, 14, '它和左右邻居', {weight: 600});
  if (!isNumber(number))
    return figure(
      {height, label: '这里没有数'},
      svg`${title}${text(0, 44, printed(number), {size: 20, weight: 600})}
      ${text(0, 68, `最大的数是${apart([limits.max])[0]}`, {size: 12, fill: 'ink-2'})}`,
    );
  const {below, value, above} = number;
  const gap = Math.max(above - value, value - below);
  const lo = value - 1.5 * (value - below || gap);
  const hi = value + 1.5 * (above - value || gap);
  const there = [...new Set([below, value, above])];
  const texts = apart(there, 6);
  const at = (place: number) => along(place, [lo, hi]);
  const shown = Math.min(hi, Math.max(lo, wanted));
  return figure(
    {height, label: `${there.length}个相邻的数：${texts.join('，')}`, touched: touch !== undefined},
    svg`${title}${rule(0, 100, 46)}
    ${there.map(
      (each, i) => svg`${upright(at(each), 34, 58, each === value ? 'value' : 'ink-2')}
        ${text(at(each), 76, texts[i] ?? '', {
          anchor: 'middle',
          size: 12,
          weight: each === value ? 700 : 400,
        })}`,
    )}
    <line x1="${at(shown)}%" x2="${at(value)}%" y1="46" y2="46" stroke=${color('wrong')}
      stroke-width="4"/>
    ${
      touch
        ? panel(
            {x: 0, y: 0, width: 100, height},
            slideHandle({
              x: at(shown),
              y: 46,
              token: 'score',
              label: '要存的数',
              spoken: `${apart([wanted])[0]}，存成${printed(number)}`,
              value: wanted,
              min: -limits.max,
              max: limits.max,
              step: gap / 8,
              valueAt: (share) => lo + share * (hi - lo),
              move: touch.move,
              done: touch.done,
            }),
          )
        : pin(
            at(shown),
            46,
            svg`<circle r="7" fill=${color('raised')} stroke=${color('score')}
            stroke-width="2.5"/>`,
          )
    }`,
  );
}

/** Powers of ten at the ends of the ranges' axis. */
const AXIS = [1e-46, 1e40] as const;

/** Each format's range on one axis of powers, with what the number becomes there. */
function rangesFigure({wanted, chosen, all}: FloatResult): TemplateResult {
  const row = 42;
  const top = 24;
  const size = Math.min(AXIS[1], Math.max(AXIS[0], Math.abs(wanted)));
  const at = (value: number) => along(value, AXIS, 'log');
  const bar = ({format, limits, number}: Kept, i: number): SVGTemplateResult => {
    const y = top + row * i;
    const own = format === chosen.format;
    const piece = (from: number, to: number, opacity: number) =>
      svg`<rect x="${at(from)}%" y=${y + 22} width="${at(to) - at(from)}%" height="10"
        fill=${color('value')} fill-opacity=${opacity}/>`;
    return svg`${text(0, y + 15, format, {weight: own ? 700 : 400})}
      ${text(100, y + 15, `存成${printed(number)}`, {anchor: 'end', weight: own ? 700 : 400})}
      ${piece(limits.minSubnormal, limits.minNormal, 0.35)}
      ${piece(limits.minNormal, limits.max, own ? 1 : 0.7)}`;
  };
  const bottom = top + row * all.length;
  return figure(
    {
      height: bottom + 24,
      label: `五种写法的范围：${all.map(({format, number}) => `${format}存成${printed(number)}`).join('，')}`,
    },
    svg`${text(0, 14, '同一个数，五种写法', {weight: 600})}
    ${all.map(bar)}
    ${wanted === 0 ? nothing : upright(at(size), top + 18, bottom, 'ink')}
    ${[-40, -20, 0, 20].map((power) =>
      text(at(10 ** power), bottom + 14, `10${raised(power)}`, {
        anchor: 'middle',
        size: 11,
        fill: 'ink-2',
      }),
    )}`,
  );
}

/** The pictures; a widget that answers a reader gives `touch`. */
export function view(state: FloatState, result: FloatResult, touch?: FloatTouch): TemplateResult {
  return html`${bitsFigure(result, touch)}${lineFigure(result, touch)}
    <div class="charts">${rangesFigure(result)}${sumChart(state, result)}</div>`;
}
