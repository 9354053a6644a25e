// The words of <attn-timeline>: the text of every station, its sentence and its table.

import {html, nothing, type TemplateResult} from 'lit';
import type {LessonLink} from '../../shared/content.js';
import {showRich, showText} from '../../shared/rich-text.js';
import type {Table} from '../attn-widget/spec.js';
import {nextOf} from './places.js';
import type {Stop, TimelineResult, TimelineState, Track} from './state.js';

function linkTo({href, label}: LessonLink): TemplateResult {
  return href
    ? html`<a href=${href}>${label}</a>`
    : html`<span>${label}</span><small>（未发布）</small>`;
}

function details(stop: Stop, current: string): TemplateResult {
  // A page does not link to itself.
  const own = current && `${current.replace('-', '/')}/index.html`;
  const more = stop.links.filter(({href}) => !(own && href?.endsWith(own)));
  const open = stop.open || stop.chosen;
  const names = [
    stop.here && 'here',
    stop.branch && 'branch',
    stop.chosen && 'chosen',
    !stop.published && 'later',
  ];
  return html`<li class=${names.filter(Boolean).join(' ')}>
    <details ?open=${open} data-open=${open} data-stop=${stop.id}>
      <summary>
        <span class="tag">${stop.label}${stop.here ? ' · 你在这里' : nothing}</span
        ><b>${showText(stop.title)}</b
        ><span class="src">${stop.year ? `${stop.year} · ` : nothing}${stop.source}</span>
      </summary>
      <div class="both">
        <p><b class="right">✓ 解决了</b>${showRich(stop.solved)}</p>
        <p><b class="wrong">✗ 卡在</b>${showRich(stop.stuck)}</p>
      </div>
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

/**
 * Every station's text. In a page that is alive the style sheet shows what is chosen or open; on
 * paper and without scripts all of it is there.
 */
export function texts(
  {current, open, node}: TimelineState,
  {tracks}: TimelineResult,
): TemplateResult {
  const shown = ({stops}: Track) => stops.some((stop) => stop.chosen);
  return html`<div class="stations ${open === 'current' ? 'one' : ''} ${node ? 'asked' : ''}">
    ${tracks.map(
      (track) =>
        html`<details
          class="track ${shown(track) ? 'chosen' : ''}"
          ?open=${track.open || shown(track)}
          data-open=${track.open || shown(track)}
        >
          <summary>${track.name}</summary>
          <ol class="line">
            ${track.stops.map((stop) => details(stop, current))}
          </ol>
        </details>`,
    )}
  </div>`;
}

/** The stations whose arrows lead to one; empty where no arrow does. */
function solvedBy(goal: Stop, result: TimelineResult): string {
  const names = result.tracks
    .flatMap(({stops}) => stops)
    .filter((stop) => nextOf(stop, result) === goal)
    .map(({track, title}) => `${track === goal.track ? '' : '另一条线的'}「${title}」`);
  return names.length > 0 ? `它解开${names.join('和')}卡住的地方` : '';
}

/** The station that the reader asked for. */
function askedFor(stop: Stop, result: TimelineResult): string {
  const from = solvedBy(stop, result);
  const next = nextOf(stop, result);
  const to = next ? `它自己卡住的地方，留给「${next.title}」。` : '';
  return `${stop.label}「${stop.title}」。${from && `${from}。`}${to}`;
}

export function says({node}: TimelineState, result: TimelineResult): string {
  const {tracks} = result;
  const all = tracks.flatMap(({stops}) => stops);
  const asked = all.find((stop) => stop.id === node && !stop.here);
  if (asked) return askedFor(asked, result);
  for (const [t, {stops}] of tracks.entries()) {
    const line = stops.filter((stop) => !stop.branch || stop.here);
    const i = line.findIndex((stop) => stop.here);
    const [before, here, after] = [line[i - 1], line[i], line[i + 1]];
    if (!here) continue;
    if (here.branch)
      return `你在${here.label}「${here.title}」，从${before ? `「${before.title}」` : '主线'}旁边岔出去。`;
    const from = solvedBy(here, result) || '这条线从它开始';
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

export function table(_state: TimelineState, {tracks}: TimelineResult): Table {
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
