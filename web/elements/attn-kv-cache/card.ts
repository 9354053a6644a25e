// The card of <attn-kv-cache>: its memory to scale, filled by the caches of all sequences, with
// room for more of them.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {tickTexts} from '../../shared/axis.js';
import type {Exact} from '../../shared/cache-json.js';
import {kindFill, kindHatches} from '../../shared/cache-figure.js';
import {kindName} from '../../shared/cache-text.js';
import {binary, fixed, general, integer} from '../../shared/format.js';
import {clamp} from '../../shared/handle.js';
import {color, figure, hatch, panel, pin, text} from '../../shared/plot.js';
import {linearScale} from '../../shared/scale.js';
import {GIB, type KvCacheResult, type KvCacheState} from './state.js';
import {changeOf, roomText, sequencesText} from './words.js';

interface Layout {
  only: 'wide' | 'narrow';
  /** Rows of text above the card. */
  head: number;
  memory: number;
}

const LAYOUTS: readonly Layout[] = [
  {only: 'wide', head: 34, memory: 92},
  {only: 'narrow', head: 56, memory: 76},
];

/** Between the card's outline and its memory, in pixels and in per cent. */
const RIM = 11;
const SIDE = 1.4;
/** Two rows of contacts with a notch between them, in per cent of the card. */
const CONTACTS = [
  [8, 22],
  [25, 62],
] as const;
const TICKS = 34;
const LEGEND_ROW = 22;
/** A card that is much too small keeps this share of the width. */
const LEAST = 0.14;
/** Sequences narrower than this are not told apart, in per cent. */
const NARROWEST = {wide: 0.7, narrow: 2};
/** A kind that takes any room is seen. */
const THINNEST = 2;

/** The card as a pair of pictures. */
export const cardFigures = (state: KvCacheState, result: KvCacheResult): TemplateResult =>
  html`${LAYOUTS.map((layout) => drawn(layout, state, result))}`;

/** Per cent of the memory's panel. */
interface Scale {
  (bytes: number): number;
  /** The end of the card. */
  end: number;
}

function scaleOf(memory: number, used: number): Scale {
  const end = 100 * Math.max(LEAST, Math.min(1, memory / used));
  return Object.assign((bytes: number) => Math.min(100, (end * bytes) / memory), {end});
}

const at2 = (value: number) => Number(value.toFixed(2));

/** The contents of one card, in bytes from its start: weights, what is left free, the cache. */
interface Load {
  weights: number;
  reserve: number;
  cache: number;
  end: number;
}

function loadOf({cards}: KvCacheState, {serving, total}: KvCacheResult): Load {
  const weights = Number(serving?.weights ?? 0) / cards;
  const reserve = Number(serving?.reserve ?? 0) / cards;
  const cache = Number(serving?.taken?.total ?? serving?.card ?? total);
  return {weights, reserve, cache, end: weights + reserve + cache};
}

function drawn(layout: Layout, state: KvCacheState, result: KvCacheResult): TemplateResult {
  const {only, head, memory} = layout;
  const load = loadOf(state, result);
  const x = scaleOf(state.memory * GIB, load.end);
  const shown = result.parts.flatMap((part, i) => (Number(part) > 0 ? [i] : []));
  const extra = extraLegend(only, state, result);
  const card = head + 2 * RIM + memory;
  return figure(
    {
      only,
      height: card + TICKS + LEGEND_ROW * (shown.length + extra.length),
      label: `${roomText(state)}的显卡：缓存${binary(result.total)}，${sequencesText(state, result)}`,
    },
    svg`${kindHatches(`-${only}`)}<defs>${hatch(`kv-over-${only}`, 'wrong')}</defs>
      ${headline(layout, state, result)}${board(layout, x)}
      ${panel(
        {x: SIDE, y: head + RIM, width: 100 - 2 * SIDE, height: memory},
        svg`${free(layout, x, state, result, load)}${others(layout, x, load)}
          ${contents(layout, x, load, result)}${sequences(layout, x, state, load)}
          ${beyond(layout, x, load.end)}`,
      )}
      ${ticks(state, x, card)}
      ${shown.map((kind, i) => legend(only, kind, state, result, card + TICKS + LEGEND_ROW * i))}
      ${extra.map(([fill, name, bytes], i) =>
        legendRow(fill, name, bytes, card + TICKS + LEGEND_ROW * (shown.length + i)),
      )}`,
  );
}

function headline({only}: Layout, state: KvCacheState, result: KvCacheResult): SVGTemplateResult {
  const narrow = only === 'narrow';
  const fits = result.sequences === 'any' || Number(result.sequences) >= state.batch;
  return svg`${text(0, 20, `缓存${binary(result.total)}`, {size: 20, weight: 650, fill: 'weight'})}
    ${text(narrow ? 0 : 100, narrow ? 44 : 20, sequencesText(state, result), {
      anchor: narrow ? 'start' : 'end',
      size: 15,
      weight: 600,
      fill: fits ? 'ink' : 'wrong',
    })}`;
}

/** The card's outline, with the contacts by which it is plugged in. */
function board({head, memory}: Layout, x: Scale): SVGTemplateResult {
  const height = memory + 2 * RIM;
  const width = at2(((100 - 2 * SIDE) * x.end) / 100 + 2 * SIDE);
  return svg`<rect x="0" y=${head} width="${width}%" height=${height} rx="9" fill=${color('paper')}
      stroke=${color('ink-2')} stroke-width="1.6"/>
    ${panel(
      {x: 0, y: head + height, width, height: 7},
      svg`${CONTACTS.map(
        ([from, to]) => svg`<line x1="${from}%" x2="${to}%" y1="3.5" y2="3.5"
          stroke=${color('ink-2')} stroke-opacity="0.6" stroke-width="6"
          stroke-dasharray="4 2"/>`,
      )}`,
    )}`;
}

/** The empty memory, and room for further sequences of the same length. */
function free(
  {only, memory}: Layout,
  x: Scale,
  {batch}: KvCacheState,
  {sequences: most}: KvCacheResult,
  {cache, weights, reserve}: Load,
): SVGTemplateResult {
  const start = x(weights + reserve);
  const one = (start + x(cache) > 100 ? 0 : x(cache)) / batch;
  const seen = most !== 'any' && one >= NARROWEST[only];
  const further = seen ? Math.max(0, Number(most) - batch) : 0;
  return svg`<rect width="${at2(x.end)}%" height=${memory} rx="2" fill=${color('raised')}
      stroke=${color('rule')}/>
    ${Array.from({length: further}, (_, i) => start + one * (batch + i)).map(
      (from) => svg`<rect x="${at2(from + 0.08 * one)}%" y="5" width="${at2(0.84 * one)}%"
        height=${memory - 10} rx="2" fill=${color('weight-soft')} fill-opacity="0.6"/>`,
    )}`;
}

/** Weights, and what is left for activations and the engine. */
function others({only, memory}: Layout, x: Scale, {weights, reserve}: Load): SVGTemplateResult {
  const [from, to] = [at2(x(weights)), at2(x(weights + reserve))];
  return svg`${
    weights > 0
      ? svg`<rect width="${from}%" height=${memory} fill="url(#kv-ink-2-${only})"/>`
      : nothing
  }${
    reserve > 0
      ? svg`<rect x="${from}%" width="${at2(to - from)}%" height=${memory}
          fill=${color('rule')}/>`
      : nothing
  }`;
}

/** Heights of the kinds: their shares of the cache. */
function heightsOf(parts: readonly number[], height: number): number[] {
  const all = parts.reduce((sum, part) => sum + part, 0);
  const raw = parts.map((part) => (part > 0 ? Math.max(THINNEST, (height * part) / all) : 0));
  const sum = raw.reduce((one, other) => one + other, 0);
  return raw.map((part) => (height * part) / sum);
}

/** The cache: as wide as its share of the memory; the kinds of layers one on top of another. */
function contents(
  {only, memory}: Layout,
  x: Scale,
  {weights, reserve, cache, end}: Load,
  {parts, read}: KvCacheResult,
): unknown {
  if (cache === 0) return nothing;
  const start = x(weights + reserve);
  const width = Math.max(0.2, x(end) - start);
  let next = 0;
  return heightsOf(parts.map(Number), memory).map((height, i) => {
    const kind = read.layout[i]?.kind;
    const y = next;
    next += height;
    return kind && height > 0
      ? svg`<rect x="${at2(start)}%" y=${at2(y)} width="${at2(width)}%" height=${at2(height)}
          fill=${kindFill(kind, `-${only}`)}/>`
      : nothing;
  });
}

/** Lines between the sequences. */
function sequences(
  {only, memory}: Layout,
  x: Scale,
  {batch, memory: room}: KvCacheState,
  {cache, weights, reserve}: Load,
): unknown {
  const one = (x.end * cache) / batch / (room * GIB);
  if (one < NARROWEST[only]) return nothing;
  const start = x(weights + reserve);
  const count = Math.min(batch, Math.ceil(Math.max(1, (100 - start) / one)));
  return Array.from({length: count - 1}, (_, i) => at2(start + one * (i + 1))).map(
    (at) => svg`<line x1="${at}%" x2="${at}%" y2=${memory} stroke=${color('raised')}
      stroke-width="2"/>`,
  );
}

/** A jagged line from the top to the bottom, where the rest is not drawn. */
const tear = (height: number) =>
  `M0 -4l7 ${height / 4 + 2}l-10 ${height / 4}l10 ${height / 4}l-7 ${height / 4 + 6}`;

/** The part of the cache that the card has no room for, hatched beyond its end. */
function beyond({only, memory}: Layout, x: Scale, total: number): unknown {
  const end = x(total);
  if (end <= x.end + 0.01) return nothing;
  const cut = end >= 100;
  return svg`<rect x="${at2(x.end)}%" width="${at2(end - x.end)}%" height=${memory}
      fill=${color('raised')} fill-opacity="0.55"/><rect x="${at2(x.end)}%"
      width="${at2(end - x.end)}%" height=${memory} fill="url(#kv-over-${only})"
      stroke=${color('wrong')} stroke-width="1.5" stroke-dasharray="4 3"/>
    ${
      cut && x.end <= 100 * LEAST
        ? pin(
            94,
            0,
            svg`<path d=${tear(memory)} fill="none" stroke=${color('raised')} stroke-width="7"/>`,
          )
        : nothing
    }`;
}

/** Marks of the card's size under it. */
function ticks({memory}: KvCacheState, x: Scale, y: number): SVGTemplateResult {
  const scale = linearScale([0, memory], [0, x.end]);
  const few = x.end < 40 ? 1 : 4;
  const values = [...scale.ticks(few).filter((tick) => tick < 0.88 * memory), memory];
  const texts = tickTexts(values, (tick, more) =>
    more === 0 ? general(tick, 4) : fixed(tick, more),
  );
  const place = (tick: number) => at2(SIDE + ((100 - 2 * SIDE) * scale(tick)) / 100);
  return svg`<g class="ticks">${values.map((tick, i) => {
    const last = i === values.length - 1;
    return svg`${text(
      last ? clamp(place(tick) + SIDE, 16, 100) : place(tick),
      y + 22,
      `${texts[i]}${last ? ' GiB' : ''}`,
      {
        anchor: i === 0 && !last ? 'start' : last ? 'end' : 'middle',
        size: 11.5,
        fill: 'ink-2',
      },
    )}`;
  })}</g>`;
}

function legend(
  only: Layout['only'],
  i: number,
  state: KvCacheState,
  {read, parts}: KvCacheResult,
  y: number,
): SVGTemplateResult {
  const kind = read.layout[i];
  if (!kind) return svg``;
  const name = `${kindName(kind.kind)} × ${integer(kind.layers)}层，${changeOf(kind, state.context)}`;
  return legendRow(kindFill(kind.kind, `-${only}`), name, parts[i] ?? 0, y);
}

/** Fill, name and bytes of what is on the cards beside the cache. */
function extraLegend(
  only: Layout['only'],
  {weights, cards}: KvCacheState,
  {serving}: KvCacheResult,
): (readonly [fill: string, name: string, bytes: Exact])[] {
  if (!serving) return [];
  const hatched = `url(#kv-ink-2-${only})`;
  return [
    ...(weights === 'none' ? [] : [[hatched, '权重', serving.weights] as const]),
    ...(Number(serving.reserve) > 0
      ? [[color('rule'), '留给激活和引擎', serving.reserve] as const]
      : []),
    ...(cards > 1
      ? [['none', `上面画的是${integer(cards)}张卡里的一张，缓存`, serving.card] as const]
      : []),
  ];
}

function legendRow(fill: string, name: string, bytes: Exact, y: number): SVGTemplateResult {
  return svg`<rect y=${y + 1} width="13" height="13" fill=${fill}/>
    <svg x="21" y=${y} overflow="visible">${text(0, 12, name)}</svg>
    ${text(100, y + 12, binary(bytes), {anchor: 'end', weight: 600})}`;
}
