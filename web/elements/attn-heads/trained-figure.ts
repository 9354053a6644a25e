// Pictures of a trained model's reading of a text: the weights of a head, the loss of each
// character, and all heads side by side.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {HeadPortrait} from '../../train.js';
import {shown} from './character.js';
import {fixed, percent} from '../../shared/format.js';
import {color, figure, hatch, panel, rule, text, upright} from '../../shared/plot.js';
import {headName, squares} from '../../training/maps.js';

const LEFT = 6;
const CELL = 15;
const TOP = 40;
/** With more columns than this, not every column has room for its name. */
const MOST_NAMES = 30;

const columnsOf = (n: number) => ({
  width: (100 - LEFT) / n,
  at: (j: number) => LEFT + ((100 - LEFT) * j) / n,
});

/** A name stands at every n-th column. */
const stepOf = (n: number) => Math.ceil(n / MOST_NAMES);

function names(
  characters: readonly string[],
  y: number,
  token: 'key' | 'ink-2',
): SVGTemplateResult {
  const {width, at} = columnsOf(characters.length);
  const step = stepOf(characters.length);
  return svg`${characters.map((character, j) =>
    j % step === 0
      ? text(at(j) + width / 2, y, shown(character), {anchor: 'middle', size: 11, fill: token})
      : nothing,
  )}`;
}

/** The attention weights: one row for each query position. */
export function heatMap({
  characters,
  weights,
  row,
  name,
}: {
  characters: readonly string[];
  weights: readonly (readonly number[])[];
  row: number;
  name: string;
}): TemplateResult {
  const n = characters.length;
  const {at} = columnsOf(n);
  return figure(
    {height: TOP + CELL * n + 4, label: `${name}的注意力：行是谁在看，列是看谁；数值见表格`},
    svg`<defs>${hatch('later', 'ink-2')}</defs>
    ${text(0, 14, `${name}：行看列`, {weight: 600})}${text(100, 14, '越深，权重越大', {
      anchor: 'end',
      size: 12,
      fill: 'ink-2',
    })}
    ${names(characters, TOP - 5, 'key')}
    ${characters.map(
      (character, i) => svg`${text(0, TOP + CELL * i + 12, shown(character), {
        size: 11,
        fill: 'query',
        weight: i === row ? 700 : 400,
      })}
      ${
        i + 1 < n
          ? svg`<rect x="${at(i + 1).toFixed(2)}%" y=${TOP + CELL * i}
            width="${(100 - at(i + 1)).toFixed(2)}%" height=${CELL} fill="url(#later)"
            fill-opacity="0.3"/>`
          : nothing
      }`,
    )}
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT, height: CELL * n},
      svg`<svg width="100%" height=${CELL * n} viewBox="0 0 ${n} ${n}"
        preserveAspectRatio="none">${squares(weights)}</svg>`,
    )}
    <rect x="${LEFT}%" y=${TOP + CELL * row} width="${100 - LEFT}%" height=${CELL} fill="none"
      stroke=${color('query')} stroke-width="2"/>`,
  );
}

const BAR = 84;
const BARS_TOP = 44;

/** One row of the map, with the largest weights as numbers. */
export function rowBars({
  characters,
  weights,
  row,
}: {
  characters: readonly string[];
  weights: readonly number[];
  row: number;
}): TemplateResult {
  const {width, at} = columnsOf(characters.length);
  const most = weights
    .map((weight, j) => ({weight, j}))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 3);
  const largest = most
    .filter(({weight}) => weight >= 0.05)
    .map(({weight, j}) => `「${shown(characters[j] ?? '')}」${percent(weight)}`)
    .join('，');
  return figure(
    {
      height: BARS_TOP + BAR + 24,
      label: `第${row + 1}个字「${shown(characters[row] ?? '')}」的权重：${largest}`,
    },
    svg`
    ${text(0, 14, `第${row + 1}个字「${shown(characters[row] ?? '')}」看谁`, {
      weight: 600,
    })}${text(0, 32, largest, {size: 12, fill: 'ink-2'})}
    ${[0, 0.5, 1].map(
      (tick) =>
        svg`${rule(LEFT, 100, BARS_TOP + BAR * (1 - tick))}${text(
          LEFT - 1,
          BARS_TOP + BAR * (1 - tick) + 4,
          String(tick),
          {anchor: 'end', size: 10, fill: 'ink-2'},
        )}`,
    )}
    ${weights.map((weight, j) =>
      j > row
        ? nothing
        : svg`<rect x="${(at(j) + width * 0.15).toFixed(2)}%"
          y=${(BARS_TOP + BAR * (1 - weight)).toFixed(1)} width="${(width * 0.7).toFixed(2)}%"
          height=${(BAR * weight).toFixed(1)} fill=${color('weight')}/>`,
    )}
    ${names(characters, BARS_TOP + BAR + 15, 'key')}`,
  );
}

/** The loss of each character, for the whole model and without one head. */
export function lossBars({
  characters,
  losses,
  without,
  blind,
  name,
}: {
  characters: readonly string[];
  losses: readonly number[];
  without: readonly number[];
  blind: number;
  name: string;
}): TemplateResult {
  const {width, at} = columnsOf(characters.length);
  const top = Math.max(10, Math.ceil(Math.max(...losses, ...without)));
  const y = (loss: number) => BARS_TOP + BAR * (1 - loss / top);
  const bar = (loss: number, j: number, side: 0 | 1) =>
    svg`<rect x="${(at(j) + width * (side === 0 ? 0.1 : 0.52)).toFixed(2)}%" y=${y(loss).toFixed(1)}
      width="${(width * 0.38).toFixed(2)}%" height=${(BARS_TOP + BAR - y(loss)).toFixed(1)}
      fill=${side === 0 ? color('score') : 'url(#without)'}/>`;
  return figure(
    {height: BARS_TOP + BAR + 24, label: `每个字的损失：整个模型，与关掉${name}之后；数值见表格`},
    svg`<defs>${hatch('without', 'wrong')}</defs>
    ${text(0, 14, '每个字的损失（nat）：越高，越没料到', {weight: 600})}
    <rect x="0%" y="22" width="10" height="10" fill=${color('score')}/><svg x="0%" y="0"
      overflow="visible"><text x="15" y="32" font-size="12" fill=${color('score')}>整个模型</text></svg>
    <rect x="34%" y="22" width="10" height="10" fill="url(#without)"/><svg x="34%" y="0"
      overflow="visible"><text x="15" y="32" font-size="12"
      fill=${color('wrong')}>关掉${name}</text></svg>
    ${[0, top].map(
      (tick) =>
        svg`${rule(LEFT, 100, y(tick))}${text(LEFT - 1, y(tick) + 4, String(tick), {
          anchor: 'end',
          size: 10,
          fill: 'ink-2',
        })}`,
    )}
    ${losses.map((loss, i) => svg`${bar(loss, i + 1, 0)}${bar(without[i] ?? loss, i + 1, 1)}`)}
    <line x1="${LEFT}%" x2="100%" y1=${y(blind)} y2=${y(blind)} stroke=${color('ink-2')}
      stroke-dasharray="4 3"/>
    ${text(99, y(blind) - 4, `瞎猜${fixed(blind, 2)}`, {
      anchor: 'end',
      size: 11,
      fill: 'ink-2',
      halo: true,
    })}
    ${names(characters, BARS_TOP + BAR + 15, 'ink-2')}`,
  );
}

export interface HeadRow {
  layer: number;
  head: number;
  portrait: HeadPortrait;
  /** The increase of this text's loss without the head; null for a text of one character. */
  effect: number | null;
  /** The recorded increase of the validation loss. */
  recorded: number;
}

const ROW = 38;
const HEADS_TOP = 46;
const NAME = 13;
const COLUMN = (100 - NAME) / 6;

const STATISTICS: readonly {
  name: string;
  of: (portrait: HeadPortrait) => number;
  digits: number;
}[] = [
  {name: '熵H', of: ({entropy}) => entropy, digits: 3},
  {name: '看自己', of: ({diagonal}) => diagonal, digits: 3},
  {name: '前一位', of: ({previous}) => previous, digits: 3},
  {name: '距离', of: ({distance}) => distance, digits: 2},
];

/** A number above a bar; a mark shows the value of a head with uniform weights. */
function cell(
  column: number,
  y: number,
  label: string,
  share: number,
  {mark, chosen, token}: {mark: number | null; chosen: boolean; token: 'weight' | 'wrong'},
): SVGTemplateResult {
  const x = NAME + COLUMN * column;
  return panel(
    {x, y, width: COLUMN - 1.5, height: ROW},
    svg`${text(0, 16, label, {size: 12, weight: chosen ? 700 : 400})}
    <rect x="0%" y="22" width="100%" height="8" fill=${color('weight-soft')}/><rect x="0%" y="22"
      width="${Math.max(0, Math.min(100, 100 * share)).toFixed(1)}%" height="8"
      fill=${color(token)}/>
    ${mark === null ? nothing : upright(100 * mark, 19, 33, 'ink')}`,
  );
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${fixed(value, 3)}`;

/** The numbers of every head, and those of a head with uniform weights. */
export function portraits({
  rows,
  uniform,
  layer,
  head,
}: {
  rows: readonly HeadRow[];
  uniform: HeadPortrait;
  layer: number;
  head: number;
}): TemplateResult {
  const longest = Math.max(uniform.distance, ...rows.map(({portrait}) => portrait.distance), 1e-9);
  const share = (value: number, i: number) => (i === 3 ? value / longest : value);
  const most = Math.max(...rows.map(({effect}) => effect ?? 0), 1e-9);
  const mostRecorded = Math.max(...rows.map(({recorded}) => recorded), 1e-9);
  return figure(
    {
      height: HEADS_TOP + ROW * (rows.length + 1),
      label: `${rows.length}个头的画像与消融；数值即图中的字`,
    },
    svg`
    ${STATISTICS.map(({name}, i) => text(NAME + COLUMN * i, 36, name, {size: 11, fill: 'ink-2'}))}
    ${text(NAME + COLUMN * 4, 16, '关掉它', {
      size: 11,
      fill: 'ink-2',
    })}${text(NAME + COLUMN * 4, 36, '这段', {
      size: 11,
      fill: 'ink-2',
    })}${text(NAME + COLUMN * 5, 36, '验证集', {size: 11, fill: 'ink-2'})}
    ${rule(0, 100, HEADS_TOP)}${text(0, HEADS_TOP + 16, '平分', {size: 12, fill: 'ink-2'})}
    ${STATISTICS.map(({of, digits}, i) =>
      cell(i, HEADS_TOP, fixed(of(uniform), digits), 0, {
        mark: share(of(uniform), i),
        chosen: false,
        token: 'weight',
      }),
    )}
    ${rows.map((each, k) => {
      const y = HEADS_TOP + ROW * (k + 1);
      const chosen = each.layer === layer && each.head === head;
      return svg`${rule(0, 100, y)}${text(
        0,
        y + 16,
        `${chosen ? '▸' : ''}${headName(each.layer, each.head)}`,
        {size: 12, weight: chosen ? 700 : 400},
      )}
        ${STATISTICS.map(({of, digits}, i) =>
          cell(i, y, fixed(of(each.portrait), digits), share(of(each.portrait), i), {
            mark: share(of(uniform), i),
            chosen,
            token: 'weight',
          }),
        )}
        ${cell(4, y, each.effect === null ? '—' : signed(each.effect), (each.effect ?? 0) / most, {
          mark: null,
          chosen,
          token: 'wrong',
        })}
        ${cell(5, y, signed(each.recorded), each.recorded / mostRecorded, {
          mark: null,
          chosen,
          token: 'wrong',
        })}`;
    })}`,
  );
}
