// The picture of <attn-timeline>: an axis of years, a small picture a station, and on every arrow
// the number that the station before it was stuck on.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {color, figure, pin, text, unitsOf} from '../../shared/plot.js';
import {plainRich} from '../../shared/rich-text.js';
import {thumb} from '../../shared/thumb.js';
import {
  layoutsOf,
  nextOf,
  partOf,
  progressOf,
  WIDE,
  type Layout,
  type Point,
  type Progress,
} from './places.js';
import {stationsOf, type Stop, type TimelineResult, type TimelineState} from './state.js';

/** How the picture answers a reader; left out where it only stands. */
export interface TimelineTouch {
  choose: (id: string) => void;
}

interface Shown {
  state: TimelineState;
  result: TimelineResult;
  stations: readonly Stop[];
  touch: TimelineTouch | undefined;
}

export function timelineFigure(
  state: TimelineState,
  result: TimelineResult,
  touch?: TimelineTouch,
): TemplateResult {
  const shown = {state, result, stations: stationsOf(result), touch};
  return html`${layoutsOf(result).map((layout) => drawn(layout, shown))}`;
}

function labelOf({tracks}: TimelineResult): string {
  return tracks
    .map(
      ({name, stops}) =>
        `${name}：${stops.map((stop) => `${stop.label}${stop.here ? '（你在这里）' : ''}`).join('、')}`,
    )
    .join('；');
}

function drawn(layout: Layout, shown: Shown): TemplateResult {
  const {result, stations, state, touch} = shown;
  const progress = new Map(
    stations.map((stop) => [stop, progressOf(stop, state.at, stations.length)]),
  );
  const of = (stop: Stop) => progress.get(stop) as Progress;
  const arrows = stations.map((stop) => arrow(layout, shown, stop, of(stop)));
  return figure(
    {
      height: layout.height,
      label: labelOf(result),
      only: layout.kind,
      touched: touch !== undefined,
    },
    svg`${layout.kind === 'wide' ? wideAxis() : narrowAxis(layout)}
      ${arrows.map(({line}) => line)}${years(layout, stations)}${titles(layout, result)}
      ${stations.map((stop) => station(layout, shown, stop, of(stop)))}
      ${arrows.map(({label}) => label)}`,
  );
}

const wideAxis = (): SVGTemplateResult =>
  svg`<line x2="100%" y1=${WIDE.axis} y2=${WIDE.axis} stroke=${color('rule')} stroke-width="1.5"/>`;

const narrowAxis = ({height}: Layout): SVGTemplateResult =>
  svg`<line x1="50%" x2="50%" y1="30" y2=${height - 20} stroke=${color('rule')}
    stroke-width="1.5"/>`;

/** Each year once, and a bracket over the columns that share it. */
function years({kind, year}: Layout, stations: readonly Stop[]): unknown {
  const known = [...new Set(stations.map((stop) => stop.year))].filter((one) => one !== undefined);
  return known.map((one) => {
    const own = stations.filter((stop) => stop.year === one);
    const columns = own.map(({column}) => column);
    const [first, last] = [Math.min(...columns), Math.max(...columns)];
    const [x, y] = year(first, last);
    const wide = kind === 'wide';
    const note = wide ? own.find(({yearNote}) => yearNote)?.yearNote : undefined;
    const half = year(last, last)[0] - x;
    const label = note ? `${one}，${note}` : (one as string);
    const width = 13 * unitsOf(label) + 14;
    return svg`${
      wide && last > first
        ? svg`<line x1="${x - half - 3.5}%" x2="${x + half + 3.5}%" y1=${y} y2=${y}
            stroke=${color('ink-2')} stroke-width="3" stroke-linecap="round"/>`
        : nothing
    }
    ${pin(
      x,
      y,
      svg`<rect x=${-width / 2} y="-9" width=${width} height="18" fill=${color('raised')}/>
        <text y="5" text-anchor="middle" font-size="13" font-weight="600"
          fill=${color('ink-2')}>${label}</text>`,
    )}`;
  });
}

function titles({kind}: Layout, {tracks}: TimelineResult): unknown {
  const [train, generate] = tracks;
  if (kind === 'narrow')
    return svg`${text(24, 14, '① 训练', {weight: 600, anchor: 'middle'})}
      ${text(76, 14, '② 生成', {weight: 600, anchor: 'middle'})}`;
  return svg`${text(0, 14, train?.name ?? '', {weight: 600})}
    ${text(0, WIDE.axis + 30, generate?.name ?? '', {weight: 600})}`;
}

/** The mark ①, ② … at the end of a label such as 第二代①. */
const markOf = ({label}: Stop) => /[①-⑳]$/.exec(label)?.[0] ?? '';

function station(layout: Layout, shown: Shown, stop: Stop, {shown: share}: Progress) {
  const {thumb: size, kind, place} = layout;
  const [x, y] = place(stop);
  const [width, height] = size;
  const wide = kind === 'wide';
  const dim = stop.published ? 'ink' : 'ink-2';
  const tag = stop.published ? stop.label : '未发布';
  const name = wide ? stop.name : markOf(stop) + stop.name;
  const stroke = stop.here ? 'weight' : stop.chosen ? 'ink' : 'rule';
  const center = (content: string, dy: number, fontSize: number, weight: number, fill: string) =>
    svg`<text y=${dy} text-anchor="middle" font-size=${fontSize} font-weight=${weight}
      fill=${fill} stroke=${color('raised')} stroke-width="4"
      paint-order="stroke">${content}</text>`;
  const side = stop.track === 'train' ? 1 : -1;
  const reader = !stop.here
    ? nothing
    : wide
      ? center('你在这里', -41, 12, 600, color('weight'))
      : svg`<text x=${side * (width / 2 + 8)} y="10" font-size="12" font-weight="600"
          text-anchor=${side > 0 ? 'start' : 'end'} fill=${color('weight')}
          stroke=${color('raised')} stroke-width="4" paint-order="stroke">你在这里</text>`;
  const content = svg`<rect class="card" x=${-width / 2 - 3} y="-3" width=${width + 6}
      height=${height + 6} rx="7" fill=${color('paper')} stroke=${color(stroke)}
      stroke-width=${stop.here || stop.chosen ? 2 : 1}
      stroke-dasharray=${stop.published ? nothing : '4 3'}/>
    <g opacity=${(0.16 + 0.84 * share).toFixed(2)}>
      <svg x=${-width / 2 + 2} y="1" width=${width - 4} height=${height - 2} viewBox="0 0 96 72">
        <g opacity=${stop.published ? nothing : 0.45}>${thumb(stop.picture)}</g>
      </svg>
      ${center(name, -10, 13, 600, color(dim))}
      ${
        wide
          ? center(tag, -26, 11, 400, color(stop.here ? 'weight' : 'ink-2'))
          : stop.published
            ? nothing
            : center('未发布', height + 18, 11, 400, color('ink-2'))
      }${reader}
    </g>`;
  return pin(x, y, svg`<g data-stop=${stop.id}>${content}</g>${touchable(shown, stop, size)}`);
}

/** Lies over its station. Enter and space choose it; arrows go along the years. */
function touchable(
  {touch, stations}: Shown,
  stop: Stop,
  [width, height]: Layout['thumb'],
): unknown {
  if (!touch) return nothing;
  const press = (event: KeyboardEvent) => {
    const by = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const ends = {Home: 0, End: stations.length - 1}[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const goal = stations[ends ?? stop.order + (by ?? 0)];
    if (event.key !== 'Enter' && event.key !== ' ' && by === undefined && ends === undefined)
      return;
    event.preventDefault();
    if (!goal) return;
    touch.choose(goal.id);
    const picture = (event.currentTarget as SVGElement).ownerSVGElement?.ownerSVGElement;
    picture?.querySelector<SVGElement>(`.station[data-station="${goal.id}"]`)?.focus();
  };
  const wall = stop.wall ? `，卡在${plainRich(stop.wall)}` : '';
  return svg`<g class="station" data-station=${stop.id} role="button"
    tabindex=${stop.chosen ? 0 : -1} aria-pressed=${stop.chosen ? 'true' : 'false'}
    aria-label=${`${stop.year ? `${stop.year}，` : ''}${stop.name}${wall}`}
    @click=${() => touch.choose(stop.id)} @keydown=${press}>
    <rect x=${-width / 2 - 6} y="-30" width=${width + 12} height=${height + 40} fill="none"
      pointer-events="all"/>
    <rect class="rim" x=${-width / 2 - 3} y="-3" width=${width + 6} height=${height + 6} rx="7"
      fill="none"/></g>`;
}

/** The arrow that leaves a station, and its number in red. */
function arrow(
  layout: Layout,
  {result}: Shown,
  stop: Stop,
  {stuck, left}: Progress,
): {line: unknown; label: unknown} {
  const next = nextOf(stop, result);
  const wall = stop.wall ? `✗ ${plainRich(stop.wall)}` : '';
  const way = layout.kind === 'wide' ? wideWay(layout, stop, next) : narrowWay(layout, stop, next);
  const line =
    next && way.curve && left > 0
      ? svg`<svg width="100%" height=${layout.height} viewBox="0 0 100 ${layout.height}"
          preserveAspectRatio="none"><path d=${partOf(way.curve, left)} fill="none"
          stroke=${color('ink-2')} stroke-width="1.5" vector-effect="non-scaling-stroke"
          stroke-dasharray=${stop.branch ? '4 4' : nothing}/></svg>
          ${left === 1 ? head(way) : nothing}`
      : nothing;
  const {at, anchor, dx} = way.label;
  const label =
    wall && stuck > 0
      ? pin(
          at[0],
          at[1],
          svg`<text x=${dx} text-anchor=${anchor} font-size="12.5" font-weight="650"
            fill=${color('wrong')} opacity=${stuck.toFixed(2)} stroke=${color('raised')}
            stroke-width="5" paint-order="stroke">${wall}</text>`,
        )
      : nothing;
  return {line, label};
}

interface Way {
  /** Four points, x in per cent. */
  curve?: readonly Point[];
  /** The place of the arrowhead, its transform, and its direction. */
  tip: {at: Point; dx: number; turn: number};
  label: {at: Point; anchor: 'start' | 'middle' | 'end'; dx: number};
}

const head = ({tip: {at, dx, turn}}: Way): SVGTemplateResult =>
  pin(
    at[0],
    at[1],
    svg`<path transform="translate(${dx} 0) rotate(${turn})" d="M0 0L-8 -4V4Z"
      fill=${color('ink-2')}/>`,
  );

/** Below the pictures; every other arrow hangs lower, so that their numbers have room. */
function wideWay({place, thumb: [, height]}: Layout, stop: Stop, next: Stop | undefined): Way {
  const [x, top] = place(stop);
  const y = top + height + 6;
  const label = (at: Point, anchor: 'start' | 'middle', dx: number) => ({at, anchor, dx});
  if (!next) return {tip: {at: [x, y], dx: 0, turn: 0}, label: label([x, y + 20], 'middle', 0)};
  const [goal, goalTop] = place(next);
  if (next.track === stop.track) {
    const dip = stop.order % 2 === 0 ? 36 : 58;
    const [from, to] = [x + 0.9, goal - 0.9];
    const end = goalTop + height + 6;
    return {
      curve: [
        [from, y],
        [from + 0.5, y + dip],
        [to - 0.5, end + dip],
        [to, end + 4],
      ],
      tip: {at: [to, end], dx: 0, turn: -90},
      label: label([(x + goal) / 2, y + 0.75 * dip + 16], 'middle', 0),
    };
  }
  // Above the words that stand over the goal.
  const end = goalTop - (next.here ? 56 : 42);
  return {
    curve: [
      [x, y],
      [x, y + 70],
      [goal, end - 90],
      [goal, end - 4],
    ],
    tip: {at: [goal, end], dx: 0, turn: 90},
    label: label([x, y + 62], 'start', 9),
  };
}

/** Downwards within a track, across from one track to the other. */
function narrowWay(
  {place, thumb: [width, height]}: Layout,
  stop: Stop,
  next: Stop | undefined,
): Way {
  const [x, top] = place(stop);
  const y = top + height + 3;
  // Towards the middle, where the room is.
  const left = stop.track === 'train';
  const at: Point = [x, y + 18];
  const label = left ? {at, anchor: 'start' as const, dx: 8} : {at, anchor: 'end' as const, dx: -8};
  if (!next) return {tip: {at: [x, y], dx: 0, turn: 0}, label};
  const [goal, goalTop] = place(next);
  if (next.track === stop.track) {
    const end = goalTop - 26;
    return {
      curve: [
        [x, y],
        [x, y],
        [x, end - 4],
        [x, end - 4],
      ],
      tip: {at: [x, end], dx: 0, turn: 90},
      label,
    };
  }
  const [from, to] = [top + height / 2, goalTop + height / 2];
  const edge = -width / 2 - 5;
  return {
    // From centre to centre: the pictures cover its ends.
    curve: [
      [x, from],
      [x + (goal - x) * 0.8, from],
      [x + (goal - x) * 0.2, to],
      [goal, to],
    ],
    tip: {at: [goal, to], dx: edge, turn: 0},
    label: from === to ? {at: [50, from + 17], anchor: 'middle', dx: 0} : label,
  };
}
