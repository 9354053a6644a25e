// Pictures of <attn-tiles>: the table of scores, of which one tile exists at a time; the queries'
// output as it is built up; and the numbers kept at once beside those of the whole table.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed, integer} from '../../shared/format.js';
import {heatCell, inkOf} from '../../shared/heat.js';
import {along, color, figure, hatch, rule, text} from '../../shared/plot.js';
import {
  momentOf,
  outputRows,
  type OutputRow,
  placeOf,
  type TilesResult,
  type TilesState,
  type TileStep,
  WIDTH,
} from './state.js';
import {span} from './words.js';

/** Called with the playhead's place after the tile that a reader pressed. */
export type ToTile = (at: number) => void;

/** Units of the scaled picture: the table is a square, the output stands at its right. */
const UNITS = 340;
const TABLE = {x: 16, y: 24, side: 228};
const OUTPUT = {x: 262, width: 74};
/** The ledger's first baseline, and the distance of two. */
const LEDGER = 112;
const ROW = 22;
const HEIGHT = TABLE.y + TABLE.side + 4;

interface Drawn {
  readonly state: TilesState;
  readonly result: TilesResult;
  /** Side of a cell in units. */
  readonly cell: number;
}

const label = (x: number, y: number, words: string, fill: 'ink-2' | 'query' | 'key' | 'value') =>
  svg`<text x=${x} y=${y} font-size="12" font-weight="600" fill=${color(fill)}>${words}</text>`;

function frameOf({queryBegin, queryEnd, keyBegin, keyEnd}: TileStep, cell: number) {
  return {
    x: TABLE.x + keyBegin * cell,
    y: TABLE.y + queryBegin * cell,
    width: (keyEnd - keyBegin) * cell,
    height: (queryEnd - queryBegin) * cell,
  };
}

/** Cells of a tile: to come, in hand, or thrown away. */
function tileCells(tile: TileStep, index: number, drawn: Drawn): SVGTemplateResult {
  const {state, result, cell} = drawn;
  const moment = momentOf(state, result);
  const inHand = index === moment.index && !moment.done;
  const past = index <= moment.index && !inHand;
  return svg`${tile.terms.map((row, i) =>
    row.map((term, j) => {
      if (!result.visible[tile.queryBegin + i]?.[tile.keyBegin + j]) return nothing;
      const x = TABLE.x + (tile.keyBegin + j) * cell;
      const y = TABLE.y + (tile.queryBegin + i) * cell;
      if (inHand) return heatCell({x, y, size: cell, share: term * moment.come, token: 'weight'});
      return svg`<rect x=${x + 0.7} y=${y + 0.7} width=${cell - 1.4} height=${cell - 1.4} rx="2.5"
        fill=${past ? color('weight-soft') : 'none'} stroke=${color('rule')} stroke-width="0.8"/>`;
    }),
  )}`;
}

function tileFrame(tile: TileStep, index: number, drawn: Drawn, touch?: ToTile): unknown {
  const {state, result, cell} = drawn;
  const moment = momentOf(state, result);
  const {x, y, width, height} = frameOf(tile, cell);
  const now = index === moment.index && !moment.done;
  const rect = svg`<rect x=${x} y=${y} width=${width} height=${height} rx="4"
    fill="transparent" stroke=${color(now ? 'weight' : 'rule')} stroke-width=${now ? 2.5 : 1.2}/>`;
  if (!touch) return rect;
  return svg`<g class="press" @click=${() => touch(placeOf(index, result.walked.length))}
    >${rect}</g>`;
}

function skippedTile(tile: TileStep, cell: number): SVGTemplateResult {
  const {x, y, width, height} = frameOf(tile, cell);
  return svg`<rect x=${x + 1} y=${y + 1} width=${width - 2} height=${height - 2} rx="4"
    fill="url(#skipped)" opacity="0.25"/>`;
}

/** The numbers of one query's output. Negative ones are hatched. */
function outputStrip({stage, values}: OutputRow, i: number, drawn: Drawn): SVGTemplateResult {
  const {result, cell} = drawn;
  const y = TABLE.y + i * cell + 0.7;
  const height = cell - 1.4;
  if (stage === 'later')
    return svg`<rect x=${OUTPUT.x} y=${y} width=${OUTPUT.width} height=${height} rx="2.5"
      fill="none" stroke=${color('rule')} stroke-dasharray="3 3"/>`;
  const width = OUTPUT.width / WIDTH;
  return svg`${values.map((value, c) => {
    const x = OUTPUT.x + c * width;
    const ink = inkOf(Math.abs(value) / result.most).toFixed(3);
    const fill = value < 0 ? 'url(#below)' : color('value');
    return svg`<rect x=${x} y=${y} width=${width} height=${height} fill=${color('raised')}/>
      <rect x=${x} y=${y} width=${width} height=${height} fill=${fill} fill-opacity=${ink}
        opacity=${value < 0 ? ink : nothing}/>`;
  })}<rect x=${OUTPUT.x} y=${y} width=${OUTPUT.width} height=${height} rx="2.5" fill="none"
    stroke=${color(stage === 'now' ? 'weight' : 'value')}
    stroke-width=${stage === 'now' ? 2 : 1}/>`;
}

/** Bars beside the table and above it: the queries and the keys that are in hand. */
function hands(tile: TileStep | undefined, cell: number): unknown {
  if (!tile) return nothing;
  const {x, y, width, height} = frameOf(tile, cell);
  return svg`<rect x=${TABLE.x - 7} y=${y + 1} width="4" height=${height - 2} rx="2"
      fill=${color('query')}/>
    <rect x=${x + 1} y=${TABLE.y - 7} width=${width - 2} height="4" rx="2" fill=${color('key')}/>`;
}

function board(state: TilesState, result: TilesResult, touch?: ToTile): TemplateResult {
  const {walked, skipped} = result;
  const moment = momentOf(state, result);
  const now = moment.done ? undefined : walked[moment.index];
  const drawn = {state, result, cell: TABLE.side / state.n};
  const where = now
    ? `手里是${span(now.queryBegin, now.queryEnd)}查询、${span(now.keyBegin, now.keyEnd)}键的分数`
    : '手里没有分数';
  return figure(
    {
      height: HEIGHT,
      units: UNITS,
      label: `${state.n}乘${state.n}的分数表分成块，${where}；右边是输出`,
    },
    svg`<defs>${hatch('skipped', 'ink-2')}${hatch('below', 'value')}</defs>
    ${label(TABLE.x, 12, '键和值→', 'key')}
    ${label(TABLE.x + TABLE.side - 48, 12, '查询↓', 'query')}
    ${label(OUTPUT.x, 12, '输出', 'value')}
    ${hands(now, drawn.cell)}
    ${skipped.map((tile) => skippedTile(tile, drawn.cell))}
    ${walked.map((tile, i) => tileCells(tile, i, drawn))}
    ${walked.map((tile, i) => tileFrame(tile, i, drawn, touch))}
    ${outputRows(state, result).map((row, i) => outputStrip(row, i, drawn))}`,
  );
}

/** Numbers kept at once and those of the whole table, to one scale; m and ℓ of queries in hand. */
function memory(state: TilesState, result: TilesResult): TemplateResult {
  const {held, table, walked} = result;
  const most = Math.max(held, table);
  const bar = (y: number, name: string, count: number, token: 'weight' | 'score') => svg`
    ${text(0, y, `${name}${integer(count)}个数`, {size: 12})}
    <rect x="0%" y=${y + 7} width="${along(count, [0, most])}%" height="14" rx="2"
      fill=${color(token)}/>`;
  const {index, taken, done} = momentOf(state, result);
  const now = done ? undefined : walked[index];
  const rows = Math.min(state.block, state.n);
  const end = (x: number, y: number, words: string, bold = false) =>
    text(x, y, words, {anchor: 'end', size: 12, weight: bold ? 600 : 400});
  const ledgerRow = (i: number) => {
    const y = LEDGER + ROW * (i + 1);
    if (!now || i >= now.max.length) return text(0, y, '·', {size: 12, fill: 'ink-2'});
    const [max = 0, before = 0, sum = 0] = [now.max[i], now.before[i], now.sum[i]];
    const counted = taken === 1;
    return svg`${text(0, y, `第${now.queryBegin + i + 1}个`, {size: 12})}
      ${end(46, y, sum === 0 ? '—' : fixed(counted ? max : before, 3))}
      ${end(74, y, counted ? (sum === 0 ? '—' : fixed(sum, 3)) : '…', counted)}`;
  };
  const label = `手里最多${integer(held)}个数，整张分数表${integer(table)}个数；手里的查询各有m和ℓ`;
  return figure(
    {height: LEDGER + ROW * rows + 10, label},
    svg`${bar(14, '手里最多', held, 'weight')}${bar(58, '整张分数表', table, 'score')}
    ${text(0, LEDGER, '手里的查询', {size: 12, fill: 'ink-2'})}
    ${text(46, LEDGER, 'm', {anchor: 'end', size: 12, fill: 'ink-2'})}
    ${text(74, LEDGER, 'ℓ', {anchor: 'end', size: 12, fill: 'ink-2'})}
    ${rule(0, 74, LEDGER + 6)}
    ${Array.from({length: rows}, (_, i) => ledgerRow(i))}`,
  );
}

/** The pictures; a widget that answers a reader gives `touch`. */
export function view(state: TilesState, result: TilesResult, touch?: ToTile): TemplateResult {
  return html`<div class="charts">${board(state, result, touch)}${memory(state, result)}</div>`;
}
