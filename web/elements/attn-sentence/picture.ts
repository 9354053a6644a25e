// The picture of attn-sentence: five tokens in columns, four numbers under each. The same cells are
// the word vector, the key, the score, the share and the value, as the playhead moves on.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {beat, mix} from '../../shared/beats.js';
import {fixed, percent} from '../../shared/format.js';
import {color, figure, hatch, text, type Token} from '../../shared/plot.js';
import {STOPS, type SentenceResult} from './state.js';

/** Columns in per cent of the width, heights in pixels. */
interface Layout {
  kind: 'wide' | 'narrow';
  /** Room for the arcs above the tokens. */
  top: number;
  chip: number;
  cell: number;
  /** Width of a chip and of a cell. */
  chipWidth: number;
  cellWidth: number;
  /** Stroke of an arc with all the attention, and pixels in one per cent of the usual width. */
  thickest: number;
  pixels: number;
  name: number;
  number: number;
}

const WIDE: Layout = {
  kind: 'wide',
  top: 132,
  chip: 62,
  cell: 27,
  chipWidth: 14,
  cellWidth: 5,
  thickest: 28,
  pixels: 9,
  name: 22,
  number: 13,
};
const NARROW: Layout = {
  kind: 'narrow',
  top: 96,
  chip: 54,
  cell: 25,
  chipWidth: 18,
  cellWidth: 9.2,
  thickest: 18,
  pixels: 3.3,
  name: 17,
  number: 11,
};
const GAP = 18;
/** A score of this size fills half of the column. */
const LARGE_SCORE = 2.5;
/** A vector's number of this size has the deepest colour. */
const LARGE_NUMBER = 2;

export type Choose = (token: number) => void;

/** How far each change has come, 0 … 1. */
function beatsOf(at: number) {
  const stage = at * (STOPS.length - 1);
  return {
    stage,
    project: beat(stage, 0, 1),
    fly: beat(stage, 1, 1.5),
    fuse: beat(stage, 1.5, 2),
    mask: beat(stage, 2, 3),
    share: beat(stage, 3, 4),
    values: beat(stage, 4, 4.5),
    pour: beat(stage, 4.5, 5),
  };
}
type Beats = ReturnType<typeof beatsOf>;

export function sentenceFigure(
  result: SentenceResult,
  at: number,
  label: string,
  choose?: Choose,
): TemplateResult {
  const beats = beatsOf(at);
  return svg`${drawn(WIDE, result, beats, label, choose)}${drawn(
    NARROW,
    result,
    beats,
    label,
    choose,
  )}` as unknown as TemplateResult;
}

function drawn(
  layout: Layout,
  result: SentenceResult,
  beats: Beats,
  label: string,
  choose?: Choose,
): TemplateResult {
  const {kind, top, chip, cell} = layout;
  const height = top + chip + GAP + 4 * cell + 8;
  const columns = result.tokens.map((_, i) => column(layout, result, beats, i));
  return figure(
    {height, label, only: kind, touched: choose !== undefined},
    svg`<defs>${hatch(`hidden-${kind}`, 'ink-2')}</defs>
      ${arcs(layout, result, beats)}${columns}
      ${result.tokens.map((_, i) => token(layout, result, beats, i, choose))}`,
  );
}

const middle = (result: SentenceResult, i: number) => ((i + 0.5) * 100) / result.tokens.length;

/** Arcs leave the asking token side by side, the nearest inside, so that none crosses another. */
function arcs(layout: Layout, result: SentenceResult, {share}: Beats): unknown {
  if (share === 0) return nothing;
  const {top, thickest, pixels} = layout;
  const {from, weights} = result;
  const rank = (i: number) => (i === from ? weights.length : from - i);
  const seen = weights.map((_, i) => i).filter((i) => i <= from);
  const order = seen.sort((a, b) => rank(a) - rank(b));
  const strokes = weights.map((weight) => Math.max(1.2, weight * thickest));
  const total = order.reduce((sum, i) => sum + strokes[i]!, 0);
  let start = middle(result, from) - total / pixels / 2;
  const step = layout.kind === 'wide' ? 24 : 17;
  return svg`<svg y="0" width="100%" height=${top} viewBox="0 0 100 ${top}"
    preserveAspectRatio="none">${order.map((i) => {
      const width = strokes[i]!;
      const x0 = start + width / pixels / 2;
      start += width / pixels;
      const x1 = i === from ? x0 + 22 / pixels : middle(result, i);
      const h = i === from ? 34 : 34 + step * (from - i);
      return svg`<path d="M${x0} ${top}C${x0} ${top - h} ${x1} ${top - h} ${x1} ${top}" fill="none"
        stroke=${color('weight')} stroke-width=${width} vector-effect="non-scaling-stroke"
        stroke-opacity=${(share * (0.4 + 0.6 * Math.min(1, 2 * (weights[i] ?? 0)))).toFixed(3)}/>`;
    })}</svg>`;
}

/** The chip of a token, with its score or its share. */
function token(
  layout: Layout,
  result: SentenceResult,
  beats: Beats,
  i: number,
  choose?: Choose,
): SVGTemplateResult {
  const {top, chip, chipWidth, name, number, kind} = layout;
  const {tokens, from, scores, weights} = result;
  const x = middle(result, i);
  const later = i > from;
  const weight = weights[i] ?? 0;
  const label = labelOf(beats, later, scores[i] ?? 0, weight);
  const left = x - chipWidth / 2;
  const box = (fill: string, opacity: number, stroke?: Token) =>
    svg`<rect x="${left}%" y=${top} width="${chipWidth}%" height=${chip} rx="9" fill=${fill}
      fill-opacity=${opacity.toFixed(3)} stroke=${stroke ? color(stroke) : nothing}
      stroke-width=${i === from ? 2 : 1}/>`;
  const keyed = (event: KeyboardEvent) => {
    const target = {ArrowLeft: i - 1, ArrowRight: i + 1, Enter: i, ' ': i}[event.key];
    if (target === undefined || !tokens[target]) return;
    event.preventDefault();
    choose?.(target);
    const chips = (event.currentTarget as SVGElement).parentElement?.querySelectorAll('.pick');
    (chips?.[target] as SVGElement | undefined)?.focus();
  };
  const face = svg`${box(color('paper'), 1, i === from ? 'query' : 'rule')}
    ${box(color('weight'), 0.28 * beats.share * Math.min(1, 1.6 * weight))}
    ${later ? box(`url(#hidden-${kind})`, 0.4 * beats.mask) : nothing}
    ${text(x, top + (label === '' ? chip / 2 + 8 : chip / 2 - 2), tokens[i] ?? '', {
      anchor: 'middle',
      size: name,
      weight: 600,
      halo: later && beats.mask > 0,
    })}
    ${text(x, top + chip - 10, label, {
      anchor: 'middle',
      size: number + 1,
      weight: 600,
      fill: later && beats.mask > 0.5 ? 'ink-2' : beats.share > 0.5 ? 'weight' : 'score',
      halo: later && beats.mask > 0,
    })}`;
  if (!choose) return face;
  return svg`<g class="pick" role="button" tabindex=${i === from ? 0 : -1}
    aria-pressed=${i === from ? 'true' : 'false'}
    aria-label=${`${tokens[i]}${label === '' ? '' : `：${label}`}`}
    @click=${() => choose(i)} @keydown=${keyed}>${face}</g>`;
}

function labelOf({stage, mask, share}: Beats, later: boolean, score: number, weight: number) {
  if (later && mask > 0.5) return '遮住';
  if (share > 0.5) return percent(weight);
  return stage > 1.5 ? fixed(score, 2) : '';
}

interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
  tone: Token;
  opacity: number;
  /** A number of a vector: its size makes the colour, a broken edge its sign. */
  value?: number;
  /** Printed where it is to be read. */
  print?: boolean;
}

function cellOf(layout: Layout, cell: Cell): unknown {
  const {x, y, width, height, tone, opacity, value, print} = cell;
  if (opacity < 0.02 || height < 0.5) return nothing;
  const depth =
    value === undefined ? 0.85 : 0.08 + 0.36 * Math.min(1, Math.abs(value) / LARGE_NUMBER);
  return svg`<g opacity=${opacity.toFixed(3)}><rect x="${(x - width / 2).toFixed(3)}%"
    y=${y.toFixed(2)} width="${width.toFixed(3)}%" height=${height.toFixed(2)} rx="3"
    fill=${color(tone)} fill-opacity=${depth.toFixed(3)}
    stroke=${value === undefined ? nothing : color(tone)} stroke-opacity="0.6"
    stroke-dasharray=${value !== undefined && value < 0 ? '3 2' : nothing}/>${
      print && value !== undefined
        ? text(x, y + height / 2 + layout.number * 0.36, fixed(value, 2), {
            anchor: 'middle',
            size: layout.number,
          })
        : nothing
    }</g>`;
}

/** The cells under a token at this moment. */
function column(
  layout: Layout,
  result: SentenceResult,
  beats: Beats,
  i: number,
): SVGTemplateResult {
  const {cell, cellWidth, kind} = layout;
  const {from, scores, weights} = result;
  const {project, fly, fuse, mask, share, values, pour} = beats;
  const [x, asker] = [middle(result, i), middle(result, from)];
  const first = layout.top + layout.chip + GAP;
  const [height, base] = [4 * cell, first + 4 * cell];
  const later = i > from;
  const side = cellWidth / 2 + 0.2;
  const stack = (
    numbers: readonly number[],
    at: number,
    tone: Token,
    opacity: number,
    print: boolean,
  ) =>
    numbers.map((value, d) =>
      cellOf(layout, {
        x: at,
        y: mix(first + d * cell, first + height / 2 - 1, fuse * (values > 0 ? 0 : 1)),
        width: cellWidth,
        height: mix(cell - 2, 2, fuse * (values > 0 ? 0 : 1)),
        tone,
        opacity,
        value,
        print,
      }),
    );
  const still = fuse < 1 ? 1 - fuse : 0;
  const parts: unknown[] = [];
  if (still > 0) {
    const keyAt = mix(x + project * side, x, fuse);
    parts.push(stack(result.x[i] ?? [], x, 'ink-2', 1 - project, project < 0.5));
    parts.push(stack(result.k[i] ?? [], keyAt, 'key', project * still, fuse < 0.2));
    const queryAt = mix(mix(asker - side, x - side, fly), x, fuse);
    if (project > 0 && (i === from || fly > 0))
      parts.push(stack(result.q, queryAt, 'query', project * still, fuse < 0.2));
  }
  const length = (scores[i] ?? 0) / LARGE_SCORE;
  const score = {
    y: first + (height / 2) * (1 - Math.max(0, length)),
    size: Math.abs(length) * height * 0.5,
  };
  const part = {y: base - (weights[i] ?? 0) * height, size: (weights[i] ?? 0) * height};
  const bar = (tone: Token, opacity: number) =>
    cellOf(layout, {
      x,
      y: mix(score.y, part.y, share),
      width: cellWidth,
      height: mix(score.size, part.size, share) * (1 - values),
      tone,
      opacity: opacity * fuse * (later ? 1 - mask : 1),
    });
  if (fuse > 0 && values < 1) parts.push(bar('score', 1 - share), bar('weight', share));
  if (later && mask > 0 && values < 1)
    parts.push(svg`<rect x="${x - cellWidth / 2}%" y=${first} width="${cellWidth}%" height=${height}
      rx="3" fill="url(#hidden-${kind})" fill-opacity=${(0.4 * mask * (1 - values)).toFixed(3)}/>`);
  if (values > 0 && !later) {
    const thin = cellWidth * Math.max(0.1, weights[i] ?? 0);
    parts.push(
      (result.v[i] ?? []).map((value, d) =>
        cellOf(layout, {
          x: mix(x, asker, pour),
          y: first + d * cell,
          width: thin,
          height: cell - 2,
          tone: 'value',
          opacity: values * (1 - pour),
          value,
        }),
      ),
    );
  }
  if (i === from && pour > 0) parts.push(stack(result.output, x, 'value', pour, pour > 0.5));
  return svg`${parts}`;
}
