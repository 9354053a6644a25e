// Lines against the key's place, and under them both places, which a reader drags.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {ticksBelow} from '../../shared/axis.js';
import {fixed, integer} from '../../shared/format.js';
import {slideHandle} from '../../shared/handle.js';
import {
  along,
  color,
  figure,
  hatch,
  marker,
  panel,
  path,
  type Point,
  rule,
  text,
  type Token,
} from '../../shared/plot.js';
import {PLACES} from '../../shared/positions.js';
import {LIMITS, type PositionState, SHOWN} from './state.js';
import {CHANGED} from './words.js';

/** The answers to a reader who moves both places. */
export interface PositionTouch {
  place: (at: number) => void;
  distance: (offset: number) => void;
  order: (order: readonly number[]) => void;
  done: () => void;
}

export interface Line {
  values: readonly (number | null)[];
  tone: Token;
  name: string;
}

export const LEFT = 15;

const TOP = 28;
const HEIGHT = 110;
/** The lines with both places, and the space between them. */
const RAIL = TOP + HEIGHT + 44;
const RAILS = 44;

const LAST = SHOWN - 1;
/** A place on the axis; what lies beyond stands at its end. */
const across = (place: number) => along(Math.min(place, LAST), [0, LAST]);

/** The space under the lines: both places, which a reader may drag, or nothing. */
type Foot = {places: PositionTouch | 'at rest'} | null;

/** The hatch marks places beyond those seen in training. */
export function course(
  lines: readonly Line[],
  state: PositionState,
  label: string,
  foot: Foot = null,
): TemplateResult {
  const {offset, at} = state;
  const all = lines.flatMap(({values}) => values.filter((value) => value !== null));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = Math.max(0.5, high - low) * 0.65;
  const domain = [(low + high) / 2 - room, (low + high) / 2 + room] as const;
  const point = (place: number, value: number): Point => [
    across(place),
    Math.round(HEIGHT - (HEIGHT * along(value, domain)) / 100),
  ];
  const seen = across(Math.max(0, PLACES - offset));
  return figure(
    {
      height: RAIL + (foot ? RAILS + 44 : -8),
      label,
      touched: foot !== null && foot.places !== 'at rest',
    },
    svg`<defs>${hatch('unseen', 'ink-2')}</defs>
    ${lines.map(({name, tone}, i) => text(50 * i, 14, name, {fill: tone, weight: 600}))}
    ${
      all.length > 0
        ? [low, high].slice(high - low < CHANGED ? 1 : 0).map((value) =>
            text(LEFT - 1, TOP + point(0, value)[1] + 4, fixed(value, 2), {
              anchor: 'end',
              size: 11,
              fill: 'ink-2',
            }),
          )
        : nothing
    }
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT, height: HEIGHT},
      svg`
      ${rule(0, 100, 0)}${rule(0, 100, HEIGHT)}
      <rect x="${seen}%" y="0" width="${100 - seen}%" height=${HEIGHT} fill="url(#unseen)"
        fill-opacity="0.35"/>
      ${lines.map(({values, tone}, i) =>
        path(
          values.flatMap((value, place) => (value === null ? [] : [point(place, value)])),
          tone,
          i === 0 ? 'solid' : 'dashed',
        ),
      )}
      ${lines.map(({values, tone}) =>
        typeof values[at] === 'number' ? marker('dot', point(at, values[at]), tone) : nothing,
      )}
      ${ticksBelow([0, 31, 63, 95], [0, LAST], HEIGHT, String)}`,
    )}
    ${foot ? places(state, foot.places) : nothing}`,
  );
}

function places(state: PositionState, touch: PositionTouch | 'at rest'): SVGTemplateResult {
  const {at, offset} = state;
  const name = {size: 12, weight: 600, halo: true} as const;
  return svg`${panel(
    {x: LEFT, y: RAIL, width: 100 - LEFT, height: 1},
    rails(state, touch === 'at rest' ? undefined : touch),
  )}
  ${text(0, RAIL + 5, `k在${integer(at)}`, {...name, fill: 'key'})}
  ${text(0, RAIL + RAILS + 5, `q在${integer(at + offset)}`, {...name, fill: 'query'})}
  ${text(100, RAIL + RAILS + 32, `斜纹：训练时没到过（0–${PLACES - 1}之外）`, {
    anchor: 'end',
    size: 11,
    fill: 'ink-2',
  })}`;
}

/** A line for each place, so that no finger hides the other's handle; between them the distance. */
function rails({at, offset}: PositionState, touch?: PositionTouch): SVGTemplateResult {
  const [own, other] = [across(at), across(at + offset)];
  const middle = (own + other) / 2;
  return svg`<line x2="100%" stroke=${color('rule')} stroke-width="4"/>
    <line y1=${RAILS} x2="100%" y2=${RAILS} stroke=${color('rule')} stroke-width="4"/>
    <line x1="${own}%" x2="${other}%" y2=${RAILS} stroke=${color('score')} stroke-width="3"/>
    ${text(middle, RAILS / 2 + 4, `\u2002隔${integer(offset)}个\u2002`, {
      anchor: middle > 80 ? 'end' : 'start',
      size: 12,
      weight: 600,
      fill: 'score',
      halo: true,
    })}
    ${touch ? handles({at, offset}, touch) : [dot(own, 0, 'key'), dot(other, RAILS, 'query')]}`;
}

const dot = (x: number, y: number, token: Token) =>
  svg`<circle cx="${x}%" cy=${y} r="9" fill=${color('raised')} stroke=${color(token)}
    stroke-width="2.5"/>`;

function handles(
  {at, offset}: Pick<PositionState, 'at' | 'offset'>,
  {place, distance, done}: PositionTouch,
): SVGTemplateResult {
  return svg`${slideHandle({
    x: across(at),
    y: 0,
    token: 'key',
    label: 'k的位置',
    spoken: `k在${integer(at)}`,
    value: at,
    min: LIMITS.at.min,
    max: Math.max(at, LAST),
    step: 1,
    valueAt: (share) => Math.min(LAST, LAST * share),
    move: place,
    done,
  })}${slideHandle({
    x: across(at + offset),
    y: RAILS,
    token: 'query',
    label: 'q再往后',
    spoken: `q在k后面${integer(offset)}个`,
    value: offset,
    min: LIMITS.offset.min,
    max: Math.max(offset, LAST),
    step: 1,
    valueAt: (share) => Math.min(LAST, LAST * share) - Math.min(at, LAST),
    move: distance,
    done,
  })}`;
}
