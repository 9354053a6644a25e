// Pairs of components as hands of a clock: the angle between q and k stays while both turn.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed, general, integer} from '../../shared/format.js';
import {clamp, grip} from '../../shared/handle.js';
import {color, figure, pin, type Point, text, type Token} from '../../shared/plot.js';
import type {PositionTouch} from './course.js';
import {type Dial, LIMITS, type PositionState} from './state.js';

interface Layout {
  kind: 'wide' | 'narrow';
  /** So many dials stand in a row. */
  most: number;
  radius: number;
}

const LAYOUTS: readonly Layout[] = [
  {kind: 'wide', most: 8, radius: 46},
  {kind: 'narrow', most: 4, radius: 34},
];

/** The tallest bar of a pair's share in the score. */
const BAR = 24;
/** Lengths of both hands, as shares of the radius. */
const HANDS = {k: 0.72, q: 1} as const;
/** Slower pairs, in radians a position, turn too little to be dragged. */
const SLOWEST_DRAGGED = 0.05;

export function dials(
  all: readonly Dial[],
  state: PositionState,
  touch?: PositionTouch,
): TemplateResult {
  return html`${LAYOUTS.map((layout) => drawn(layout, all, state, touch))}`;
}

/** At most `most` dials, the first and the last among them. */
function chosen(all: readonly Dial[], most: number): Dial[] {
  if (all.length <= most) return [...all];
  return Array.from(
    {length: most},
    (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]!,
  );
}

function drawn(
  {kind, most, radius}: Layout,
  all: readonly Dial[],
  state: PositionState,
  touch?: PositionTouch,
): TemplateResult {
  const shown = chosen(all, most);
  const faint = {anchor: 'middle', size: 11.5, fill: 'ink-2'} as const;
  const pace = kind === 'wide' ? '每步' : '';
  const hasParts = shown.some(({part}) => part !== null);
  const top = 46 + radius;
  const foot = top + radius + 18;
  const height = foot + (hasParts ? 2 * BAR + 34 : 10);
  const scale = BAR / Math.max(1e-9, ...all.map(({part}) => Math.abs(part ?? 0)));
  return figure(
    {
      height,
      label: hasParts
        ? '每对分量里q、k的方向，和这一对给分数多少'
        : '两个位置的编码：每对分量是一根指针',
      only: kind,
      touched: touch !== undefined,
    },
    svg`${shown.map((dial, i) => {
      const x = (100 * (i + 0.5)) / Math.max(2, shown.length);
      return svg`${text(x, 14, `第${dial.pair}对`, {anchor: 'middle', weight: 600})}
      ${text(x, 32, `${pace}${general(dial.speed, 2)}弧度`, faint)}
      ${pin(x, top, clock(dial, radius, state, touch))}
      ${dial.part === null ? nothing : pin(x, foot + BAR, bar(dial.part, scale))}`;
    })}
    ${
      hasParts
        ? text(0, height - 6, '弧度：每步转多少。柱：给分数加多少', {
            size: 11.5,
            fill: 'ink-2',
          })
        : nothing
    }`,
  );
}

/** A point at a share of the radius in the direction of a pair; its length is not drawn. */
function tipOf([a, b]: Point, length: number): [number, number] {
  const size = length / (Math.sqrt(a * a + b * b) || 1);
  return [a * size, -b * size];
}

function clock(
  {speed, q, k}: Dial,
  radius: number,
  state: PositionState,
  touch?: PositionTouch,
): SVGTemplateResult {
  const hand = (point: Point, token: Token, share: number, faint = false) => {
    const [x, y] = tipOf(point, share * radius);
    return svg`<line x2=${x.toFixed(1)} y2=${y.toFixed(1)} stroke=${color(token)}
      stroke-width=${faint ? 1.2 : 3} stroke-dasharray=${faint ? '3 3' : nothing}
      stroke-linecap="round"/>`;
  };
  const grips =
    touch && speed >= SLOWEST_DRAGGED
      ? svg`<svg x=${-radius} y=${-radius} width=${2 * radius} height=${2 * radius}
          overflow="visible">${handles({speed, q, k}, radius, state, touch)}</svg>`
      : nothing;
  return svg`<circle r=${radius} fill="none" stroke=${color('rule')}/>
    <path d=${sector(k[1], q[1], radius * 0.5)} fill=${color('score')} fill-opacity="0.25"/>
    ${hand(k[0], 'key', HANDS.k, true)}${hand(q[0], 'query', HANDS.q, true)}
    ${hand(k[1], 'key', HANDS.k)}${hand(q[1], 'query', HANDS.q)}${grips}`;
}

/** The part of a disc from one direction to another, the shorter way. */
function sector(from: Point, to: Point, radius: number): string {
  const [[x1, y1], [x2, y2]] = [tipOf(from, radius), tipOf(to, radius)];
  const sweep = x1 * y2 - y1 * x2 > 0 ? 1 : 0;
  const point = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M0 0L${point(x1, y1)}A${radius} ${radius} 0 0 ${sweep} ${point(x2, y2)}Z`;
}

/** A bar from the middle line, upwards for a positive part. */
function bar(part: number, scale: number): SVGTemplateResult {
  const height = Math.abs(part) * scale;
  return svg`<line x1="-22" x2="22" stroke=${color('rule')}/>
    <rect x="-9" y=${part < 0 ? 0 : (-height).toFixed(1)} width="18" height=${height.toFixed(1)}
      fill=${color('score')} fill-opacity=${part < 0 ? 0.45 : 1}/>
    <text y=${part < 0 ? -5 : 13} text-anchor="middle"
      font-size="11.5">${fixed(part, 3)}</text>`;
}

/** The difference of two angles, −π … π. */
const wrapped = (angle: number) => Math.atan2(Math.sin(angle), Math.cos(angle));

function handles(
  {speed, q, k}: Pick<Dial, 'speed' | 'q' | 'k'>,
  radius: number,
  {at, offset}: PositionState,
  {place, distance, done}: PositionTouch,
): SVGTemplateResult {
  const one = (hand: {
    point: Point;
    share: number;
    token: Token;
    label: string;
    spoken: string;
    value: number;
    max: number;
    move: (value: number) => void;
  }) => {
    const [a, b] = hand.point;
    const [x, y] = tipOf(hand.point, hand.share * radius);
    const put = (value: number) => hand.move(clamp(Math.round(value), 0, hand.max));
    return grip<number>({
      x: 50 + (50 * x) / radius,
      y: radius + y,
      token: hand.token,
      label: hand.label,
      spoken: hand.spoken,
      spokenValue: hand.value,
      min: 0,
      max: hand.max,
      upright: true,
      valueAt: (where) => {
        const angle = Math.atan2(radius - where.y, (2 * where.x - 1) * radius);
        return hand.value + wrapped(angle - Math.atan2(b, a)) / speed;
      },
      dragged: put,
      keyed: (step) =>
        put('to' in step ? (step.to === 'min' ? 0 : hand.max) : hand.value + step.by),
      done,
    });
  };
  const pace = `每步${general(speed, 2)}弧度`;
  return svg`${one({
    point: k[1],
    share: HANDS.k,
    token: 'key',
    label: `k的指针，${pace}`,
    spoken: `k在${integer(at)}`,
    value: at,
    max: LIMITS.at.max,
    move: place,
  })}${one({
    point: q[1],
    share: HANDS.q,
    token: 'query',
    label: `q的指针，${pace}`,
    spoken: `q在k后面${integer(offset)}个`,
    value: offset,
    max: LIMITS.offset.max,
    move: distance,
  })}`;
}
