// The large picture of <attn-backward>: a product, whose cell lies where a row of the left matrix
// meets a column of the upper one; or the rows of dS as areas on both sides of their mean.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed} from '../../shared/format.js';
import {faceFill, heatCell, inkOf} from '../../shared/heat.js';
import {color, figure, hatch, type Token} from '../../shared/plot.js';
import {type Moment, type Operand, productOf} from './moment.js';
import {type BackwardResult, type BackwardState, COLUMNS, ROWS} from './state.js';
import {type BackwardTouch, chooseCell, dragCell} from './touch.js';
import {short} from './words.js';

const CELL = 42;
const GAP = 10;
const SIDE = (ROWS + COLUMNS) * CELL + GAP;
const TALL = COLUMNS * CELL + GAP + ROWS * CELL;
/** Cells outside the lit row and column. */
const DIM = 0.6;

const largest = (values: readonly (readonly number[])[]) =>
  Math.max(1e-9, ...values.flat().map(Math.abs));

function put(
  x: number,
  y: number,
  content: string,
  {size = 12, fill = 'ink-2' as Token, weight = 400, anchor = 'start'} = {},
) {
  return svg`<text x=${x} y=${y} font-size=${size} font-weight=${weight} text-anchor=${anchor}
    fill=${color(fill)}>${content}</text>`;
}

function outline(x: number, y: number, lit: boolean, cursor = 'pointer'): SVGTemplateResult {
  return svg`<rect x=${x + 1} y=${y + 1} width=${CELL - 2} height=${CELL - 2} rx="3" fill="none"
    pointer-events="all" cursor=${cursor} stroke=${lit ? color('ink') : 'none'}
    stroke-width="2"/>`;
}

function cell(x: number, y: number, value: number, most: number, token: Operand['token']) {
  const share = Math.abs(value) / most;
  return svg`${heatCell({x, y, size: CELL, share, token})}
    ${
      value < 0
        ? svg`<rect x=${x + 1} y=${y + 1} width=${CELL - 2} height=${CELL - 2} rx="2.5"
            fill="url(#minus)" opacity="0.3"/>`
        : nothing
    }
    <text x=${x + CELL / 2} y=${y + CELL / 2 + 4.5} text-anchor="middle" font-size="12"
      font-weight="600" fill=${faceFill(inkOf(share), token)}>${short(value)}</text>`;
}

interface Placed {
  operand: Operand;
  x: number;
  y: number;
  /** The lit row or column; null where nothing is lit. */
  isLit: (row: number, column: number) => boolean;
  dims: boolean;
  touch: BackwardTouch | undefined;
}

/** A matrix whose numbers can be dragged where they are the reader's own. */
function operandCells({operand, x, y, isLit, dims, touch}: Placed): SVGTemplateResult {
  const {values, token, input, name} = operand;
  const most = largest(values);
  return svg`${values.map((line, r) =>
    line.map((value, c) => {
      const [left, top] = [x + CELL * c, y + CELL * r];
      const lit = isLit(r, c);
      const drawn = svg`<g opacity=${dims && !lit ? DIM : 1}>${cell(left, top, value, most, token)}
        ${
          input
            ? svg`<path d="M${left + CELL / 2 - 7} ${top + CELL - 6}h14" stroke=${color('ink-2')}
              stroke-width="1.2" stroke-dasharray="2 2"/>`
            : nothing
        }</g>${outline(left, top, lit, input ? 'ew-resize' : 'default')}`;
      if (!input || !touch) return drawn;
      const [row, column] = operand.turned ? [c, r] : [r, c];
      const plainName = name.replace('ᵀ', '');
      return dragCell(
        {
          label: `${plainName}第${row + 1}行第${column + 1}列`,
          spoken: fixed(value, 2),
          value,
          set: (next) => touch.move(input, row, column, next),
        },
        touch.done,
        drawn,
      );
    }),
  )}`;
}

/** The cells of a result; those that are not there yet are empty. */
function resultCells(
  {step, filled, lit}: Moment,
  values: number[][],
  [x, y]: readonly [number, number],
  touch: BackwardTouch | undefined,
): SVGTemplateResult {
  const most = largest(values);
  return svg`${values.map((line, row) =>
    line.map((value, column) => {
      const [left, top] = [x + CELL * column, y + CELL * row];
      const there = row * step.columns + column < filled;
      const isLit = lit?.row === row && lit.column === column;
      const drawn = svg`${
        there
          ? cell(left, top, value, most, step.token)
          : svg`<rect x=${left + 2} y=${top + 2} width=${CELL - 4} height=${CELL - 4} rx="3"
              fill="none" stroke=${color('rule')} stroke-dasharray="3 3"/>`
      }${outline(left, top, isLit)}`;
      if (!touch) return drawn;
      return chooseCell(
        {
          ...{row, column, rows: ROWS, columns: step.columns, lit: isLit},
          reached: lit ? isLit : row === 0 && column === 0,
          label: `${step.name}第${row + 1}行第${column + 1}列${there ? `：${short(value)}` : ''}`,
          choose: touch.choose,
        },
        drawn,
      );
    }),
  )}`;
}

function product(
  moment: Moment,
  {left, top, values}: NonNullable<ReturnType<typeof productOf>>,
  touch: BackwardTouch | undefined,
): SVGTemplateResult {
  const {step, lit} = moment;
  const across = (left.values[0] ?? []).length * CELL + GAP;
  const below = COLUMNS * CELL + GAP;
  const topAt = COLUMNS * CELL - top.values.length * CELL;
  const dims = lit !== null;
  return svg`
    ${put(0, 22, step.formula, {size: 16, fill: 'ink', weight: 650})}
    ${put(across - GAP - 4, below - GAP - 8, `${left.name} ↓`, {
      fill: left.token,
      weight: 600,
      anchor: 'end',
    })}
    ${put(across - GAP - 4, topAt + 16, `${top.name} →`, {
      fill: top.token,
      weight: 600,
      anchor: 'end',
    })}
    ${operandCells({
      operand: left,
      x: 0,
      y: below,
      isLit: (row) => lit?.row === row,
      ...{dims, touch},
    })}
    ${operandCells({
      operand: top,
      x: across,
      y: topAt,
      isLit: (_row, column) => lit?.column === column,
      ...{dims, touch},
    })}
    ${resultCells(moment, values, [across, below], touch)}`;
}

const STRIP = 90;
const HEAD = TALL - 3 * STRIP;
/** The largest distance from the mean in pixels; labels stand above and below. */
const REACH = 22;

/** One row of dS: widths are weights, heights the distance of dP from the mean, areas dS. */
function strip(row: number, all: Drawn, most: number): SVGTemplateResult {
  const {result, moment, touch} = all;
  const {filled, lit} = moment;
  const top = HEAD + row * STRIP;
  const middle = top + STRIP / 2 + 8;
  const sum = result.rowSums[row] ?? 0;
  const zero = Math.abs(sum) < 5e-4;
  const weights = result.weights[row] ?? [];
  let from = 0;
  const bars = weights.map((weight, column) => {
    const x = SIDE * from;
    from += weight;
    const width = SIDE * weight;
    const over = (result.dP[row]?.[column] ?? 0) - referenceOf(all, row);
    const area = result.dS[row]?.[column] ?? 0;
    const there = row * ROWS + column < filled;
    const isLit = lit?.row === row && lit.column === column;
    const height = (REACH * Math.abs(over)) / most;
    const up = over >= 0 ? middle - height : middle;
    // A hatched area prints its label below it.
    const label = over >= 0 ? up - 4 : up + height + 13;
    const room = width > 40;
    const drawn = svg`<rect x=${x + 0.7} y=${up} width=${Math.max(0, width - 1.4)}
        height=${Math.max(1, height)} fill=${
          over >= 0 ? color('score') : 'url(#minus)'
        } opacity=${there ? 0.8 : 0.2}/>
      ${
        room
          ? put(x + width / 2, label, there ? short(area) : '', {
              fill: 'ink',
              anchor: 'middle',
              weight: isLit ? 650 : 400,
            })
          : nothing
      }
      <rect x=${x + 1} y=${top + 17} width=${Math.max(0, width - 2)} height=${STRIP - 20} rx="3"
        fill="none" pointer-events="all" stroke=${isLit ? color('ink') : 'none'}
        stroke-width="1.6"/>`;
    if (!touch) return drawn;
    return chooseCell(
      {
        ...{row, column, rows: ROWS, columns: ROWS, lit: isLit},
        reached: lit ? isLit : row === 0 && column === 0,
        label: `dS第${row + 1}行第${column + 1}列：${short(area)}`,
        choose: touch.choose,
      },
      drawn,
    );
  });
  return svg`${put(0, top + 11, `第${row + 1}行`, {weight: 600})}
    ${put(SIDE, top + 11, `${zero ? '✓' : '✗'} 面积合计${zero ? 0 : short(sum)}`, {
      fill: zero ? 'right' : 'wrong',
      anchor: 'end',
    })}
    ${bars}
    <line x1="0" x2=${SIDE} y1=${middle} y2=${middle} stroke=${color('ink')}
      stroke-dasharray="5 3"/>`;
}

interface Drawn {
  state: BackwardState;
  result: BackwardResult;
  moment: Moment;
  touch: BackwardTouch | undefined;
}

const forgets = ({state}: Drawn) => state.mistake === 'mean';

/** The value that a row subtracts from its dP: the weighted mean, or 0 where it is left out. */
const referenceOf = (drawn: Drawn, row: number) =>
  forgets(drawn) ? 0 : (drawn.result.means[row] ?? 0);

function balance(drawn: Drawn): SVGTemplateResult {
  const {dP} = drawn.result;
  const heights = dP.flatMap((row, i) => row.map((value) => value - referenceOf(drawn, i)));
  const most = Math.max(1e-9, ...heights.map(Math.abs));
  const [formula, height] = forgets(drawn) ? ['dS＝P∘dP', 'dP'] : ['dS＝P∘(dP−均值)', 'dP−均值'];
  return svg`${put(0, 22, formula, {size: 16, fill: 'ink', weight: 650})}
    ${put(SIDE, 22, `宽P，高${height}`, {anchor: 'end'})}
    ${[0, 1, 2].map((row) => strip(row, drawn, most))}`;
}

export function board(drawn: Drawn): TemplateResult {
  const {result, moment, touch} = drawn;
  const parts = productOf(moment.step.name, result);
  return figure(
    {
      height: TALL,
      label: `${moment.step.formula}，数值见表格`,
      units: SIDE,
      touched: touch !== undefined,
    },
    svg`<defs>${hatch('minus', 'ink-2')}</defs>${
      parts ? product(moment, parts, touch) : balance(drawn)
    }`,
  );
}
