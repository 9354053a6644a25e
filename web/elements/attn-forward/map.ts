// The map of <attn-forward>: a lane for each character through the whole model. The residual stream
// is the trunk of a lane; attention and FFN are branches that leave it and come back.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {easeCubicInOut} from 'd3-ease';
import {shown} from '../attn-heads/character.js';
import {percent} from '../../shared/format.js';
import {color, figure, type Token} from '../../shared/plot.js';
import {bend, circle, Pen, r, square} from './pen.js';
import {branch, type Line, SHOWN, type Sheet, sheetOf, trunk} from './places.js';
import {comeOf, type ForwardResult, type ForwardState, rowOf, STEPS} from './state.js';

/** Callbacks for presses on the map. */
export interface MapTouch {
  readonly choose: (row: number) => void;
}

interface Scene {
  sheet: Sheet;
  line: Line;
  state: ForwardState;
  result: ForwardResult;
  /** Index of the chosen position. */
  row: number;
}

/** Least weight of an arc of a row that is not chosen. */
const FAINTEST = 0.04;

const label = (
  x: number,
  y: number,
  content: string,
  {
    size = 13,
    fill = 'ink-2',
    weight = 400,
    anchor = 'middle',
  }: {
    size?: number;
    fill?: Token;
    weight?: number;
    anchor?: 'start' | 'middle' | 'end';
  } = {},
) => svg`<text x=${r(x)} y=${r(y)} font-size=${size} font-weight=${weight} text-anchor=${anchor}
  fill=${color(fill)}>${content}</text>`;

/** Index of a stage in the steps. */
const at = (stage: string, layer: number) =>
  STEPS.findIndex((step) => step.stage === stage && step.layer === layer);

const INPUT = at('input', -1);
const NORM = at('norm', -1);

/** Places where the stream changes: the input, then the middle and the end of each layer. */
function changes(layers: number): number[] {
  const inside = Array.from({length: layers}, (_, l) => [at('middle', l), at('output', l)]);
  return [INPUT, ...inside.flat()];
}

/** A lane's trunk; it is as wide as the stream's numbers are spread. */
function trunkOf(pen: Pen, {line, sheet, result, row}: Scene, i: number): void {
  const {deviations, ids} = result;
  const most = Math.max(...deviations.flat());
  const stops = [...changes(result.weights.length), NORM];
  const y = trunk(line, sheet.lane, ids.length, i);
  stops.slice(0, -1).forEach((start, k) => {
    const [a, b] = [Math.max(start, line.from), Math.min(stops[k + 1] ?? 0, line.to)];
    if (a >= b) return;
    const width = (sheet.lane / 34) * (1.4 + (7 * (deviations[k]?.[i] ?? 0)) / most);
    pen.stroke(`M${r(line.x(a))} ${r(y)}H${r(line.x(b))}`, 'ink', width, i === row ? 0.95 : 0.42);
  });
}

/** The embedding: a vector of the character and one of the place meet. */
function startOf(pen: Pen, {line, sheet, result, row}: Scene, i: number): void {
  const n = result.ids.length;
  const [y, low] = [trunk(line, sheet.lane, n, i), branch(line, sheet.lane, n, i)];
  const size = Math.min(4.5, sheet.lane / 6);
  const opacity = i === row ? 1 : 0.5;
  pen.stroke(`M${r(line.x(0) + 8)} ${r(y)}H${r(line.x(INPUT))}`, 'ink-2', 1.4, opacity);
  pen.stroke(bend(line.x(2), low, line.x(INPUT), y), 'ink-2', 1.4, opacity);
  pen.add(square(line.x(1), y, size), {fill: 'ink', opacity});
  pen.add(square(line.x(2), low, size), {fill: 'raised', stroke: 'ink', width: 1, opacity});
}

/** The place where a branch comes back to the trunk. */
function plus(pen: Pen, x: number, y: number, lane: number): void {
  const size = Math.min(6.5, lane * 0.24);
  const arm = size * 0.62;
  pen.add(
    `${circle(x, y, size)}M${r(x - arm)} ${r(y)}h${r(2 * arm)}M${r(x)} ${r(y - arm)}v${r(2 * arm)}`,
    {fill: 'raised', stroke: 'ink', width: 1.3},
  );
}

/** The arcs of attention: from each key's lane to the lane of the query, as wide as its weight. */
function arcs(pen: Pen, {line, sheet, result, row}: Scene, layer: number, i: number): void {
  const n = result.ids.length;
  const [x1, x2] = [line.x(at('qkv', layer)) + 5, line.x(at('weights', layer))];
  const room = Math.min(1, sheet.lane / 30);
  const weights = result.weights[layer]?.[i] ?? [];
  weights.slice(0, i + 1).forEach((weight, j) => {
    const d = bend(x1, branch(line, sheet.lane, n, j), x2, branch(line, sheet.lane, n, i));
    if (i === row) pen.stroke(d, 'weight', 0.8 + 8 * weight * room, 0.92);
    // Widths in steps, so that few paths hold all of them.
    else if (weight >= FAINTEST) pen.stroke(d, 'weight', Math.ceil(6 * weight * room) / 2, 0.22);
  });
}

/** Attention and FFN of a layer in one lane; the arcs are drawn apart. */
function layerOf(pen: Pen, {line, sheet, result, row}: Scene, layer: number, i: number): void {
  const n = result.ids.length;
  const {lane} = sheet;
  const [up, low] = [trunk(line, lane, n, i), branch(line, lane, n, i)];
  const x = (stage: string) => line.x(at(stage, layer));
  const opacity = i === row ? 1 : 0.45;
  const dot = Math.max(1.6, Math.min(3, lane / 11));
  const [half, whole] = [lane * 0.07, lane * 0.2];
  const [n1, n2, u, a, o] = [x('norm1'), x('norm2'), x('up'), x('active'), x('output')];
  for (const place of [n1, n2]) pen.stroke(bend(place - 15, up, place, low), 'ink-2', 1.2, opacity);
  pen.stroke(`M${r(n1)} ${r(low)}H${r(x('qkv'))}`, 'ink-2', 1.2, opacity);
  (['query', 'key', 'value'] as const).forEach((fill, k) =>
    pen.add(circle(x('qkv'), low + (k - 1) * dot * 2, dot), {fill, opacity}),
  );
  pen.stroke(`M${r(x('weights'))} ${r(low)}H${r(x('heads'))}`, 'value', 1.8, opacity);
  pen.stroke(bend(x('heads'), low, x('middle'), up), 'value', 1.8, opacity);
  pen.add(
    `M${r(n2)} ${r(low - half)}L${r(u)} ${r(low - whole)}H${r(a)}L${r(o - 7)} ${r(low - half)}` +
      `V${r(low + half)}L${r(a)} ${r(low + whole)}H${r(u)}L${r(n2)} ${r(low + half)}Z`,
    {fill: 'score', opacity: 0.75 * opacity},
  );
  pen.stroke(bend(o - 8, low, o, up), 'score', 1.8, opacity);
}

/** Frames and names of a layer's two parts. */
function frames({line}: Scene, layer: number): SVGTemplateResult {
  const x = (stage: string) => line.x(at(stage, layer));
  const y = line.top - 6;
  const part = (from: number, to: number, token: Token, name: string) =>
    svg`<rect x=${r(from)} y=${r(y)} width=${r(to - from)} height=${r(line.height + 12)} rx="6"
      fill=${color(token)} fill-opacity="0.07" stroke=${color(token)} stroke-opacity="0.55"/>
    ${label((from + to) / 2, y - 5, name, {fill: token, weight: 600})}`;
  return svg`${part(x('norm1') - 9, x('heads') + 5, 'weight', '注意力')}
    ${part(x('norm2') - 9, x('output') - 4, 'score', 'FFN')}
    ${label((x('norm1') + x('output')) / 2, y - 22, `块${layer + 1}`, {weight: 600})}`;
}

/** The chosen lane opens to the characters that may follow. */
function ending({line, sheet, result, row}: Scene): SVGTemplateResult {
  const n = result.ids.length;
  const y = trunk(line, sheet.lane, n, row);
  const [x0, x1, x2] = [line.x(NORM), line.x(NORM + 1), line.x(NORM + 2)];
  const next = result.next.slice(0, SHOWN);
  const most = next[0]?.probability ?? 1;
  const place = (k: number) => line.top + (line.height * (k + 0.5)) / SHOWN;
  const pen = new Pen();
  pen.stroke(`M${r(x0)} ${r(y)}H${r(x1)}`, 'ink', 2);
  next.forEach(({probability}, k) =>
    pen.stroke(bend(x1, y, x2 - 4, place(k)), 'weight', 1 + 9 * probability, 0.8),
  );
  pen.add(circle(x0, y, 4), {fill: 'ink'});
  return svg`${pen.draw()}
    ${next.map(({character, probability, id}, k) => {
      const right = id === result.actual?.id;
      const name = label(x2 + 8, place(k) + 5, shown(character), {
        size: 16,
        fill: 'ink',
        weight: 600,
      });
      return svg`${name}
        <rect x=${r(x2 + 20)} y=${r(place(k) - 6)} width=${r((sheet.bar * probability) / most)}
          height="12" rx="2" fill=${color('weight')}
          stroke=${right ? color('right') : nothing} stroke-width="2.5"/>
        ${label(
          x2 + 24 + (sheet.bar * probability) / most,
          place(k) + 4,
          `${right ? '✓' : ''}${percent(probability)}`,
          {anchor: 'start', fill: right ? 'right' : 'ink-2'},
        )}`;
    })}`;
}

/** The layers whose parts a line shows. */
const layersOf = ({line, result}: Scene) =>
  result.weights
    .map((_, layer) => layer)
    .filter((layer) => at('middle', layer) > line.from && at('middle', layer) < line.to);

function contentOf(scene: Scene): SVGTemplateResult {
  const {line, sheet, result, row} = scene;
  const others = result.ids.map((_, i) => i).filter((i) => i !== row);
  const pen = new Pen();
  for (const i of [...others, row]) {
    if (line.from === 0) startOf(pen, scene, i);
    trunkOf(pen, scene, i);
    for (const layer of layersOf(scene)) {
      arcs(pen, scene, layer, i);
      layerOf(pen, scene, layer, i);
    }
  }
  for (const i of [...others, row])
    for (const layer of layersOf(scene))
      for (const stage of ['middle', 'output'])
        plus(
          pen,
          line.x(at(stage, layer)),
          trunk(line, sheet.lane, result.ids.length, i),
          sheet.lane,
        );
  return svg`${pen.draw()}${line.to === STEPS.length - 1 ? ending(scene) : nothing}`;
}

/** Names at the left of the lanes, which a reader can press. */
function names({line, sheet, result, row}: Scene, touch?: MapTouch): SVGTemplateResult {
  const n = result.ids.length;
  return svg`${result.characters.map((character, i) => {
    const y = trunk(line, sheet.lane, n, i);
    return svg`<g class=${touch ? 'pick' : nothing} @click=${touch && (() => touch.choose(i))}>
      <rect y=${r(y - sheet.lane * 0.36)} width=${sheet.units} height=${sheet.lane}
        fill=${i === row ? color('weight-soft') : 'none'} fill-opacity="0.45" pointer-events="all"/>
      ${label(LEFT_NAME, y + 5, shown(character), {
        size: Math.min(19, sheet.lane * 0.9),
        fill: 'ink',
        weight: i === row ? 700 : 400,
      })}</g>`;
  })}`;
}

const LEFT_NAME = 13;

/** The light that travels with the playhead. */
function front({line}: Scene, come: number): SVGTemplateResult | typeof nothing {
  const last = STEPS.length - 1;
  if (come < line.from || come > line.to || come === last) return nothing;
  if (come === line.to) return nothing;
  const x = line.x(come);
  return svg`<rect x=${r(x - 7)} y=${r(line.top - 6)} width="14"
      height=${r(line.height + 12)} rx="7" fill=${color('query')} fill-opacity="0.14"/>
    <line x1=${r(x)} x2=${r(x)} y1=${r(line.top - 6)} y2=${r(line.top + line.height + 6)}
      stroke=${color('query')} stroke-width="2"/>`;
}

function lineOf(scene: Scene, come: number, k: number, touch?: MapTouch): SVGTemplateResult {
  const {line, sheet} = scene;
  const id = `lit-${sheet.only}-${k}`;
  const done = come >= line.to;
  const width = done ? sheet.units : come <= line.from ? 0 : line.x(come);
  const grown = done ? width : mixed(come, line);
  return svg`<defs><clipPath id=${id}><rect y=${r(line.top - 20)} width=${r(grown)}
      height=${r(line.height + 40)}/></clipPath></defs>
    ${names(scene, touch)}
    <g pointer-events="none">${layersOf(scene).map((layer) => frames(scene, layer))}
    ${
      line.from === 0
        ? label((line.x(1) + line.x(INPUT)) / 2, line.top - 11, '向量', {weight: 600})
        : nothing
    }
    ${
      line.to === STEPS.length - 1
        ? label(line.x(NORM + 2) + 12, line.top - 11, '下一个字', {weight: 600, anchor: 'middle'})
        : nothing
    }
    <g clip-path="url(#${id})"><g id=${`lanes-${id}`}>${contentOf(scene)}</g></g>
    ${done ? nothing : svg`<use href=${`#lanes-${id}`} opacity="0.16"/>`}
    ${front(scene, come)}</g>`;
}

/** Width of the lit part; the last step opens the fan and its bars. */
function mixed(come: number, line: Line): number {
  const last = STEPS.length - 1;
  if (come <= line.from) return 0;
  if (come <= last - 1) return line.x(come);
  return line.x(come) + easeCubicInOut(come - (last - 1)) * 200;
}

export function map(
  state: ForwardState,
  result: ForwardResult,
  touch?: MapTouch,
): TemplateResult[] {
  const come = comeOf(state.at);
  const row = rowOf(state, result);
  const [best] = result.next;
  return (['wide', 'narrow'] as const).map((only) => {
    const sheet = sheetOf(only, result.ids.length);
    return figure(
      {
        height: sheet.height,
        label: `${result.ids.length}个字各走一条线，过两块，第${row + 1}个字之后最可能是「${shown(
          best?.character ?? '',
        )}」；数值见表格`,
        only,
        units: sheet.units,
        touched: touch !== undefined,
      },
      svg`${sheet.lines.map((line, k) =>
        lineOf({sheet, line, state, result, row}, come, k, touch),
      )}`,
    );
  });
}
