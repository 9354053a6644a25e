// The two planes of <attn-qkv>: a query and the keys on which it is projected; the values, and the
// output that spokes of the weights' widths hold between them. Both axes have one scale.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed} from '../../shared/format.js';
import {planeHandle} from '../../shared/plane-handle.js';
import {color, figure, hatch, panel, type Token} from '../../shared/plot.js';
import {roundAbove} from '../../shared/scale.js';
import {
  COLUMNS,
  LIMIT,
  type Name,
  type QkvResult,
  type QkvState,
  row,
  ROWS,
  SUBSCRIPTS,
  visible,
} from './state.js';
import {brief, vector} from './words.js';

/** How the planes answer a reader. */
export interface QkvTouch {
  /** Spans of the planes while a handle is held, so that the scale stays under the finger. */
  readonly spans: {keys: number; values: number} | null;
  readonly move: (name: Name, i: number, value: readonly number[]) => void;
  readonly done: () => void;
}

/** Side of a plane in its own units, and its middle. */
const SIDE = 300;
const MIDDLE = SIDE / 2;
/** From the middle to the ends of the axes. */
const REACH = 134;

interface Plane {
  /** The number at the end of an axis. */
  span: number;
  x: (value: number) => number;
  y: (value: number) => number;
}

/** Room for a quarter more than the largest number, so that an arrow can be made longer. */
export function spanOf(values: readonly number[]): number {
  const largest = Math.max(...values.map(Math.abs));
  return largest > 0 ? 1.25 * roundAbove(largest) : 1.25;
}

export function spansOf({q, k, v, asks}: QkvState): {keys: number; values: number} {
  return {keys: spanOf([...row(q, asks - 1), ...k]), values: spanOf(v)};
}

function planeOf(span: number): Plane {
  return {
    span,
    x: (value) => MIDDLE + (REACH * value) / span,
    y: (value) => MIDDLE - (REACH * value) / span,
  };
}

/** Text at a place in units. */
function label(x: number, y: number, content: string, fill: Token, anchor = 'middle') {
  return svg`<text x=${x.toFixed(1)} y=${y.toFixed(1)} text-anchor=${anchor} font-size="13"
    font-weight="600" fill=${color(fill)} stroke=${color('raised')} stroke-width="4"
    paint-order="stroke">${content}</text>`;
}

function axes({span, x, y}: Plane, title: string): SVGTemplateResult {
  const tick = (span * 4) / 5;
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    svg`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2} stroke=${color('rule')}/>`;
  return svg`<text y="14" font-size="13" fill=${color('ink-2')}>${title}</text>
    ${line(0, MIDDLE, SIDE, MIDDLE)}${line(MIDDLE, 0, MIDDLE, SIDE)}
    ${[-tick, tick].map(
      (value) =>
        svg`${line(x(value), MIDDLE - 4, x(value), MIDDLE + 4)}
          ${line(MIDDLE - 4, y(value), MIDDLE + 4, y(value))}
          <text x=${x(value)} y=${MIDDLE + 16} text-anchor="middle" font-size="11"
            fill=${color('ink-2')}>${brief(value)}</text>
          <text x=${MIDDLE - 7} y=${y(value) + 4} text-anchor="end" font-size="11"
            fill=${color('ink-2')}>${brief(value)}</text>`,
    )}`;
}

/** An arrow from the middle. */
function arrow({x, y}: Plane, [a = 0, b = 0]: readonly number[], token: Token, ink: number) {
  const [tipX, tipY] = [x(a), y(b)];
  const [dx, dy] = [tipX - MIDDLE, tipY - MIDDLE];
  const length = Math.hypot(dx, dy);
  if (length < 1) return nothing;
  const [ux, uy] = [dx / length, dy / length];
  // Under the handle's circle lies the arrow's tip.
  const at = (along: number, aside: number) =>
    `${(tipX - along * ux - aside * uy).toFixed(1)} ${(tipY - along * uy + aside * ux).toFixed(1)}`;
  return svg`<g opacity=${ink}
    data-thing=${token === 'query' ? 'q' : 'k'}>
    <line x1=${MIDDLE} y1=${MIDDLE} x2=${tipX.toFixed(1)}
    y2=${tipY.toFixed(1)} stroke=${color(token)} stroke-width="2.5"/>
    <path d="M${at(9, 0)}L${at(20, 6)}L${at(20, -6)}Z" fill=${color(token)}/></g>`;
}

interface Named {
  at: readonly number[];
  name: string;
  token: Token;
}

/** Names at their tips, away from the middle; those of one place share a label. */
function names({x, y}: Plane, points: readonly Named[]): SVGTemplateResult {
  const places = new Map<string, Named>();
  for (const point of points) {
    const known = places.get(point.at.join());
    places.set(point.at.join(), known ? {...known, name: `${known.name}、${point.name}`} : point);
  }
  return svg`${[...places.values()].map(({at: [a = 0, b = 0], name, token}) => {
    const end = Math.min(SIDE - 24, Math.max(24, x(a)));
    const base = y(b) + (b >= 0 ? -15 : 25);
    return label(end, Math.min(SIDE - 4, Math.max(28, base)), name, token);
  })}`;
}

interface Handles {
  plane: Plane;
  state: QkvState;
  touch: QkvTouch;
  /** Which vectors can be dragged, the last one on top. */
  of: readonly {name: Name; i: number; token: Token}[];
}

function handles({plane: {span, x, y}, state, touch, of}: Handles): SVGTemplateResult {
  const most = Math.min(span, LIMIT.max);
  return panel(
    {x: 0, y: 0, width: 100, height: SIDE},
    svg`${of.map(({name, i, token}) => {
      const [a = 0, b = 0] = row(state[name], i);
      return planeHandle({
        x: (100 * x(a)) / SIDE,
        y: y(b),
        token,
        label: `${name}${SUBSCRIPTS[i]}`,
        spoken: `${name}${SUBSCRIPTS[i]}＝${vector([a, b])}`,
        value: [a, b],
        min: -most,
        max: most,
        step: span / 25,
        valueAt: (place) => [
          ((place.x * SIDE - MIDDLE) / REACH) * span,
          ((MIDDLE - place.y) / REACH) * span,
        ],
        move: (value) => touch.move(name, i, value),
        done: touch.done,
      });
    })}`,
  );
}

/** A query, the keys, and where the query falls on each key. */
export function keyPlane(state: QkvState, result: QkvResult, touch?: QkvTouch): TemplateResult {
  const {q, k, mask, asks} = state;
  const i = asks - 1;
  const plane = planeOf(touch?.spans?.keys ?? spansOf(state).keys);
  const {x, y} = plane;
  const query = row(q, i);
  const keys = [0, 1, 2].map((j) => row(k, j));
  const seen = (j: number) => visible(mask, i, j);
  return figure(
    {
      height: SIDE,
      label: `查询q${SUBSCRIPTS[i]}和三个键`,
      units: SIDE,
      touched: touch !== undefined,
    },
    svg`${axes(plane, '查询和键')}
      ${keys.map((key, j) => arrow(plane, key, 'key', seen(j) ? 1 : 0.3))}
      ${keys.map((key, j) => {
        const foot = result.feet[i]?.[j];
        if (!seen(j) || foot == null) return nothing;
        const [a, b] = key.map((one) => one * foot) as [number, number];
        return svg`<line x1=${x(query[0] ?? 0)} y1=${y(query[1] ?? 0)} x2=${x(a)} y2=${y(b)}
            stroke=${color('score')} stroke-dasharray="3 3"/>
          <line x1=${MIDDLE} y1=${MIDDLE} x2=${x(a)} y2=${y(b)} stroke=${color('score')}
            stroke-width="7" stroke-opacity="0.4"/>
          <circle cx=${x(a)} cy=${y(b)} r="3.5" fill=${color('score')}/>`;
      })}
      ${arrow(plane, query, 'query', 1)}
      ${names(plane, [
        {at: query, name: `q${SUBSCRIPTS[i]}`, token: 'query'},
        ...keys.map((at, j) => ({at, name: `k${SUBSCRIPTS[j]}`, token: 'key' as const})),
      ])}
      ${
        touch
          ? handles({
              plane,
              state,
              touch,
              of: [
                ...keys.map((_, j) => ({name: 'k' as const, i: j, token: 'key' as const})),
                {name: 'q', i, token: 'query'},
              ],
            })
          : nothing
      }`,
  );
}

/** The values, and the output of each row between them; spokes for the row that asks. */
export function valuePlane(state: QkvState, result: QkvResult, touch?: QkvTouch): TemplateResult {
  const i = state.asks - 1;
  const plane = planeOf(touch?.spans?.values ?? spansOf(state).values);
  const {x, y} = plane;
  const values = Array.from({length: ROWS}, (_, j) => row(state.v, j));
  const outputs = result.output;
  const [outX = 0, outY = 0] = outputs[i] ?? Array<number>(COLUMNS).fill(0);
  const weights = result.weights[i] ?? [];
  const corners = values.map(([a = 0, b = 0]) => `${x(a)} ${y(b)}`).join('L');
  return figure(
    {
      height: SIDE,
      label: '三个值和三个输出在平面上的位置',
      units: SIDE,
      touched: touch !== undefined,
    },
    svg`<defs>${hatch('hull', 'value')}</defs>${axes(plane, '值和输出')}
      <path data-thing="v" d="M${corners}Z"
        fill="url(#hull)" fill-opacity="0.12" stroke=${color('value')}
        stroke-opacity="0.5" stroke-linejoin="round"/>
      ${values.map(([a = 0, b = 0], j) => {
        const weight = weights[j] ?? 0;
        return weight > 0
          ? svg`<line data-thing="softmax" x1=${x(a)} y1=${y(b)}
              x2=${x(outX)} y2=${y(outY)} stroke=${color('weight')}
              stroke-width=${(1 + 13 * weight).toFixed(2)} stroke-opacity="0.55"/>`
          : nothing;
      })}
      ${outputs.map(
        ([a = 0, b = 0], o) =>
          svg`<circle cx=${x(a)} cy=${y(b)} r=${o === i ? 8 : 4.5} fill=${color('weight')}
            fill-opacity=${o === i ? 1 : 0.6} stroke=${color('raised')} stroke-width="1.5"/>`,
      )}
      ${values.map(
        ([a = 0, b = 0]) =>
          svg`<circle cx=${x(a)} cy=${y(b)} r="6" fill=${color('raised')} stroke=${color('value')}
            stroke-width="2.5"/>`,
      )}
      ${names(
        plane,
        values.map((at, j) => ({
          at,
          name: `v${SUBSCRIPTS[j]} ${fixed(weights[j] ?? 0, 3)}`,
          token: 'value' as const,
        })),
      )}
      ${label(x(outX), Math.min(SIDE - 4, y(outY) + 25), `o${SUBSCRIPTS[i]}`, 'weight')}
      ${
        touch
          ? handles({
              plane,
              state,
              touch,
              of: values.map((_, j) => ({name: 'v' as const, i: j, token: 'value' as const})),
            })
          : nothing
      }`,
  );
}
