// Pictures of <attn-world>, one for each stage.

import {html, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed, percent} from '../../shared/format.js';
import {
  along,
  color,
  figure,
  hatch,
  panel,
  rule,
  text,
  type TextOptions,
  type Token,
  upright,
} from '../../shared/plot.js';
import {
  PROJECTIONS,
  type Projection,
  type WorldResult,
  type WorldRow,
  type WorldState,
} from './state.js';
import {short} from './words.js';

const LABEL = '数值见表格';

const NAME = 16;

const CELLS = 48;

const BAR = NAME + CELLS + 3;

const ROW = 40;

const HEAD = 24;

interface Strip {
  x: number;
  y: number;
  /** Width of all cells together. */
  width: number;
  values: readonly number[];
  tone: Token;
  /** The absolute value with the deepest colour. */
  largest: number;
  height?: number;
}

const minus = (tone: Token) => hatch(`minus-${tone}`, tone);

const largestOf = (rows: readonly (readonly number[])[]) =>
  Math.max(0, ...rows.flat().map(Math.abs));

/**
 * The components of a vector: filled where positive, hatched where negative, deeper where larger.
 */
function strip({x, y, width, values, tone, largest, height = ROW - 8}: Strip): SVGTemplateResult {
  const cell = width / values.length;
  return svg`${values.map(
    (value, i) => svg`<rect x="${x + cell * i}%" y=${y + 4} width="${cell}%" height=${height}
      stroke=${color('rule')}
      fill=${value === 0 ? 'none' : value < 0 ? `url(#minus-${tone})` : color(tone)}
    fill-opacity=${value === 0 ? 1 : (0.06 + (0.3 * Math.abs(value)) / (largest || 1)).toFixed(3)}/>
    ${text(x + cell * (i + 0.5), y + 4 + height / 2 + 4, short(value), {
      anchor: 'middle',
      size: 11,
      halo: value < 0,
    })}`,
  )}`;
}

/** A signed bar on an axis that all rows share. */
function bar({
  x,
  y,
  width,
  value,
  domain,
  tone,
}: {
  x: number;
  y: number;
  width: number;
  value: number;
  domain: readonly [number, number];
  tone: Token;
}): SVGTemplateResult {
  const zero = along(0, domain);
  const end = along(value, domain);
  return panel(
    {x, y, width, height: ROW},
    svg`<rect x="${Math.min(zero, end)}%" y="11" width="${Math.abs(end - zero)}%" height=${ROW - 22}
      fill=${
        value < 0 ? `url(#minus-${tone})` : color(tone)
      }/>${upright(zero, 6, ROW - 6, 'ink-2')}`,
  );
}

/** A text centred on a row. */
function cell(
  place: number,
  y: number,
  content: string,
  options: TextOptions = {},
): SVGTemplateResult {
  return text(place, y + ROW / 2 + 5, content, {anchor: 'end', ...options});
}

function head(place: number, name: string, options: TextOptions = {}): SVGTemplateResult {
  return text(place, 15, name, {anchor: 'end', size: 12, fill: 'ink-2', ...options});
}

/** One row for each token, with the columns of the stage. */
function rowsBelow(
  top: number,
  {rows, me}: WorldResult,
  draw: (row: WorldRow, y: number) => SVGTemplateResult,
): SVGTemplateResult {
  return svg`${rows.map((row, i) => {
    const y = top + ROW * i;
    const chosen = row === me;
    return svg`${rule(0, 100, y)}<g
      data-thing=${row.token}>${cell(0, y, chosen ? `▸${row.token}` : row.token, {
        anchor: 'start',
        weight: chosen ? 700 : 400,
        size: 14,
      })}${draw(row, y)}</g>`;
  })}`;
}

function drawEmbeddings(result: WorldResult): TemplateResult {
  const {features, rows} = result;
  const domain: readonly [number, number] = [Math.min(0, ...rows.map((row) => row.cosine)), 1];
  const largest = largestOf(rows.map((row) => row.x));
  return figure(
    {height: HEAD + ROW * rows.length, label: LABEL},
    svg`
    <defs>${minus('ink-2')}${minus('score')}</defs>
    ${features.map((feature, i) =>
      head(NAME + (CELLS / features.length) * (i + 0.5), feature, {anchor: 'middle'}),
    )}
    ${head(100, '余弦')}
    ${rowsBelow(
      HEAD,
      result,
      (
        {x, cosine},
        y,
      ) => svg`${strip({x: NAME, y, width: CELLS, values: x, tone: 'ink-2', largest})}
      ${bar({x: BAR, y, width: 18, value: cosine, domain, tone: 'score'})}
      ${cell(100, y, fixed(cosine, 3), {weight: 600})}`,
    )}`,
  );
}

const LINE = 26;

/** The rows of W, each multiplied by the component beside it; below them their sum. */
function drawProjection(
  {features, rows, me, matrices}: WorldResult,
  {letter, name, tone}: Projection,
): TemplateResult {
  const weights = matrices[letter];
  const left = 30;
  const width = 100 - left;
  const bottom = HEAD + LINE * weights.length + 6;
  return figure(
    {height: bottom + ROW, label: LABEL},
    svg`
    <defs>${minus(tone)}</defs>
    ${head(0, 'x', {anchor: 'start'})}${head(left, `W_${letter.toUpperCase()}`, {anchor: 'start'})}
    ${weights.map(
      (row, i) => svg`<svg y=${HEAD + LINE * i}
        overflow="visible">${text(0, 17, `${features[i] ?? ''} ${short(me.x[i] ?? 0)}`, {size: 12})}
        ${text(left - 5, 17, '×', {anchor: 'end', size: 12, fill: 'ink-2'})}
        ${strip({
          x: left,
          y: -4,
          width,
          values: row,
          tone,
          largest: largestOf(weights),
          height: LINE,
        })}</svg>`,
    )}
    ${cell(0, bottom, `${name} ${letter}`, {anchor: 'start', fill: tone, weight: 600})}
    ${strip({
      x: left,
      y: bottom,
      width,
      values: me[letter],
      tone,
      largest: largestOf(rows.map((row) => row[letter])),
    })}`,
  );
}

function drawScores(result: WorldResult): TemplateResult {
  const {rows, me} = result;
  const top = ROW + HEAD + 6;
  const scores = rows.map((row) => row.score);
  const [lowest, highest] = [Math.min(0, ...scores), Math.max(0, ...scores)];
  const largest = largestOf(rows.map((row) => row.k));
  return figure(
    {height: top + ROW * rows.length, label: LABEL},
    svg`
    <defs>${minus('query')}${minus('key')}${minus('score')}</defs>
    <g data-thing="q">${cell(0, 0, '查询', {anchor: 'start', fill: 'query', weight: 600})}
    ${strip({
      x: NAME,
      y: 0,
      width: CELLS,
      values: me.q,
      tone: 'query',
      largest: largestOf(rows.map((row) => row.q)),
    })}
    ${cell(BAR, 0, `「${me.token}」的q`, {anchor: 'start', size: 12, fill: 'ink-2'})}</g>
    <svg y=${ROW + 6}
      overflow="visible">${head(NAME, '每个词元的键k', {
        anchor: 'start',
        fill: 'key',
      })}${head(100, '点积q·k', {fill: 'score'})}</svg>
    ${rowsBelow(
      top,
      result,
      ({k, score}, y) => svg`${strip({x: NAME, y, width: CELLS, values: k, tone: 'key', largest})}
      ${bar({x: BAR, y, width: 16, value: score, domain: [lowest, highest], tone: 'score'})}
      ${cell(100, y, fixed(score, 2), {weight: score === highest ? 700 : 400})}`,
    )}`,
  );
}

function drawWeights(result: WorldResult): TemplateResult {
  return figure(
    {height: HEAD + ROW * result.rows.length, label: LABEL},
    svg`
    <g data-thing="scores">${head(33, '分数')}</g><g data-thing="sqrt">${head(52, '÷√d')}</g>
    <g data-thing="softmax">${head(100, '权重', {fill: 'weight'})}</g>
    ${rowsBelow(
      HEAD,
      result,
      ({score, scaled, weight}, y) => svg`${cell(33, y, fixed(score, 2), {fill: 'score'})}
      ${cell(52, y, fixed(scaled, 2), {fill: 'score'})}
      ${bar({x: 57, y, width: 25, value: weight, domain: [0, 1], tone: 'weight'})}
      ${cell(100, y, percent(weight), {weight: 600})}`,
    )}`,
  );
}

function drawOutputs(result: WorldResult): TemplateResult {
  const {rows, output} = result;
  const left = 36;
  const width = 100 - left;
  const bottom = HEAD + ROW * rows.length;
  const largest = largestOf(rows.map((row) => row.v));
  return figure(
    {height: bottom + ROW, label: LABEL},
    svg`
    <defs>${minus('value')}</defs>
    ${head(33, '权重', {fill: 'weight'})}${head(left, '每个词元的值v', {anchor: 'start', fill: 'value'})}
    ${rowsBelow(
      HEAD,
      result,
      ({v, weight}, y) =>
        svg`${cell(33, y, percent(weight), {
          fill: 'weight',
        })}${strip({x: left, y, width, values: v, tone: 'value', largest})}`,
    )}
    <line x1="0%" x2="100%" y1=${bottom} y2=${bottom} stroke=${color('ink')}/>
    <g data-thing="out">${cell(0, bottom, '加权和', {anchor: 'start', weight: 700, size: 14})}
    ${strip({x: left, y: bottom, width, values: output, tone: 'value', largest})}</g>`,
  );
}

export function view({stage}: WorldState, result: WorldResult): TemplateResult {
  switch (stage) {
    case 'embeddings':
      return drawEmbeddings(result);
    case 'projections':
      return html`<div class="charts">
        ${PROJECTIONS.map((projection) => html`<div>${drawProjection(result, projection)}</div>`)}
      </div>`;
    case 'scores':
      return drawScores(result);
    case 'weights':
      return drawWeights(result);
    case 'outputs':
      return drawOutputs(result);
  }
}
