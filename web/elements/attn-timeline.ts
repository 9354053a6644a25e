// <attn-timeline>: the evolution of attention on two tracks, with the reader's place on them.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {LessonLink, TimelineNode} from '../shared/content.js';
import {color, figure, pin, text} from '../shared/plot.js';
import {showRich, showText} from '../shared/rich-text.js';
import type {Resources} from '../shared/runtime.js';
import {choiceField, nameField, type Schema} from '../shared/schema.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

type TrackId = TimelineNode['track'];

export interface TimelineState {
  /** 读者在哪一课，如c3-l03 */
  current: string;
  /** 展开什么：这一课的节点、全部，或一条线 */
  open: 'current' | 'all' | TrackId;
}

export interface Stop extends TimelineNode {
  here: boolean;
  open: boolean;
}

export interface Track {
  id: TrackId;
  name: string;
  open: boolean;
  stops: Stop[];
}

export interface TimelineResult {
  tracks: Track[];
}

const TRACKS: readonly {id: TrackId; name: string}[] = [
  {id: 'train', name: '① 训练：一个词元怎样从别的词元取信息'},
  {id: 'generate', name: '② 生成：怎样把K、V存得越来越省'},
];

const schema: Schema<TimelineState> = {
  current: nameField(''),
  open: choiceField('current', ['current', 'all', 'train', 'generate']),
};

function compute(
  _resources: Resources,
  {current, open}: TimelineState,
  nodes: TimelineNode[],
): TimelineResult {
  const isHere = ({lesson}: TimelineNode) => [lesson].flat().includes(current);
  const place = nodes.find(isHere)?.track ?? 'train';
  return {
    tracks: TRACKS.map(({id, name}) => ({
      id,
      name,
      open: open === 'all' || id === (open === 'current' ? place : open),
      stops: nodes
        .filter((node) => node.track === id)
        .map((node) => {
          const here = isHere(node);
          return {...node, here, open: here || open === 'all' || open === id};
        }),
    })),
  };
}

// Heights within one track of the map, from its heading. A track with the reader's place needs this
// much more room.
const HERE = 36;
const ABOVE_LINE = 17;
const LINE = 52;
const BRANCH = 28;
const TRACK = 114;
const MORE = 20;
/** The first and the last place on a line, in per cent: a label fits beside them on a phone. */
const START = 10;
const END = 90;

interface Place {
  stop: Stop;
  /** Place in steps from the first stop; a branch starts half a step later. */
  at: number;
}

function placesOf(stops: readonly Stop[]): Place[] {
  let main = -1;
  return stops.map((stop) => ({stop, at: stop.branch ? main + 0.5 : ++main}));
}

/** "第二代②" → the generation that neighbours share, and its own number. */
function nameOf({label}: Stop): {generation: string; own: string} {
  const own = /[①-⑳]$/.exec(label)?.[0] ?? '';
  return {generation: label.slice(0, label.length - own.length), own};
}

interface Group {
  generation: string;
  first: number;
  last: number;
}

function groupsOf(places: readonly Place[]): Group[] {
  const groups: Group[] = [];
  for (const {stop, at} of places.filter((place) => !place.stop.branch)) {
    const {generation} = nameOf(stop);
    const before = groups.at(-1);
    if (before?.generation === generation) before.last = at;
    else groups.push({generation, first: at, last: at});
  }
  return groups;
}

/** A branch that a stop names and that is not a stop itself. */
function sideRoad(stop: Stop): string | undefined {
  return stop.branch ? stop.label : stop.links.find((link) => link.label.startsWith('岔路'))?.label;
}

const hasReader = ({stops}: Track) => stops.some((stop) => stop.here && !stop.branch);
const heightOf = (track: Track) => TRACK + (track.stops.some(({here}) => here) ? MORE : 0);

function trackMap(track: Track): SVGTemplateResult {
  const {name, stops} = track;
  const line = LINE + (hasReader(track) ? MORE : 0);
  const names = line - ABOVE_LINE;
  const branch = line + BRANCH;
  const places = placesOf(stops);
  const length = Math.max(1, ...places.map(({at}) => at));
  const x = (at: number) => START + ((END - START) * at) / length;
  const here = places.find(({stop}) => stop.here);
  const lastMain = Math.max(0, ...places.filter(({stop}) => !stop.branch).map(({at}) => at));
  const way = (from: number, to: number, walked: boolean) =>
    svg`<line x1="${x(from)}%" x2="${x(to)}%" y1=${line} y2=${line}
      stroke=${color(walked ? 'weight' : 'ink-2')} stroke-width=${walked ? 3 : 1.5}/>`;
  return svg`${text(0, 13, name, {weight: 600})}
    ${way(0, lastMain, false)}${here ? way(0, here.at, true) : nothing}
    ${places.map(({stop, at}) => {
      const road = sideRoad(stop);
      const end = stop.branch ? at : at + 0.5;
      if (road === undefined) return nothing;
      const reader = stop.branch && stop.here;
      const label = (y: number, words: string) =>
        text(end === length ? 100 : x(end), branch + y, words, {
          anchor: end === length ? 'end' : 'middle',
          size: 11,
          fill: reader ? 'weight' : 'ink-2',
        });
      return svg`<g data-stop=${stop.id}><line x1="${x(end - 0.5)}%" y1=${line} x2="${x(end)}%"
        y2=${branch} stroke=${color('ink-2')} stroke-dasharray="3 3"/>
        ${pin(
          x(end),
          branch,
          svg`<path d="M0 -5L5 0L0 5L-5 0Z" fill=${color(reader ? 'weight' : 'raised')}
            stroke=${color('ink-2')} stroke-width="1.5"/>`,
        )}
        ${label(19, road)}${reader ? label(34, '你在这里') : nothing}</g>`;
    })}
    ${places.map(({stop, at}) => {
      if (stop.branch) return nothing;
      const tone = stop.here ? 'weight' : 'ink-2';
      return svg`<g data-stop=${stop.id}>
        ${
          stop.here
            ? svg`<circle cx="${x(at)}%" cy=${line} r="11" fill=${color('weight-soft')}/>`
            : nothing
        }
        <circle cx="${x(at)}%" cy=${line} r=${stop.here ? 7 : 5}
          fill=${color(stop.here ? 'weight' : 'raised')} stroke=${color(tone)} stroke-width="2"/>
        ${text(x(at), line + 21, nameOf(stop).own, {
          anchor: 'middle',
          size: 11,
          fill: tone,
          weight: stop.here ? 600 : 400,
        })}
        ${
          stop.here
            ? svg`${text(x(at), HERE, '你在这里', {
                anchor: 'middle',
                size: 12,
                fill: 'weight',
                weight: 600,
              })}
          <line x1="${x(at)}%" x2="${x(at)}%" y1=${HERE + 4} y2=${line - 11}
            stroke=${color('weight')}/>`
            : nothing
        }
      </g>`;
    })}
    ${groupsOf(places).map(
      ({generation, first, last}) => svg`${
        first < last
          ? svg`<line x1="${x(first)}%" x2="${x(last)}%" y1=${names + 5} y2=${names + 5}
            stroke=${color('rule')}/>`
          : nothing
      }
      ${text(x((first + last) / 2), names, generation, {
        anchor: 'middle',
        size: 11,
        fill: 'ink-2',
        halo: true,
      })}`,
    )}`;
}

function linkTo(link: LessonLink): TemplateResult {
  return link.href
    ? html`<a href=${link.href}>${link.label}</a>`
    : html`<span>${link.label}</span>`;
}

function details(stop: Stop, current: string): TemplateResult {
  // A page does not link to itself.
  const own = current && `${current.replace('-', '/')}/index.html`;
  const more = stop.links.filter(({href}) => !(own && href?.endsWith(own)));
  return html`<li class="${stop.here ? 'here' : ''} ${stop.branch ? 'branch' : ''}">
    <details ?open=${stop.open} data-open=${stop.open} data-stop=${stop.id}>
      <summary>
        <span class="tag">${stop.label}${stop.here ? ' · 你在这里' : nothing}</span
        ><b>${showText(stop.title)}</b><span class="src">${stop.source}</span>
      </summary>
      <p><b class="right">✓ 解决了</b>${showRich(stop.solved)}</p>
      <p><b class="wrong">✗ 卡在</b>${showRich(stop.stuck)}</p>
      ${
        more.length > 0
          ? html`<p class="links">
              <b>展开</b>${more.map((link, i) => html`${i > 0 ? ' · ' : nothing}${linkTo(link)}`)}
            </p>`
          : nothing
      }
    </details>
  </li>`;
}

function labelOf({tracks}: TimelineResult): string {
  return tracks
    .map(
      ({name, stops}) =>
        `${name}：${stops.map((stop) => `${stop.label}${stop.here ? '（你在这里）' : ''}`).join('、')}`,
    )
    .join('；');
}

function view({current}: TimelineState, result: TimelineResult): TemplateResult {
  let height = 0;
  const maps = result.tracks.map((track) => {
    const y = height;
    height += heightOf(track);
    return svg`<svg y=${y} overflow="visible">${trackMap(track)}</svg>`;
  });
  return html`${figure({height, label: labelOf(result)}, maps)}
  ${result.tracks.map(
    (track) =>
      html`<details class="track" ?open=${track.open} data-open=${track.open}>
        <summary>${track.name}</summary>
        <ol class="line">
          ${track.stops.map((stop) => details(stop, current))}
        </ol>
      </details>`,
  )}`;
}

function says(_state: TimelineState, {tracks}: TimelineResult): string {
  for (const [t, {stops}] of tracks.entries()) {
    const line = stops.filter((stop) => !stop.branch || stop.here);
    const i = line.findIndex((stop) => stop.here);
    const [before, here, after] = [line[i - 1], line[i], line[i + 1]];
    if (!here) continue;
    if (here.branch)
      return `你在${here.label}「${here.title}」，从${before ? `「${before.title}」` : '主线'}旁边岔出去。`;
    const from = i > 0 && before ? `它解开「${before.title}」卡住的地方` : '这条线从它开始';
    // The last stop of a line hands over to the other line, or to what branches off behind it.
    const [other] = tracks[t + 1]?.stops ?? [];
    const branch = stops.slice(stops.indexOf(here) + 1).find((stop) => stop.branch);
    const next = after
      ? `留给「${after.title}」`
      : other
        ? `留给另一条线的「${other.title}」`
        : branch
          ? `交给「${branch.title}」`
          : '这条线上还没有下一站';
    return `你在${here.label}「${here.title}」。${from}；它自己卡住的地方，${next}。`;
  }
  const count = tracks.reduce((sum, {stops}) => sum + stops.length, 0);
  return `两条线共${count}站，每一站都从前面卡住的地方出发。`;
}

function table(_state: TimelineState, {tracks}: TimelineResult): Table {
  return {
    columns: ['站', '线', '名字', '出处', '讲它的课'],
    rows: tracks.flatMap(({name, stops}) =>
      stops.map((stop) => [
        `${stop.label}${stop.here ? '（你在这里）' : ''}`,
        name.slice(2, 4),
        stop.title,
        stop.source,
        stop.links.map((link) => link.label).join('、'),
      ]),
    ),
  };
}

/**
 * Two tracks of generations; each node states the problem that it solved and its own limit.
 *
 * @attr current open
 * @fires attn-change  detail: {state, result}
 */
export class AttnTimeline extends AttnWidget<TimelineState, TimelineResult, TimelineNode[]> {
  static override readonly spec: Spec<TimelineState, TimelineResult, TimelineNode[]> = {
    tag: 'attn-timeline',
    title: '注意力的演进',
    hint: '一代卡在一个数上，下一代就从那里起步。点开一站看看。',
    schema,
    content: () => 'timeline',
    compute,
    view,
    says,
    table,
  };

  #refold = false;

  protected override body(state: TimelineState, result: TimelineResult): TemplateResult {
    const choice = (open: TimelineState['open'], name: string) =>
      html`<button
        type="button"
        class="chip"
        aria-pressed=${state.open === open ? 'true' : 'false'}
        @click=${() => this.change({open})}
      >
        ${name}
      </button>`;
    return html`<div class="row live">
        ${choice('current', '只看这一课')}${choice('all', '全部展开')}
      </div>
      <div class="view" @click=${this.#visit}>${this.spec.view(state, result)}</div>`;
  }

  /**
   * Folds follow the state when it is set; between two settings the reader opens and closes them.
   */
  protected override change(patch: Partial<TimelineState>): void {
    this.#refold = true;
    super.change(patch);
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (!this.#refold) return;
    this.#refold = false;
    for (const fold of this.renderRoot.querySelectorAll<HTMLDetailsElement>('details[data-open]'))
      fold.open = fold.dataset['open'] === 'true';
  }

  /** A click on a dot of the map opens its text. */
  #visit = (event: MouseEvent): void => {
    const stop = (event.target as Element).closest<SVGElement>('g[data-stop]')?.dataset['stop'];
    const fold =
      stop && this.renderRoot.querySelector<HTMLDetailsElement>(`details[data-stop="${stop}"]`);
    if (!fold) return;
    for (const outer of [fold, fold.closest<HTMLDetailsElement>('.track')])
      outer?.toggleAttribute('open', true);
    fold.scrollIntoView({block: 'nearest'});
  };
}
