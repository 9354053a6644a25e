// The board of <attn-mask>: a square cell a pair, hidden ones hatched; cells are painted on it.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {linearBeat} from '../../shared/beats.js';
import {fixed, scientific} from '../../shared/format.js';
import {heatCell} from '../../shared/heat.js';
import {color, figure, hatch, text, unitsOf} from '../../shared/plot.js';
import {
  answerOf,
  barsAt,
  BEATS,
  come,
  orderOf,
  partsAt,
  placeOf,
  type Beat,
  type Shown,
} from './moment.js';
import {type Cell, codeOf, type MaskResult, type MaskState, type Row} from './state.js';
import type {MaskTouch} from './touch.js';
import {sumText} from './words.js';

/** Width of the picture in its own units; on the narrowest phones one is 0.72 px. */
const WIDTH = 360;
/** Left of the cells the rows' names, above them the columns', right of them the sums. */
const LEFT = 50;
const RIGHT = 52;
const TOP = 44;

const sizeOf = (n: number) => (WIDTH - LEFT - RIGHT) / n;

/** A place in per cent. */
const at = (x: number) => (100 * x) / WIDTH;

/** Columns up to which a cell has room for its number on a phone. */
const FEW = 7;

/** A font size at which a text fits. */
export function fitted(content: string, room: number, most: number): number {
  return Math.min(most, room / Math.max(1, unitsOf(content)));
}

/** A number that enters softmax. */
export function enteringText({defined}: Row, {entering}: Cell): string {
  if (!defined) return '✗';
  if (entering === null) return '−∞';
  return Math.abs(entering) < 1e6 ? fixed(entering, 2) : scientific(entering, 0);
}

/** A number that softmax adds up. */
export const powerText = ({entering, power}: Cell) => (entering === null ? '0' : fixed(power, 2));

export interface Board {
  state: MaskState;
  result: MaskResult;
  shown: Shown;
  /** Index of the block that is drawn. */
  block: number;
  touch?: MaskTouch | undefined;
}

export function board(options: Board): TemplateResult {
  const {result, shown, block, touch} = options;
  const rows = result.blocks[block] ?? [];
  const n = rows.length;
  const size = sizeOf(n);
  const before = result.blocks.slice(0, block).flat().length;
  return figure(
    {
      height: TOP + size * n + 4,
      label: `${n}行${n}列的掩码和权重；数值见表格`,
      touched: touch !== undefined,
      units: WIDTH,
    },
    svg`<defs>${hatch(`hidden-${block}`, 'ink-2')}</defs>
      ${rows.map((_, j) => head(options, rows, j))}
      ${text(at(WIDTH - RIGHT + 2), 24, '行和', {size: 12, fill: 'ink-2'})}
      <g @pointerdown=${touch?.down} @pointermove=${touch?.moved} @pointerup=${touch?.up}
        @pointercancel=${touch?.up} @keydown=${touch?.key}>
        ${rows.map((row, i) => line(options, rows, row, i, before))}
      </g>
      ${
        block === shown.block
          ? svg`<rect x=${LEFT - 1} y=${TOP + size * shown.index - 1} width=${size * n + 2}
              height=${size + 2} rx="4" fill="none" stroke=${color('query')} stroke-width="2.5"
              pointer-events="none"/>`
          : nothing
      }`,
  );
}

/** The name of a column on a card; the answer of the explained row is turned face down. */
function head({state, shown, block}: Board, rows: readonly Row[], j: number): SVGTemplateResult {
  const {label, filler} = rows[j] as Row;
  const size = sizeOf(rows.length);
  const order = orderOf(state.mistake);
  const answer = block === shown.block && answerOf(shown.row, shown.index, rows) === j;
  const cell = shown.row.cells[j];
  const covered = cell?.masked && cell.weight === 0 && shown.row.defined;
  const taken = answer && covered && order[1] === 'hide';
  const turned = taken ? come(order, 'hide', shown.place) : 0;
  const down = turned > 0.5;
  const name = down ? '答案' : label;
  const bare = answer && turned === 0 && shown.place > 0 && shown.row.defined;
  const [width, height] = [size - 4, Math.min(32, size)];
  return svg`<g data-thing=${label} transform="translate(${(LEFT + size * (j + 0.5)).toFixed(2)} 22)
      scale(${Math.max(0.02, Math.abs(1 - 2 * turned)).toFixed(3)} 1)">
    <rect x=${-width / 2} y=${-height / 2} width=${width} height=${height} rx="5"
      fill=${down ? `url(#hidden-${block})` : color('paper')}
      stroke=${color(bare ? 'wrong' : down ? 'ink-2' : 'rule')} stroke-width=${bare ? 2 : 1}/>
    ${text(0, 5, name, {
      anchor: 'middle',
      size: fitted(name, width - 3, 15),
      weight: 600,
      fill: filler ? 'ink-2' : 'ink',
      halo: down,
    })}</g>`;
}

function line(
  {state, result, shown, block, touch}: Board,
  rows: readonly Row[],
  row: Row,
  i: number,
  before: number,
): SVGTemplateResult {
  const n = rows.length;
  const size = sizeOf(n);
  const y = TOP + size * i;
  const base = y + size / 2 + 5;
  const place = placeOf(state, result, i);
  const on = block === shown.block && i === shown.index;
  const {label, filler, defined, sum} = row;
  const whole = defined && Math.abs(sum - 1) < 1e-9;
  const bars = barsAt(partsAt({...row, order: orderOf(state.mistake)}, place), n);
  const name = text(at(LEFT - 6), base, label, {
    anchor: 'end',
    size: fitted(label, LEFT - 8, 15),
    weight: on ? 700 : 400,
    fill: on ? 'query' : filler ? 'ink-2' : 'ink',
  });
  return svg`<g class=${touch ? 'pick' : nothing} data-thing=${label}
      data-cell=${codeOf(before + i, -1)}><rect y=${y}
      width=${WIDTH} height=${size} fill="none" pointer-events="all"/>${name}</g>
    ${row.cells.map((cell, j) => {
      const drawn = heatCell({
        x: LEFT + size * j,
        y,
        size,
        fontSize: n > 5 ? 13 : 15,
        ...moment(state, row, cell, place, {n, whole: bars[j]?.whole ?? 0}),
        ...(cell.masked && cell.weight === 0 && defined
          ? {hatch: {fill: `url(#hidden-${block})`, come: hatched(state, place)}}
          : {}),
      });
      if (!touch) return drawn;
      const code = codeOf(before + i, j);
      return svg`<g class="pick" role="checkbox" data-cell=${code}
        tabindex=${touch.cursor === code ? 0 : -1} aria-checked=${cell.masked ? 'true' : 'false'}
        aria-label="遮住「${label}」看「${rows[j]?.label ?? ''}」">${drawn}<rect
        x=${LEFT + size * j + 2} y=${y + 2} width=${size - 4} height=${size - 4} rx="2"
        fill="none" pointer-events="all"/></g>`;
    })}
    ${
      place < BEATS
        ? nothing
        : text(at(WIDTH - RIGHT + 2), base, `${whole || !defined ? '' : '✗'}${sumText(row)}`, {
            size: 13,
            weight: whole ? 400 : 700,
            fill: whole ? 'ink-2' : 'wrong',
          })
    }`;
}

/** A hatch sweeps evenly. */
function hatched({mistake}: MaskState, place: number): number {
  const k = orderOf(mistake).indexOf('hide');
  return linearBeat(place, k, k + 1);
}

/** Text, ink and colour of a cell at a moment of its row. */
function moment(
  {mistake}: MaskState,
  row: Row,
  cell: Cell,
  place: number,
  {n, whole}: {n: number; whole: number},
) {
  const order = orderOf(mistake);
  const late = order[3] === 'hide';
  const wrong = !row.defined || cell.leak;
  // The text of a beat stands at its end; it fades through nothing to that of the next.
  const k = Math.max(0, Math.min(BEATS, Math.ceil(place)) - 1);
  const progress = place === 0 ? 0 : come(order, order[k] as Beat, place);
  const textAt = (at: number) => (at < 0 ? '' : cellText(order[at] as Beat, late, row, cell, n));
  const [from, to] = [textAt(k - 1), textAt(k)];
  const told = progress > 0.5 ? to : from;
  const label = n <= FEW ? told : wrong && place === BEATS ? '✗' : '';
  const power = come(order, 'power', place);
  return {
    share: row.defined ? power * whole : 0.05 * come(order, 'hide', place),
    token: wrong || (late && cell.masked) ? ('wrong' as const) : ('weight' as const),
    label,
    opacity: from === to ? 1 : Math.abs(2 * progress - 1),
  };
}

function cellText(at: Beat, late: boolean, row: Row, cell: Cell, n: number): string {
  const {score, masked, weight, leak, free} = cell;
  if (at === 'score') return fixed(score, 2);
  if (!row.defined) return '✗';
  if (at === 'power') return powerText(cell);
  if (at === 'hide' && !late) return enteringText(row, cell);
  const share = late && at === 'weight' ? free : weight;
  if (masked && share === 0) return '0';
  const whole = share === 1 || (leak && n > 5);
  return `${leak ? '✗' : ''}${fixed(100 * share, whole ? 0 : 1)}`;
}
