// Pictures of <attn-qkv>.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed} from '../../shared/format.js';
import {faceFill, inkOf} from '../../shared/heat.js';
import {color, figure, hatch, rule, text, type Token} from '../../shared/plot.js';
import {keyPlane, type QkvTouch, valuePlane} from './planes.js';
import {type QkvResult, type QkvState, row, ROWS, SUBSCRIPTS, visible} from './state.js';
import {brief, vector} from './words.js';

const HEAD = 17;

const CELL = 16;

const ROW = 42;

const TOP = 62;

const OUT = HEAD + ROWS * CELL + 10;

const ENTROPY = 100;

/** A vector as a column of two numbers, centred. */
function column(x: number, y: number, values: readonly number[], fill: Token): SVGTemplateResult {
  return svg`${values.map((value, c) =>
    text(x, y + 16 * c, brief(value), {anchor: 'middle', size: 12, fill}),
  )}`;
}

function cells(y: number, of: (i: number, j: number) => SVGTemplateResult): SVGTemplateResult {
  return svg`${[0, 1, 2].map((i) =>
    [0, 1, 2].map(
      (j) =>
        svg`<svg x="${HEAD + CELL * j}%" y=${y + ROW * i} width="${CELL}%"
          height=${ROW}>${of(i, j)}</svg>`,
    ),
  )}`;
}

function box(fill: string, opacity: string, content: SVGTemplateResult): SVGTemplateResult {
  return svg`<rect x="0%" y="0" width="100%" height=${ROW} fill=${fill} fill-opacity=${opacity}
    stroke=${color('rule')}/>${content}`;
}

/**
 * Scores where the row of a query meets the column of a key; below, the weights under the values
 * and the output of each row.
 */
function tables(
  {q, k, v, scaled, mask}: QkvState,
  {scores, weights, output, entropy}: QkvResult,
): TemplateResult {
  const second = TOP + ROW * ROWS + 18;
  const label = `分数与权重两张表，第三行的输出${vector(output[2] ?? [])}`;
  const heads = (name: string, values: readonly number[], y: number, token: Token) =>
    svg`${[0, 1, 2].map(
      (j) => svg`
    ${text(HEAD + CELL * (j + 0.5), y + 12, `${name}${SUBSCRIPTS[j]}`, {
      anchor: 'middle',
      fill: token,
      weight: 600,
    })}
    ${column(HEAD + CELL * (j + 0.5), y + 30, row(values, j), token)}`,
    )}`;
  return figure(
    {height: second + TOP + ROW * ROWS + 4, label},
    svg`<defs>${hatch('unseen', 'ink-2')}</defs>
    ${text(0, 12, scaled ? '分数÷√2' : '分数', {
      fill: 'score',
      weight: 600,
    })}${text(0, 30, 'q·k', {fill: 'ink-2', size: 12})}
    ${heads('k', k, 0, 'key')}
    ${[0, 1, 2].map(
      (i) =>
        svg`${text(0, TOP + ROW * i + 26, `q${SUBSCRIPTS[i]}`, {
          fill: 'query',
          weight: 600,
        })}${column(HEAD * 0.66, TOP + ROW * i + 18, row(q, i), 'query')}`,
    )}
    ${cells(TOP, (i, j) =>
      visible(mask, i, j)
        ? box(
            'none',
            '1',
            text(50, 26, brief(scores[i]?.[j] ?? 0), {anchor: 'middle', fill: 'score', size: 12}),
          )
        : box(
            'url(#unseen)',
            '0.5',
            text(50, 26, '遮住', {anchor: 'middle', fill: 'ink-2', size: 12, halo: true}),
          ),
    )}
    ${text(0, second + 12, '权重', {fill: 'weight', weight: 600})}
    ${heads('v', v, second, 'value')}
    ${text(OUT, second + 12, '输出', {
      anchor: 'middle',
      fill: 'value',
      weight: 600,
    })}${text(OUT, second + 30, 'Σw·v', {anchor: 'middle', fill: 'ink-2', size: 12})}
    ${text(ENTROPY, second + 12, '熵', {anchor: 'end', fill: 'ink-2', weight: 600})}
    ${[0, 1, 2].map(
      (i) => svg`${text(0, second + TOP + ROW * i + 26, `第${i + 1}行`, {size: 12})}
      ${column(OUT, second + TOP + ROW * i + 18, output[i] ?? [], 'value')}
      ${text(ENTROPY, second + TOP + ROW * i + 26, fixed(entropy[i] ?? 0, 3), {
        anchor: 'end',
        size: 12,
        fill: 'ink-2',
      })}
      ${i > 0 ? rule(HEAD + CELL * ROWS, 100, second + TOP + ROW * i) : nothing}`,
    )}
    ${cells(second + TOP, (i, j) => {
      const weight = weights[i]?.[j] ?? 0;
      return visible(mask, i, j)
        ? box(
            color('weight'),
            inkOf(weight).toFixed(3),
            svg`<text x="50%" y="26" text-anchor="middle" font-size="12" font-weight="600"
              fill=${faceFill(inkOf(weight), 'weight')}>${fixed(weight, 3)}</text>`,
          )
        : box('url(#unseen)', '0.5', text(50, 26, '0', {anchor: 'middle', size: 12, halo: true}));
    })}`,
  );
}

/** The pictures; a widget that answers a reader gives `touch`. */
export function view(state: QkvState, result: QkvResult, touch?: QkvTouch): TemplateResult {
  return html`<div class="board many">
      ${keyPlane(state, result, touch)}${valuePlane(state, result, touch)}
    </div>
    <p class="reading">
      粗灰线是q在k方向上的投影，乘上k的长度就是q·k。三个圈是v，实心圆点是这一行的输出，连线越粗，权重越大；它出不了三个v围成的范围，三点一线时出不了那条线段。
    </p>
    ${tables(state, result)}`;
}
