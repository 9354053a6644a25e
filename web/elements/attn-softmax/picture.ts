// The picture of attn-softmax: score bars to drag, the shared parts, one strip of 100 %.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {Entry} from '../../core.js';
import {tickLabels, type TickFormat} from '../../shared/axis.js';
import {general, plain, scientific} from '../../shared/format.js';
import {slideHandle} from '../../shared/handle.js';
import {color, figure, hatch, panel, pin, text, unitsOf, type Token} from '../../shared/plot.js';
import {linearScale} from '../../shared/scale.js';
import {pieces, type Piece} from '../../shared/share-strip.js';
import {
  AXIS,
  CLOSE_ROW,
  FEW_TOKENS,
  type Layout,
  NARROW,
  STRIP,
  TOP,
  WIDE,
  domainOf,
  shade,
} from './layout.js';

/** The contents of the picture; a tween may have mixed the numbers. */
export interface SoftmaxPicture {
  names: readonly string[];
  scores: readonly number[];
  /** The numbers whose shares are the weights, as bars and as texts. */
  parts: readonly Entry[];
  partTexts: readonly string[];
  /** A text above the bars, and its exponent. */
  partsTitle: readonly [text: string, raised?: string];
  weights: readonly Entry[];
  weightTexts: readonly string[];
  /** Indexes of the two tokens that the ruler measures. */
  pair: readonly number[];
  /** In full and, for a phone, short. */
  ruler: {wide: string; narrow: string} | null;
  /** Shares to compare with. */
  ghost: Ghost | null;
}

/** Shares before the last token joined, or those of the reader's guess, which has a label. */
export interface Ghost {
  shares: readonly number[];
  label?: string;
}

/** The picture's reactions to a reader; left out in a picture that is not live. */
export interface SoftmaxTouch {
  ghost: Ghost | null;
  move: (i: number, score: number) => void;
  done: () => void;
  choose: (i: number) => void;
}

export function softmaxFigure(
  shown: SoftmaxPicture,
  label: string,
  touch?: SoftmaxTouch,
): TemplateResult {
  return html`${drawn(WIDE, shown, label, touch)}${drawn(NARROW, shown, label, touch)}`;
}

function drawn(
  wanted: Layout,
  shown: SoftmaxPicture,
  label: string,
  touch?: SoftmaxTouch,
): TemplateResult {
  const close = shown.scores.length > FEW_TOKENS;
  const layout = close ? {...wanted, row: CLOSE_ROW, bar: 14} : wanted;
  const rows = layout.row * shown.scores.length;
  const wide = layout.kind === 'wide';
  const height = wide ? TOP + rows + AXIS : TOP + rows + AXIS + 78;
  return figure(
    {height, label, only: layout.kind, touched: touch !== undefined},
    svg`<defs>${hatch(`negative-${layout.kind}`, 'wrong')}</defs>
      ${heads(layout, shown)}${axis(layout, shown)}
      ${shown.scores.map((_, i) => row(layout, shown, i, close ? undefined : touch))}
      ${wide ? [ribbons(shown, layout, rows), strip(shown, rows)] : flatStrip(shown, rows)}
      ${close ? nothing : ruler(layout, shown)}
      ${close || !touch ? nothing : handles(layout, shown, touch)}`,
  );
}

const middleOf = ({row}: Layout, i: number) => TOP + row * i + row / 2;

function heads(layout: Layout, {partsTitle}: SoftmaxPicture): SVGTemplateResult {
  const head = (x: number, content: string, fill: Token, raised?: string) =>
    svg`<text x="${x}%" y="18" font-size="13.5" font-weight="600" fill=${color(fill)}>${content}${
      raised ? svg`<tspan dy="-5" font-size="75%">${raised}</tspan>` : nothing
    }</text>`;
  return svg`${head(layout.scores[0], '分数 s', 'score')}
    ${head(layout.parts[0], partsTitle[0], 'weight', partsTitle[1])}
    ${layout.kind === 'wide' ? head(STRIP.x, '权重', 'weight') : nothing}`;
}

/** Position of a score in per cent of the score column. */
function scaleOf(scores: readonly number[]) {
  return linearScale(domainOf(scores), [2, 97]);
}

function axis({scores: [x0, x1], row, kind}: Layout, {scores}: SoftmaxPicture): SVGTemplateResult {
  const x = scaleOf(scores);
  const height = row * scores.length;
  const ticks = x.ticks(kind === 'wide' ? 9 : 4);
  return panel(
    {x: x0, y: TOP, width: x1 - x0, height: height + AXIS},
    svg`${ticks.map(
      (tick) =>
        svg`<line x1="${x(tick)}%" x2="${x(tick)}%" y2=${height}
            stroke=${color(tick === 0 ? 'ink-2' : 'rule')}/>`,
    )}${tickLabels(
      ticks,
      (tick) => ({x: x(tick), y: height + 17, anchor: 'middle'}),
      tickText,
      11.5,
    )}`,
  );
}

const tickText: TickFormat = (tick, more) =>
  Math.abs(tick) >= 1e5 ? scientific(tick, more) : plain(tick);

function row(layout: Layout, shown: SoftmaxPicture, i: number, touch?: SoftmaxTouch) {
  const {
    scores: [s0, s1],
    parts: [p0, p1],
    bar,
    kind,
  } = layout;
  const y = middleOf(layout, i);
  const x = scaleOf(shown.scores);
  const score = shown.scores[i] ?? 0;
  const [from, to] = [x(Math.min(0, score)), x(Math.max(0, score))];
  const inside = to > 84;
  const part = shown.parts[i];
  const largest = Math.max(
    ...shown.parts.map(({value, status}) => (status === 'ok' ? Math.abs(value) : 0)),
  );
  const size = part?.status === 'ok' && largest > 0 ? Math.abs(part.value) / largest : 0;
  const good = part?.status === 'ok' && part.value >= 0;
  const room = kind === 'wide' ? 72 : 100;
  const beside = kind === 'wide';
  return svg`<g data-thing=${shown.names[i]}>${name(layout, shown, i, touch)}
    ${panel(
      {x: s0, y: y - bar / 2, width: s1 - s0, height: bar},
      svg`<rect x="${from.toFixed(2)}%" width="${(to - from).toFixed(2)}%" height=${bar}
          fill=${color('score')} fill-opacity="0.8"/>
        ${pin(
          to,
          bar / 2 + 5,
          svg`<text x=${inside ? -16 : 16} text-anchor=${inside ? 'end' : 'start'} font-size="14"
            font-weight="600" fill=${color(inside ? 'raised' : 'score')}
            >${general(score, 5)}</text>`,
        )}`,
    )}
    ${panel(
      {x: p0, y: y - bar / 2, width: p1 - p0, height: bar},
      svg`<rect width="${Math.max(0.4, room * size).toFixed(2)}%" height=${bar}
          fill=${good ? color('weight') : `url(#negative-${kind})`}
          fill-opacity=${good ? shade(i) : 1}/>
        ${pin(
          beside ? Math.max(0.4, room * size) : 0,
          beside ? bar / 2 + 5 : bar + 15,
          svg`<text x=${beside ? 7 : 0} font-size=${beside ? 14 : 12.5}
            fill=${color('ink-2')}>${shown.partTexts[i]}</text>`,
        )}`,
    )}</g>`;
}

/** The name chooses its token for the ruler. */
function name(
  layout: Layout,
  {names, pair}: SoftmaxPicture,
  i: number,
  touch?: SoftmaxTouch,
): SVGTemplateResult {
  const y = middleOf(layout, i);
  const content = names[i] ?? '';
  if (!touch) return text(0, y + 5, content, {size: 15, weight: 600});
  const on = pair.includes(i);
  const choose = () => touch.choose(i);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose();
  };
  return panel(
    {x: 0, y: y - 22, width: layout.names, height: 44},
    svg`<g class="pick" role="button" tabindex="0" aria-pressed=${on ? 'true' : 'false'}
      aria-label="量「${content}」" @click=${choose} @keydown=${press}>
      <rect width="100%" height="44" fill="none" pointer-events="all"/>
      <rect y="6" width="100%" height="32" rx="16" fill=${color(on ? 'weight-soft' : 'paper')}
        stroke=${color(on ? 'weight' : 'rule')}/>
      ${text(50, 28, content, {
        anchor: 'middle',
        size: layout.kind === 'wide' ? 16 : 14.5,
        weight: 600,
      })}
    </g>`,
  );
}

/** From the bars to their pieces of the strip, in a panel as wide as the column. */
function ribbons(shown: SoftmaxPicture, layout: Layout, rows: number): SVGTemplateResult {
  const {places} = frameOf(shown, rows);
  const left = layout.parts[1];
  return svg`<svg x="${left}%" y="0" width="${STRIP.x - left}%" height=${TOP + rows}
    viewBox="0 0 100 ${TOP + rows}" preserveAspectRatio="none">${places.map(({i, start, end}) => {
      const share = shown.weights[i];
      if (share?.status !== 'ok' || share.value <= 0) return nothing;
      const y = middleOf(layout, i);
      return svg`<path data-thing=${shown.names[i]} fill=${color('weight')} fill-opacity="0.13"
        d="M0 ${y - 1}C50 ${y - 1} 50 ${start} 98 ${start}
          V${end}C50 ${end} 50 ${y + 1} 0 ${y + 1}Z"/>`;
    })}</svg>`;
}

/** Pieces of the strip with their places from `TOP` to `TOP + length`, along the wide strip. */
function frameOf({weights}: SoftmaxPicture, length: number, first = TOP) {
  const {list, below, span} = pieces(
    weights.map(({value, status}) => (status === 'ok' ? value : 0)),
  );
  const at = (share: number) => first + (length * (share + below)) / span;
  const place = ({i, from, to}: Piece) => ({i, start: at(from), end: at(to)});
  return {at, places: list.map(place)};
}

function strip(shown: SoftmaxPicture, rows: number): SVGTemplateResult {
  const {at, places} = frameOf(shown, rows);
  let last = -Infinity;
  const labels = [...places].sort((a, b) => a.start - b.start);
  return svg`<svg x="${STRIP.x}%" y="0" width="${STRIP.width}%" height=${TOP + rows}
      overflow="visible">
      ${places.map(({i, start, end}) => {
        const negative = (shown.weights[i]?.value ?? 0) < 0;
        return svg`<rect data-thing=${shown.names[i]} x=${negative ? '10%' : '0%'} y=${start}
          width=${negative ? '80%' : '100%'} height=${Math.max(0, end - start - 1.5)} rx="1.5"
          fill=${negative ? 'url(#negative-wide)' : color('weight')}
          fill-opacity=${negative ? 1 : shade(i)}/>`;
      })}
      ${ghost(shown, (share) => at(share), 'wide')}
      <rect y=${at(0) - 2} width="100%" height=${at(1) - at(0) + 3}
        fill="none" stroke=${color('ink')} stroke-width="1.3" rx="3"/>
    </svg>
    ${labels.map(({i, start, end}) => {
      const y = Math.max((start + end) / 2 + 5, last + 19);
      last = y;
      const negative = (shown.weights[i]?.value ?? 0) < 0;
      return svg`<g data-thing=${shown.names[i]}>${pin(
        STRIP.x + STRIP.width,
        y,
        svg`<text x="12" font-size="15" font-weight="600"
          fill=${color(negative ? 'wrong' : 'weight')}>${
            labels.length > FEW_TOKENS ? nothing : `${shown.names[i]} ${shown.weightTexts[i]}`
          }</text>`,
      )}</g>`;
    })}`;
}

function ghost(
  {ghost: before}: SoftmaxPicture,
  at: (share: number) => number,
  kind: 'wide' | 'narrow',
): unknown {
  if (!before) return nothing;
  let sum = 0;
  const wide = kind === 'wide';
  const last = at(1 - (before.shares.at(-1) ?? 0) / 2);
  return svg`${before.shares.map((share) => {
    const [from, to] = [at(sum), at((sum += share))];
    return wide
      ? svg`<rect x="-8%" width="116%" y=${from} height=${to - from} rx="2" fill="none"
          stroke=${color('ink-2')} stroke-dasharray="4 3"/>`
      : svg`<rect y="-5" height=${STRIP.height + 10} x="${from}%" width="${to - from}%" rx="2"
          fill="none" stroke=${color('ink-2')} stroke-dasharray="4 3"/>`;
  })}${
    before.label
      ? text(wide ? -20 : 100, wide ? last + 5 : -9, before.label, {anchor: 'end', halo: true})
      : nothing
  }`;
}

/** The strip of a narrow picture lies under the bars; the largest pieces are named first. */
function flatStrip(shown: SoftmaxPicture, rows: number): SVGTemplateResult {
  const {at, places} = frameOf(shown, 100, 0);
  const y = TOP + rows + AXIS + 16;
  const taken: [number, number][][] = [[], []];
  const bySize = [...places].sort((a, b) => b.end - b.start - (a.end - a.start));
  return svg`${panel(
    {x: 0, y, width: 100, height: STRIP.height},
    svg`${places.map(({i, start, end}) => {
      const negative = (shown.weights[i]?.value ?? 0) < 0;
      return svg`<rect data-thing=${shown.names[i]} x="${start}%" y=${negative ? 6 : 0}
        width="${Math.max(0, end - start - 0.4)}%" height=${STRIP.height - (negative ? 12 : 0)}
        rx="1.5" fill=${negative ? 'url(#negative-narrow)' : color('weight')}
        fill-opacity=${negative ? 1 : shade(i)}/>`;
    })}
    ${ghost(shown, at, 'narrow')}
    <rect x="${at(0)}%" y="-2" width="${at(1) - at(0)}%" height=${STRIP.height + 4} fill="none"
      stroke=${color('ink')} stroke-width="1.3" rx="3"/>`,
  )}
  ${bySize.map(({i, start, end}) => {
    const label = `${shown.names[i]} ${shown.weightTexts[i]}`;
    // A bold full-width character of this size is 5.8 % of the narrowest picture, 240 px wide.
    const half = (unitsOf(label) * 5.8) / 2;
    const x = Math.min(100 - half, Math.max(half, (start + end) / 2));
    const free = taken.find((row) => row.every(([a, b]) => x + half < a || x - half > b));
    if (!free) return nothing;
    free.push([x - half, x + half]);
    const negative = (shown.weights[i]?.value ?? 0) < 0;
    const line = free === taken[0] ? y + STRIP.height + 20 : y - 9;
    return svg`<g data-thing=${shown.names[i]}>${text(x, line, label, {
      anchor: 'middle',
      size: 13,
      weight: 600,
      fill: negative ? 'wrong' : 'weight',
    })}</g>`;
  })}`;
}

/** A bracket between the ends of two bars, with their difference and the ratio of weights. */
function ruler(layout: Layout, shown: SoftmaxPicture): unknown {
  const [a, b] = shown.pair;
  const label = shown.ruler?.[layout.kind];
  if (a === undefined || b === undefined || !label) return nothing;
  const {
    scores: [x0, x1],
    row,
  } = layout;
  const x = scaleOf(shown.scores);
  const [ya, yb] = [middleOf(layout, a), middleOf(layout, b)];
  const shift = Math.abs(a - b) % 2 === 1 ? 0 : (row / 2) * (a < b ? 1 : -1);
  const y = (ya + yb) / 2 + shift;
  const [xa, xb] = [x(shown.scores[a] ?? 0), x(shown.scores[b] ?? 0)];
  const width = unitsOf(label) * 12.5 + 24;
  const end = (from: number) => from + Math.sign(y - from) * 14;
  const dash = (x1: number, y1: number, x2: number, y2: number) =>
    svg`<line x1="${x1}%" y1=${y1} x2="${x2}%" y2=${y2} stroke=${color('ink')}
      stroke-width="1.3" stroke-dasharray="3 3"/>`;
  return svg`<svg x="${x0}%" width="${x1 - x0}%" height="100%" overflow="visible">
    ${dash(xa, end(ya), xa, y)}${dash(xa, y, xb, y)}${dash(xb, y, xb, end(yb))}
    ${pin(
      Math.min(70, Math.max(30, (xa + xb) / 2)),
      y,
      svg`<rect x=${-width / 2} y="-11" width=${width} height="22" rx="11"
          fill=${color('raised')} stroke=${color('ink')}/>
        ${text(0, 4.5, label, {anchor: 'middle', size: 12.5, weight: 600})}`,
    )}</svg>`;
}

/** Drawn last, so that the handles lie on top. */
function handles(layout: Layout, shown: SoftmaxPicture, touch: SoftmaxTouch): SVGTemplateResult {
  const [x0, x1] = layout.scores;
  const x = scaleOf(shown.scores);
  const [min, max] = domainOf(shown.scores);
  return panel(
    {x: x0, y: 0, width: x1 - x0, height: TOP + layout.row * shown.scores.length},
    svg`${shown.scores.map((score, i) =>
      slideHandle({
        x: x(score),
        y: middleOf(layout, i),
        token: 'score',
        label: `${shown.names[i]}的分数`,
        spoken: `${general(score, 5)}分，权重${shown.weightTexts[i]}`,
        value: score,
        min,
        max,
        step: max - min <= 18 ? 0.1 : max / 200 - min / 200,
        valueAt: (share) => x.invert(100 * share),
        move: (next) => touch.move(i, next),
        done: touch.done,
      }),
    )}`,
  );
}
