// The values of the step that <attn-forward> shows: a row for each character, each number a
// deflection from the row's middle line, up for positive and down for negative.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {easeCubicInOut} from 'd3-ease';
import {shown} from '../attn-heads/character.js';
import {fixed, integer, percent} from '../../shared/format.js';
import {faceFill, inkOf} from '../../shared/heat.js';
import {color, figure, hatch, panel, text, type Token} from '../../shared/plot.js';
import {
  columnOf,
  comeOf,
  type ForwardResult,
  type ForwardState,
  rowOf,
  type Stage,
  stepOf,
} from './state.js';
import {nameOf, readingOf, shapeText} from './words.js';

/** A place among the values. */
export interface Spot {
  row: number;
  column: number;
}

/** Callbacks for pointing at values. */
export interface DetailTouch {
  /** The place at which the reader points. */
  readonly spot: Spot | null;
  readonly down: (event: PointerEvent) => void;
  readonly moved: (event: PointerEvent) => void;
  readonly up: (event: PointerEvent) => void;
  readonly left: (event: PointerEvent) => void;
  readonly key: (event: KeyboardEvent) => void;
}

/** Left of the values stand the characters, in per cent. */
const LEFT = 8;
const TOP = 50;

function heightOf(n: number): number {
  if (n === 1) return 96;
  if (n <= 6) return 34;
  return n <= 12 ? 24 : 16;
}

/** Columns that belong together have a colour. */
function bands({stage}: {stage: Stage}, width: number): [Token, number][] {
  if (stage === 'qkv')
    return [
      ['query', width],
      ['key', width],
      ['value', width],
    ];
  if (stage === 'heads') return [['value', width]];
  if (stage === 'up' || stage === 'active') return [['score', 2 * width]];
  if (stage === 'logits') return [['score', Infinity]];
  return [[stage === 'norm1' || stage === 'norm2' || stage === 'norm' ? 'ink-2' : 'ink', Infinity]];
}

const outlines = new WeakMap<readonly number[], Map<string, string>>();

/**
 * The outline of numbers as steps around 0, a unit wide each. It is kept, since a picture that
 * plays draws it many times.
 */
function outline(values: readonly number[], from: number, to: number, largest: number): string {
  const kept = outlines.get(values) ?? new Map<string, string>();
  outlines.set(values, kept);
  const key = `${from}-${to}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const steps = values
    .slice(from, to)
    .map((value, i) => `V${Math.round((-100 * value) / (largest || 1))}H${from + i + 1}`);
  const drawn = `M${from} 0${steps.join('')}V0Z`;
  kept.set(key, drawn);
  return drawn;
}

interface Scene {
  state: ForwardState;
  result: ForwardResult;
  touch: DetailTouch | undefined;
  /** Index of the chosen position. */
  row: number;
  /** 0 … 1: how far the step has come. */
  come: number;
}

/** The rows that have values: all positions, or the chosen one alone. */
const linesOf = ({state, result, row}: Scene) =>
  stepOf(state).stage === 'logits' ? [row] : result.values.map((_, i) => i);

function mark(scene: Scene, spot: Spot, size: number): SVGTemplateResult {
  const {state, result} = scene;
  const lines = linesOf(scene);
  const line = lines.indexOf(spot.row);
  const count = result.values[0]?.length ?? 1;
  const x = (100 * (spot.column + 0.5)) / count;
  const token = color('query');
  if (stepOf(state).stage === 'weights')
    return svg`<rect x="${((100 * spot.column) / count).toFixed(2)}%" y=${line * size + 1}
      width="${(97 / count).toFixed(2)}%" height=${size - 2} rx="2.5" fill="none" stroke=${token}
      stroke-width="3"/>`;
  return svg`<line x1="${x.toFixed(2)}%" x2="${x.toFixed(2)}%" y1=${line * size + 1}
    y2=${(line + 1) * size - 1} stroke=${token} stroke-width="2"/><circle
    cx="${x.toFixed(2)}%" cy=${line * size + 1} r="3.5" fill=${token}/>`;
}

function waves(scene: Scene): SVGTemplateResult {
  const {state, result, row, come} = scene;
  const step = stepOf(state);
  const lines = linesOf(scene);
  const size = heightOf(lines.length);
  const count = result.values[0]?.length ?? 1;
  const grown = Math.max(0.001, easeCubicInOut(come));
  const head = result.width / result.heads;
  const divided = step.stage === 'qkv' || step.stage === 'heads';
  return svg`${lines.map((line, k) => {
    const values = result.values[k] ?? [];
    let from = 0;
    return svg`<svg y=${k * size} width="100%" height=${size} viewBox="0 -104 ${count} 208"
      preserveAspectRatio="none"><g transform="scale(1 ${grown.toFixed(3)})">${bands(
        step,
        result.width,
      ).map(([token, wide]) => {
        const to = Math.min(count, from + wide);
        const d = outline(values, from, to, result.largest);
        from = to;
        return svg`<path d=${d} fill=${color(token)} fill-opacity=${line === row ? 1 : 0.55}/>`;
      })}</g></svg>
      <line x2="100%" y1=${k * size + size / 2} y2=${k * size + size / 2} stroke=${color('rule')}
        stroke-width="0.7"/>`;
  })}${
    divided
      ? Array.from({length: count / head - 1}, (_, i) => {
          const x = (100 * head * (i + 1)) / count;
          return svg`<line x1="${x}%" x2="${x}%" y2=${lines.length * size} stroke=${color('ink-2')}
            stroke-opacity="0.5" stroke-dasharray="2 3"/>`;
        })
      : nothing
  }`;
}

function weightCells({result, come}: Scene): SVGTemplateResult {
  const n = result.ids.length;
  const size = heightOf(n);
  const wide = 100 / n;
  return svg`<defs>${hatch('later', 'ink-2')}</defs>${result.values.map((line, i) =>
    line.map((weight, j) => {
      const ink = inkOf(weight * easeCubicInOut(come));
      const x = (wide * j).toFixed(2);
      return j > i
        ? svg`<rect x="${x}%" y=${i * size + 1} width="${(wide * 0.97).toFixed(2)}%"
            height=${size - 2} rx="2.5" fill="url(#later)" fill-opacity="0.35"/>`
        : svg`<rect x="${x}%" y=${i * size + 1} width="${(wide * 0.97).toFixed(2)}%"
            height=${size - 2} rx="2.5" fill=${color('weight')} fill-opacity=${ink.toFixed(3)}
            stroke=${color('rule')}/>${
              n <= 6
                ? svg`<text x="${(wide * (j + 0.485)).toFixed(2)}%" y=${i * size + size / 2 + 4.5}
                    text-anchor="middle" font-size="12" font-weight="600"
                    fill=${faceFill(ink, 'weight')}>${fixed(100 * weight, 0)}</text>`
                : nothing
            }`;
    }),
  )}`;
}

/** Ids as places in the vocabulary, the most frequent characters at the left. */
function idLines({result, row}: Scene): SVGTemplateResult {
  const size = heightOf(result.ids.length);
  return svg`${result.ids.map((id, i) => {
    const y = i * size + size / 2;
    const x = (100 * id) / result.vocab;
    const unknown = result.characters[i] === '<unk>';
    const token = unknown ? 'wrong' : i === row ? 'query' : 'ink';
    const anchor = x < 50 ? 'start' : 'end';
    return svg`<line x2="100%" y1=${y} y2=${y} stroke=${color('rule')} stroke-width="2"/>
      <circle cx="${x.toFixed(2)}%" cy=${y} r=${Math.min(5, size / 4)} fill=${color(token)}/>
      <svg x="${x.toFixed(2)}%" overflow="visible"><text x=${x < 50 ? 10 : -10} y=${y + 4.5}
        text-anchor=${anchor} font-size=${Math.min(13, size)} font-weight="600"
        stroke=${color('raised')} stroke-width="4" paint-order="stroke"
        fill=${color(token)}>${integer(id)}${unknown ? '（词表外）' : ''}</text></svg>`;
  })}`;
}

/** Characters among the bars of the next one. */
const BARS = 8;
const BAR = 24;

function bars({result, come}: Scene): SVGTemplateResult {
  const most = result.next[0]?.probability ?? 1;
  return svg`${result.next.slice(0, BARS).map(({probability, id}, k) => {
    const y = k * BAR;
    const right = id === result.actual?.id;
    const wide = (74 * probability * easeCubicInOut(come)) / most;
    return svg`<rect x="0%" y=${y + 3} width="${wide.toFixed(2)}%" height="16" rx="2.5"
        fill=${color('weight')} stroke=${right ? color('right') : nothing} stroke-width="2.5"/>
      <svg x="${wide.toFixed(2)}%" overflow="visible"><text x="8" y=${y + 16} font-size="13"
        fill=${color(right ? 'right' : 'ink-2')}>${right ? '✓真正的下一个 ' : ''}${percent(
          probability,
        )}</text></svg>`;
  })}`;
}

export function detail(
  state: ForwardState,
  result: ForwardResult,
  touch?: DetailTouch,
): TemplateResult {
  const {stage} = stepOf(state);
  const row = rowOf(state, result);
  const way = comeOf(state.at);
  const come = way === Math.floor(way) ? 1 : way - Math.floor(way);
  const scene: Scene = {state, result, touch, row, come};
  const lines =
    stage === 'probabilities' ? [] : stage === 'ids' ? result.ids.map((_, i) => i) : linesOf(scene);
  const size = heightOf(lines.length);
  const height = stage === 'probabilities' ? BARS * BAR : lines.length * size;
  const spot = touch?.spot ?? {row, column: columnOf(state, result)};
  const reading = readingOf(state, result, spot.row, spot.column);
  const touched = touch !== undefined && result.values.length > 0;
  const name = nameOf(state);
  const content =
    stage === 'ids'
      ? idLines(scene)
      : stage === 'probabilities'
        ? bars(scene)
        : stage === 'weights'
          ? weightCells(scene)
          : waves(scene);
  return figure(
    {height: TOP + height + 6, label: `${name}，${shapeText(result.shape)}；数值见表格`, touched},
    svg`${text(0, 15, name, {size: 15, weight: 650})}${text(100, 15, shapeText(result.shape), {
      anchor: 'end',
      size: 14,
      fill: 'ink-2',
    })}${text(0, 37, reading, {size: 13, fill: 'ink-2'})}${
      result.values.length > 0 && stage !== 'weights'
        ? text(100, 37, `满格 ±${fixed(result.largest, 2)}`, {
            anchor: 'end',
            size: 12,
            fill: 'ink-2',
          })
        : nothing
    }
    ${lines.map((line, k) =>
      text(0, TOP + k * size + size / 2 + 5, shown(result.characters[line] ?? ''), {
        size: Math.min(17, size),
        weight: line === row ? 700 : 400,
      }),
    )}
    ${
      stage === 'probabilities'
        ? result.next
            .slice(0, BARS)
            .map(({character}, k) =>
              text(0, TOP + k * BAR + 16, shown(character), {size: 16, weight: 600}),
            )
        : nothing
    }
    ${panel(
      {x: LEFT, y: TOP, width: 100 - LEFT, height},
      svg`${content}${touched ? mark(scene, spot, size) : nothing}${
        touched
          ? svg`<rect class="pick values" width="100%" height=${height} fill="none"
              pointer-events="all" tabindex="0" role="slider" aria-label="看哪个字的哪一维"
              aria-valuemin="1" aria-valuemax=${result.values[0]?.length ?? 1}
              aria-valuenow=${spot.column + 1} aria-valuetext=${reading}
              @pointerdown=${touch?.down} @pointermove=${touch?.moved} @pointerup=${touch?.up}
              @pointercancel=${touch?.up} @pointerleave=${touch?.left} @keydown=${touch?.key}/>`
          : nothing
      }`,
    )}`,
  );
}
