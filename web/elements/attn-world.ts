// <attn-world>: the teaching sentence, seen from one token, stage by stage.

import {html, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {matrix, rowsOf, type Matrix} from '../core.js';
import {teachingTokens} from '../shared/course-data.js';
import {fixed, general, percent} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {
  along,
  color,
  figure,
  hatch,
  panel,
  rule,
  text,
  upright,
  type TextOptions,
  type Token,
} from '../shared/plot.js';
import {type Resources} from '../shared/runtime.js';
import {choiceField, pick, type Field, type Schema} from '../shared/schema.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

export type Stage = 'embeddings' | 'projections' | 'scores' | 'weights' | 'outputs';

export interface WorldState {
  /** 从哪个词元看，写那个词 */
  token: string;
  /** 走到哪一步 */
  stage: Stage;
}

/** One token, and what the chosen one makes of it. */
export interface WorldRow {
  token: string;
  /** Embedding and its projections, (d_model) each. */
  x: number[];
  q: number[];
  k: number[];
  v: number[];
  /** Of the chosen embedding with this one. */
  cosine: number;
  /** The chosen query with this key: as it comes, and divided by √d_k. */
  score: number;
  scaled: number;
  weight: number;
}

/** One head over the whole sentence, without a mask. */
export interface WorldResult {
  /** What each component of an embedding stands for. */
  features: string[];
  rows: WorldRow[];
  /** The chosen one. */
  me: WorldRow;
  /** (d_model, d_model) */
  matrices: {q: number[][]; k: number[][]; v: number[][]};
  /** Σ weight · v */
  output: number[];
}

const STAGES: readonly {stage: Stage; name: string}[] = [
  {stage: 'embeddings', name: '词向量'},
  {stage: 'projections', name: '投影'},
  {stage: 'scores', name: '分数'},
  {stage: 'weights', name: '权重'},
  {stage: 'outputs', name: '输出'},
];

function tokenField(): Field<string> {
  return {
    fallback: '给了',
    read: (text) => {
      const token = text.trim();
      if (!teachingTokens.includes(token))
        throw new InputError('not-an-option', `这里只能是${teachingTokens.join('、')}之一。`);
      return token;
    },
    write: (token) => token,
    about: import.meta.env.SSR
      ? {takes: '教学句里的一个词元', sample: (random) => pick(random, teachingTokens)}
      : undefined,
  };
}

const schema: Schema<WorldState> = {
  token: tokenField(),
  stage: choiceField<Stage>(
    'embeddings',
    STAGES.map(({stage}) => stage),
  ),
};

function compute({core, world}: Resources, {token}: WorldState): WorldResult {
  const {tokens, feature_names: features, embeddings, W_Q, W_K, W_V} = world;
  const x = matrix(embeddings);
  const [q, k, v] = [
    core.product(x, matrix(W_Q)),
    core.product(x, matrix(W_K)),
    core.product(x, matrix(W_V)),
  ];
  const from = Math.max(0, tokens.indexOf(token));
  const row = (rows: Matrix) => rowsOf(rows)[from] ?? [];
  const raw = row(core.attention(q, k, v, {scaled: false, mask: 'none'}).scores);
  const trace = core.attention(q, k, v, {scaled: true, mask: 'none'});
  const [scaled, weights] = [row(trace.scores), row(trace.weights)];
  const rows = tokens.map((token, i): WorldRow => ({
    token,
    x: embeddings[i] ?? [],
    q: rowsOf(q)[i] ?? [],
    k: rowsOf(k)[i] ?? [],
    v: rowsOf(v)[i] ?? [],
    cosine: core.cosine(row(x), embeddings[i] ?? []),
    score: raw[i] ?? 0,
    scaled: scaled[i] ?? 0,
    weight: weights[i] ?? 0,
  }));
  const me = rows[from];
  if (!me) throw new Error('attn-world: a sentence without tokens');
  return {features, rows, me, matrices: {q: W_Q, k: W_K, v: W_V}, output: row(trace.output)};
}

const short = (value: number) => general(value, 3);
const vector = (values: readonly number[]) => `(${values.map(short).join(', ')})`;

const LABEL = '数值见表格';

// Columns of the pictures, in per cent.
const NAME = 16;
const CELLS = 48;
const BAR = NAME + CELLS + 3;
const ROW = 40;
const HEAD = 24;

interface Strip {
  x: number;
  y: number;
  /** Of all cells together. */
  width: number;
  values: readonly number[];
  tone: Token;
  /** The size that is drawn deepest. */
  largest: number;
  height?: number;
}

const minus = (tone: Token) => hatch(`minus-${tone}`, tone);
const largestOf = (rows: readonly (readonly number[])[]) =>
  Math.max(0, ...rows.flat().map(Math.abs));

/** The components of a vector: filled where positive, hatched where negative, deeper where larger. */
function strip({x, y, width, values, tone, largest, height = ROW - 8}: Strip): SVGTemplateResult {
  const cell = width / values.length;
  return svg`${values.map(
    (
      value,
      i,
    ) => svg`<rect x="${x + cell * i}%" y=${y + 4} width="${cell}%" height=${height} stroke=${color('rule')} fill=${value === 0 ? 'none' : value < 0 ? `url(#minus-${tone})` : color(tone)}
    fill-opacity=${value === 0 ? 1 : (0.06 + (0.3 * Math.abs(value)) / (largest || 1)).toFixed(3)}/>
    ${text(x + cell * (i + 0.5), y + 4 + height / 2 + 4, short(value), {anchor: 'middle', size: 11, halo: value < 0})}`,
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
    svg`<rect x="${Math.min(zero, end)}%" y="11" width="${Math.abs(end - zero)}%" height=${ROW - 22} fill=${value < 0 ? `url(#minus-${tone})` : color(tone)}/>${upright(zero, 6, ROW - 6, 'ink-2')}`,
  );
}

/** A text on the middle of a row. */
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

/** One row a token, with what the stage shows of it. */
function rowsBelow(
  top: number,
  {rows, me}: WorldResult,
  draw: (row: WorldRow, y: number) => SVGTemplateResult,
): SVGTemplateResult {
  return svg`${rows.map((row, i) => {
    const y = top + ROW * i;
    const chosen = row === me;
    return svg`${rule(0, 100, y)}${cell(0, y, chosen ? `▸${row.token}` : row.token, {anchor: 'start', weight: chosen ? 700 : 400, size: 14})}${draw(row, y)}`;
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
    ${features.map((feature, i) => head(NAME + (CELLS / features.length) * (i + 0.5), feature, {anchor: 'middle'}))}
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

interface Projection {
  letter: 'q' | 'k' | 'v';
  name: string;
  tone: Token;
}

const PROJECTIONS: readonly Projection[] = [
  {letter: 'q', name: '查询', tone: 'query'},
  {letter: 'k', name: '键', tone: 'key'},
  {letter: 'v', name: '值', tone: 'value'},
];

const LINE = 26;

/** The rows of W, each to be taken as often as the component beside it says; below them their sum. */
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
      (
        row,
        i,
      ) => svg`<svg y=${HEAD + LINE * i} overflow="visible">${text(0, 17, `${features[i] ?? ''} ${short(me.x[i] ?? 0)}`, {size: 12})}
        ${text(left - 5, 17, '×', {anchor: 'end', size: 12, fill: 'ink-2'})}
        ${strip({x: left, y: -4, width, values: row, tone, largest: largestOf(weights), height: LINE})}</svg>`,
    )}
    ${cell(0, bottom, `${name} ${letter}`, {anchor: 'start', fill: tone, weight: 600})}
    ${strip({x: left, y: bottom, width, values: me[letter], tone, largest: largestOf(rows.map((row) => row[letter]))})}`,
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
    ${cell(0, 0, '查询', {anchor: 'start', fill: 'query', weight: 600})}
    ${strip({x: NAME, y: 0, width: CELLS, values: me.q, tone: 'query', largest: largestOf(rows.map((row) => row.q))})}
    ${cell(BAR, 0, `「${me.token}」的q`, {anchor: 'start', size: 12, fill: 'ink-2'})}
    <svg y=${ROW + 6} overflow="visible">${head(NAME, '每个词元的键k', {anchor: 'start', fill: 'key'})}${head(100, '点积q·k', {fill: 'score'})}</svg>
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
    ${head(33, '分数')}${head(52, '÷√d')}${head(100, '权重', {fill: 'weight'})}
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
    ${rowsBelow(HEAD, result, ({v, weight}, y) => svg`${cell(33, y, percent(weight), {fill: 'weight'})}${strip({x: left, y, width, values: v, tone: 'value', largest})}`)}
    <line x1="0%" x2="100%" y1=${bottom} y2=${bottom} stroke=${color('ink')}/>
    ${cell(0, bottom, '加权和', {anchor: 'start', weight: 700, size: 14})}
    ${strip({x: left, y: bottom, width, values: output, tone: 'value', largest})}`,
  );
}

function view({stage}: WorldState, result: WorldResult): TemplateResult {
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

type Measure = 'cosine' | 'score' | 'weight';

/** From the highest to the lowest; the first two and all of them in words. */
function ranked(
  rows: readonly WorldRow[],
  by: Measure,
  write: (value: number) => string,
): {order: WorldRow[]; words: string[]} {
  const order = [...rows].sort((a, b) => b[by] - a[by]);
  return {order, words: order.map((row) => `「${row.token}」${write(row[by])}`)};
}

function says({stage}: WorldState, {rows, me, output}: WorldResult): string {
  const name = `「${me.token}」`;
  switch (stage) {
    case 'embeddings': {
      const {words} = ranked(
        rows.filter((row) => row !== me),
        'cosine',
        (value) => fixed(value, 3),
      );
      return `直接比词向量，${name}最像它自己（${fixed(me.cosine, 3)}）；别的词元依次是${words.join('、')}。`;
    }
    case 'projections':
      return `${name}的同一个向量，乘三个矩阵得到三个新向量：查询q＝${vector(me.q)}，键k＝${vector(me.k)}，值v＝${vector(me.v)}。`;
    case 'scores': {
      const {order, words} = ranked(rows, 'score', (value) => fixed(value, 2));
      return `${name}的查询与每个键的点积，从高到低：${words.join('、')}。与自己的键排第${order.indexOf(me) + 1}。`;
    }
    case 'weights':
      return `分数除以√${me.q.length}，再做softmax，${name}这样分配：${ranked(rows, 'weight', percent).words.join('、')}。这里没有加掩码，整句都看得见。`;
    case 'outputs':
      return `每个词元的值乘自己的权重，加起来，${name}取回${vector(output)}：主要来自${ranked(rows, 'weight', percent).words.slice(0, 2).join('和')}。`;
  }
}

function table({stage}: WorldState, {features, rows, me, matrices, output}: WorldResult): Table {
  const places = (letter: string) => me.x.map((_, i) => `${letter}第${i + 1}维`);
  const shown = (values: readonly number[]) => values.map(short);
  switch (stage) {
    case 'embeddings':
      return {
        columns: ['词元', ...features, '余弦'],
        rows: rows.map(({token, x, cosine}) => [token, ...shown(x), fixed(cosine, 3)]),
      };
    case 'projections':
      return {
        columns: ['行', ...places('')],
        rows: PROJECTIONS.flatMap(({letter, name}) => [
          ...matrices[letter].map((row, i) => [
            `W_${letter.toUpperCase()}，${features[i] ?? ''}（x＝${short(me.x[i] ?? 0)}）`,
            ...shown(row),
          ]),
          [`${name}${letter}`, ...shown(me[letter])],
        ]),
      };
    case 'scores':
      return {
        columns: ['词元', ...places('k'), '点积q·k'],
        rows: [
          [`「${me.token}」的q`, ...shown(me.q), ''],
          ...rows.map(({token, k, score}) => [token, ...shown(k), fixed(score, 2)]),
        ],
      };
    case 'weights':
      return {
        columns: ['词元', '分数', '÷√d', '权重'],
        rows: rows.map(({token, score, scaled, weight}) => [
          token,
          fixed(score, 2),
          fixed(scaled, 2),
          percent(weight),
        ]),
      };
    case 'outputs':
      return {
        columns: ['词元', '权重', ...places('v')],
        rows: [
          ...rows.map(({token, weight, v}) => [token, percent(weight), ...shown(v)]),
          ['加权和', '', ...shown(output)],
        ],
      };
  }
}

const factor = (value: number) => (value < 0 ? `(${short(value)})` : short(value));
const product = (a: readonly number[], b: readonly number[]) =>
  a.map((value, i) => `${factor(value)}×${factor(b[i] ?? 0)}`).join('＋');

function stepsOf(stage: Stage, {rows, me, matrices, output}: WorldResult): string[] {
  const column = (matrix: readonly number[][]) => matrix.map(([first = 0]) => first);
  switch (stage) {
    case 'embeddings':
      return rows.map(
        ({token, x, cosine}) =>
          `${token}：点积${product(me.x, x)}，除以两个长度，得${fixed(cosine, 3)}。`,
      );
    case 'projections':
      return PROJECTIONS.map(
        ({letter, name}) =>
          `${name}的第1维：x与矩阵的第1列，${product(me.x, column(matrices[letter]))}＝${short(me[letter][0] ?? 0)}。`,
      );
    case 'scores':
      return rows.map(({token, k, score}) => `${token}：${product(me.q, k)}＝${fixed(score, 2)}。`);
    case 'weights':
      return rows.map(
        ({token, scaled, weight}) =>
          `${token}：e的${fixed(scaled, 2)}次方，除以这一行的总和，得${percent(weight)}。`,
      );
    case 'outputs':
      return output.map(
        (value, d) =>
          `第${d + 1}维：${product(
            rows.map(({weight}) => weight),
            rows.map(({v}) => v[d] ?? 0),
          )}＝${short(value)}。`,
      );
  }
}

function steps({stage}: WorldState, result: WorldResult): TemplateResult {
  return html`<ol class="steps">
    ${stepsOf(stage, result).map((step) => html`<li>${step}</li>`)}
  </ol>`;
}

/**
 * One head of attention over the teaching sentence, without a mask, from one token's side.
 *
 * @attr token stage
 * @fires attn-change  detail: {state, result}
 */
export class AttnWorld extends AttnWidget<WorldState, WorldResult> {
  static override readonly spec: Spec<WorldState, WorldResult> = {
    tag: 'attn-world',
    title: '一句话里，一个词元看别的词元',
    hint: '换一个词元，再一步步往后走：同一句话，它先看见谁？',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: WorldState, {rows}: WorldResult): TemplateResult {
    return html`<fieldset class="tabs">
        <legend>走到哪一步</legend>
        ${STAGES.map(
          ({stage, name}) =>
            html`<label>
              <input
                type="radio"
                name="stage"
                ?checked=${state.stage === stage}
                @change=${() => this.change({stage})}
              /><span>${name}</span></label
            >`,
        )}
      </fieldset>
      <div class="row" role="group" aria-label="从哪个词元看">
        <span>从谁看</span>${rows.map(
          ({token}) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${state.token === token ? 'true' : 'false'}
              @click=${() => this.change({token})}
            >
              ${token}
            </button>`,
        )}
      </div>`;
  }
}
