// Pictures of <attn-qkv>.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed} from '../../shared/format.js';
import {
  along,
  color,
  figure,
  hatch,
  path,
  pin,
  type Point,
  rule,
  text,
  type Token,
} from '../../shared/plot.js';
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
            (0.06 + 0.4 * weight).toFixed(3),
            text(50, 26, fixed(weight, 3), {anchor: 'middle', size: 12}),
          )
        : box('url(#unseen)', '0.5', text(50, 26, '0', {anchor: 'middle', size: 12, halo: true}));
    })}`,
  );
}

const PLANE = 190;

const INSET = 26;

/** Points that fall on one place share a label. */
function gathered(points: readonly Point[], name: string): {at: Point; label: string}[] {
  const places = new Map<string, {at: Point; label: string}>();
  points.forEach((at, i) => {
    const key = at.join();
    const known = places.get(key);
    places.set(key, {at, label: `${known ? `${known.label}、` : ''}${name}${SUBSCRIPTS[i]}`});
  });
  return [...places.values()];
}

/** Values are the corners; an average of them can't leave what they enclose. */
function plane({v}: QkvState, {output}: QkvResult): TemplateResult {
  const values = [0, 1, 2].map((j) => row(v, j));
  const domain = (c: number) => {
    const all = values.map((value) => value[c] ?? 0);
    return [Math.min(...all), Math.max(...all)] as const;
  };
  const [across, up] = [domain(0), domain(1)];
  const at = (point: readonly number[]): Point => [
    Math.round(1400 + 72 * along(point[0] ?? 0, across)) / 100,
    Math.round(PLANE - INSET - ((PLANE - 2 * INSET) * along(point[1] ?? 0, up)) / 100),
  ];
  const corners = values.map(at);
  const ends = (lo: number, hi: number) => (lo === hi ? [lo] : [lo, hi]);
  return figure(
    {height: PLANE + 18, label: '三个值和三个输出在平面上的位置'},
    svg`
    ${ends(...across).map((value) =>
      text(at([value, 0])[0], PLANE + 12, brief(value), {
        anchor: 'middle',
        size: 11,
        fill: 'ink-2',
      }),
    )}
    ${ends(...up).map(
      (value) =>
        svg`${text(8, at([0, value])[1] + 4, brief(value), {
          anchor: 'end',
          size: 11,
          fill: 'ink-2',
        })}${rule(10, 90, at([0, value])[1])}`,
    )}
    ${path([...corners, corners[0] ?? [0, 0]], 'value')}
    ${gathered(corners, 'v').map(
      ({at: [x, y], label}) =>
        svg`${pin(
          x,
          y,
          svg`<rect x="-5" y="-5" width="10" height="10" fill=${color('value')}/>`,
        )}${text(x, y - 10, label, {anchor: 'middle', fill: 'value', halo: true})}`,
    )}
    ${gathered(output.map(at), 'o').map(
      ({at: [x, y], label}) =>
        svg`<circle cx="${x}%" cy=${y} r="5.5" fill=${color('weight')} stroke=${color('raised')}
          stroke-width="1.5"/>${text(x, y + 20, label, {
            anchor: 'middle',
            fill: 'weight',
            weight: 600,
            halo: true,
          })}`,
    )}`,
  );
}

export function view(state: QkvState, result: QkvResult): TemplateResult {
  return html`${tables(state, result)}
    <p class="reading">
      下图把二维的v画成平面上的方点。每行的输出（圆点）是它们的加权平均，出不了它们围成的范围；三点一线时，就出不了那条线段。
    </p>
    ${plane(state, result)}`;
}
