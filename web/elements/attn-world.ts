// <attn-world>: the teaching sentence, seen from one token, stage by stage.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {matrix, rowsOf, type Core} from '../core.js';
import {fixed, general, percent} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {along, color, figure, hatch, panel, rule, text, upright, type Token} from '../shared/plot.js';
import {runtime} from '../shared/runtime.js';
import {choiceField, type Field, type Schema} from '../shared/schema.js';
import type {TeachingWorld} from '../shared/world.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

export type Stage = 'embeddings' | 'projections' | 'scores' | 'weights' | 'outputs';

export interface WorldState {
  /** 从哪个词元看，写那个词 */
  token: string;
  /** 走到哪一步 */
  stage: Stage;
}

/** One head over the whole sentence, without a mask; rows of the chosen token. */
export interface WorldResult {
  tokens: string[];
  /** What each component of an embedding stands for. */
  features: string[];
  /** Index of the chosen token. */
  from: number;
  /** (T, d_model) embeddings and their projections. */
  x: number[][];
  q: number[][];
  k: number[][];
  v: number[][];
  /** (d_model, d_model) */
  projections: {q: number[][]; k: number[][]; v: number[][]};
  /** Of the chosen embedding with every embedding. */
  cosines: number[];
  /** q·k as it comes, and divided by √d_k. */
  scores: number[];
  scaled: number[];
  weights: number[];
  output: number[];
}

const STAGES: readonly {stage: Stage; name: string}[] = [
  {stage: 'embeddings', name: '词向量'},
  {stage: 'projections', name: '投影'},
  {stage: 'scores', name: '分数'},
  {stage: 'weights', name: '权重'},
  {stage: 'outputs', name: '输出'},
];

function teachingWorld(): TeachingWorld {
  if (!runtime.world) throw new Error('attn-world: the teaching sentence is not there');
  return runtime.world;
}

function tokenField(): Field<string> {
  return {
    fallback: '给了',
    read: (text) => {
      const {tokens} = teachingWorld();
      const token = text.trim();
      if (!tokens.includes(token)) throw new InputError('not-an-option', `这里只能是${tokens.join('、')}之一。`);
      return token;
    },
    write: (token) => token,
  };
}

const schema: Schema<WorldState> = {
  token: tokenField(),
  stage: choiceField<Stage>('embeddings', STAGES.map(({stage}) => stage)),
};

function compute(core: Core, {token}: WorldState): WorldResult {
  const {tokens, feature_names: features, embeddings, W_Q, W_K, W_V} = teachingWorld();
  const from = Math.max(0, tokens.indexOf(token));
  const x = matrix(embeddings);
  const [q, k, v] = [W_Q, W_K, W_V].map((weights) => core.product(x, matrix(weights)));
  if (!q || !k || !v) throw new Error('attn-world: three projections');
  const raw = core.attention(q, k, v, {scaled: false, mask: 'none'});
  const scaled = core.attention(q, k, v, {scaled: true, mask: 'none'});
  const row = (rows: number[][]) => rows[from] ?? [];
  return {
    tokens, features, from, x: embeddings, q: rowsOf(q), k: rowsOf(k), v: rowsOf(v),
    projections: {q: W_Q, k: W_K, v: W_V},
    cosines: embeddings.map((other) => core.cosine(row(embeddings), other)),
    scores: row(rowsOf(raw.scores)), scaled: row(rowsOf(scaled.scores)),
    weights: row(rowsOf(scaled.weights)), output: row(rowsOf(scaled.output)),
  };
}

const short = (value: number) => general(value, 3);
const vector = (values: readonly number[]) => `(${values.map(short).join(', ')})`;

// Columns of the pictures, in per cent.
const NAME = 16;
const CELLS = 48;
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
const largestOf = (rows: readonly (readonly number[])[]) => Math.max(0, ...rows.flat().map(Math.abs));

/** The components of a vector: filled where positive, hatched where negative, deeper where larger. */
function strip({x, y, width, values, tone, largest, height = ROW - 8}: Strip): SVGTemplateResult {
  const cell = width / values.length;
  return svg`${values.map((value, i) => svg`<rect x="${x + cell * i}%" y=${y + 4} width="${cell}%" height=${height} stroke=${color('rule')} fill=${value === 0 ? 'none' : value < 0 ? `url(#minus-${tone})` : color(tone)}
    fill-opacity=${value === 0 ? 1 : (0.06 + (0.3 * Math.abs(value)) / (largest || 1)).toFixed(3)}/>
    ${text(x + cell * (i + 0.5), y + 4 + height / 2 + 4, short(value), {anchor: 'middle', size: 11, halo: value < 0})}`)}`;
}

/** A signed bar on an axis that all rows share. */
function bar({x, y, width, value, domain, tone}: {x: number; y: number; width: number; value: number; domain: readonly [number, number]; tone: Token}): SVGTemplateResult {
  const zero = along(0, domain);
  const end = along(value, domain);
  return panel({x, y, width, height: ROW}, svg`<rect x="${Math.min(zero, end)}%" y="11" width="${Math.abs(end - zero)}%" height=${ROW - 22} fill=${value < 0 ? `url(#minus-${tone})` : color(tone)}/>${upright(zero, 6, ROW - 6, 'ink-2')}`);
}

/** From 0 as far as the values go, both ways. */
const domainOf = (values: readonly number[]): readonly [number, number] => [Math.min(0, ...values), Math.max(0, ...values)];

function nameAt(y: number, name: string, chosen: boolean): SVGTemplateResult {
  return text(0, y + ROW / 2 + 5, chosen ? `▸${name}` : name, {weight: chosen ? 700 : 400, size: 14});
}

/** One row a token, with what the stage shows of it. */
function rows({tokens, from}: WorldResult, top: number, draw: (i: number, y: number) => SVGTemplateResult): SVGTemplateResult {
  return svg`${tokens.map((name, i) => {
    const y = top + ROW * i;
    return svg`${rule(0, 100, y)}${nameAt(y, name, i === from)}${draw(i, y)}`;
  })}`;
}

function head(place: number, name: string, options: {anchor?: 'start' | 'middle' | 'end'; fill?: Token} = {}): SVGTemplateResult {
  return text(place, 15, name, {size: 12, fill: 'ink-2', ...options});
}

function drawEmbeddings(result: WorldResult): TemplateResult {
  const {tokens, features, x, cosines} = result;
  const domain: readonly [number, number] = [Math.min(0, ...cosines), 1];
  const largest = largestOf(x);
  return figure({height: HEAD + ROW * tokens.length, label: '五个词向量，和它们与所选词元的余弦，数值见表格'}, svg`
    <defs>${minus('ink-2')}${minus('score')}</defs>
    ${features.map((feature, i) => head(NAME + (CELLS / features.length) * (i + 0.5), feature, {anchor: 'middle'}))}
    ${head(100, '余弦', {anchor: 'end'})}
    ${rows(result, HEAD, (i, y) => svg`${strip({x: NAME, y, width: CELLS, values: x[i] ?? [], tone: 'ink-2', largest})}
      ${bar({x: NAME + CELLS + 3, y, width: 18, value: cosines[i] ?? 0, domain, tone: 'score'})}
      ${text(100, y + ROW / 2 + 5, fixed(cosines[i] ?? 0, 3), {anchor: 'end', weight: 600})}`)}`);
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

const CELL = 26;

/** The rows of W, each to be taken as often as the component beside it says; below them their sum. */
function drawProjection(result: WorldResult, {letter, name, tone}: Projection): TemplateResult {
  const {features, x, from, projections} = result;
  const weights = projections[letter];
  const left = 30;
  const width = 100 - left;
  const sum = result[letter][from] ?? [];
  const bottom = HEAD + CELL * weights.length + 6;
  return figure({height: bottom + ROW, label: `${name}${letter}＝${vector(sum)}`}, svg`
    <defs>${minus(tone)}</defs>
    ${text(0, 15, 'x', {size: 12, fill: 'ink-2'})}${text(left, 15, `W_${letter.toUpperCase()}`, {size: 12, fill: 'ink-2'})}
    ${weights.map((row, i) => {
      const y = HEAD + CELL * i;
      return svg`${text(0, y + 17, `${features[i] ?? ''} ${short(x[from]?.[i] ?? 0)}`, {size: 12})}
        ${text(left - 5, y + 17, '×', {anchor: 'end', size: 12, fill: 'ink-2'})}
        ${strip({x: left, y: y - 4, width, values: row, tone, largest: largestOf(weights), height: CELL})}`;
    })}
    ${text(0, bottom + ROW / 2 + 5, `${name} ${letter}`, {fill: tone, weight: 600})}
    ${strip({x: left, y: bottom, width, values: sum, tone, largest: largestOf(result[letter])})}`);
}

function drawScores(result: WorldResult): TemplateResult {
  const {tokens, from, q, k, scores} = result;
  const top = ROW + HEAD + 6;
  const best = Math.max(...scores);
  return figure({height: top + ROW * tokens.length, label: '所选词元的查询，和它与每个键的点积，数值见表格'}, svg`
    <defs>${minus('query')}${minus('key')}${minus('score')}</defs>
    ${text(0, ROW / 2 + 5, '查询', {fill: 'query', weight: 600})}
    ${strip({x: NAME, y: 0, width: CELLS, values: q[from] ?? [], tone: 'query', largest: largestOf(q)})}
    ${text(NAME + CELLS + 3, ROW / 2 + 5, `「${tokens[from]}」的q`, {size: 12, fill: 'ink-2'})}
    <svg y=${ROW + 6} overflow="visible">${head(NAME, '每个词元的键k', {fill: 'key'})}${head(100, '点积q·k', {anchor: 'end', fill: 'score'})}</svg>
    ${rows(result, top, (i, y) => svg`${strip({x: NAME, y, width: CELLS, values: k[i] ?? [], tone: 'key', largest: largestOf(k)})}
      ${bar({x: NAME + CELLS + 3, y, width: 16, value: scores[i] ?? 0, domain: domainOf(scores), tone: 'score'})}
      ${text(100, y + ROW / 2 + 5, fixed(scores[i] ?? 0, 2), {anchor: 'end', weight: scores[i] === best ? 700 : 400})}`)}`);
}

function drawWeights(result: WorldResult): TemplateResult {
  const {tokens, scores, scaled, weights} = result;
  return figure({height: HEAD + ROW * tokens.length, label: '分数、除过√d的分数和权重，数值见表格'}, svg`
    ${head(33, '分数', {anchor: 'end'})}${head(52, '÷√d', {anchor: 'end'})}${head(100, '权重', {anchor: 'end', fill: 'weight'})}
    ${rows(result, HEAD, (i, y) => svg`${text(33, y + ROW / 2 + 5, fixed(scores[i] ?? 0, 2), {anchor: 'end', fill: 'score'})}
      ${text(52, y + ROW / 2 + 5, fixed(scaled[i] ?? 0, 2), {anchor: 'end', fill: 'score'})}
      ${bar({x: 57, y, width: 25, value: weights[i] ?? 0, domain: [0, 1], tone: 'weight'})}
      ${text(100, y + ROW / 2 + 5, percent(weights[i] ?? 0), {anchor: 'end', weight: 600})}`)}`);
}

function drawOutputs(result: WorldResult): TemplateResult {
  const {tokens, v, weights, output} = result;
  const left = 36;
  const bottom = HEAD + ROW * tokens.length;
  return figure({height: bottom + ROW + 4, label: `按权重取回的内容：${vector(output)}`}, svg`
    <defs>${minus('value')}</defs>
    ${head(33, '权重', {anchor: 'end', fill: 'weight'})}${head(left, '每个词元的值v', {fill: 'value'})}
    ${rows(result, HEAD, (i, y) => svg`${text(33, y + ROW / 2 + 5, percent(weights[i] ?? 0), {anchor: 'end', fill: 'weight'})}
      ${strip({x: left, y, width: 100 - left, values: v[i] ?? [], tone: 'value', largest: largestOf(v)})}`)}
    <line x1="0%" x2="100%" y1=${bottom} y2=${bottom} stroke=${color('ink')}/>
    ${text(0, bottom + ROW / 2 + 7, '加权和', {weight: 700, size: 14})}
    ${strip({x: left, y: bottom + 2, width: 100 - left, values: output, tone: 'value', largest: largestOf(v)})}`);
}

function view({stage}: WorldState, result: WorldResult): TemplateResult {
  switch (stage) {
    case 'embeddings': return drawEmbeddings(result);
    case 'projections': return html`<div class="charts">${PROJECTIONS.map((projection) => html`<div>${drawProjection(result, projection)}</div>`)}</div>`;
    case 'scores': return drawScores(result);
    case 'weights': return drawWeights(result);
    case 'outputs': return drawOutputs(result);
  }
}

/** Tokens from the highest value to the lowest. */
function ranked({tokens}: WorldResult, values: readonly number[]): {i: number; name: string; value: number}[] {
  return tokens.map((token, i) => ({i, name: `「${token}」`, value: values[i] ?? 0})).sort((a, b) => b.value - a.value || a.i - b.i);
}

function says({stage}: WorldState, result: WorldResult): string {
  const {tokens, from, cosines, scores, weights, q, k, v, output} = result;
  const me = `「${tokens[from]}」`;
  switch (stage) {
    case 'embeddings': {
      const others = ranked(result, cosines).filter(({i}) => i !== from);
      return `直接比词向量，${me}最像它自己（${fixed(cosines[from] ?? 0, 3)}）；别的词元依次是${others.map(({name, value}) => `${name}${fixed(value, 3)}`).join('、')}。`;
    }
    case 'projections':
      return `${me}的同一个向量，乘三个矩阵得到三个新向量：查询q＝${vector(q[from] ?? [])}，键k＝${vector(k[from] ?? [])}，值v＝${vector(v[from] ?? [])}。`;
    case 'scores': {
      const order = ranked(result, scores);
      const [first, second] = order;
      const mine = order.findIndex(({i}) => i === from) + 1;
      return `${me}的查询与${first?.name}的键最合，点积${fixed(first?.value ?? 0, 2)}，其次是${second?.name}${fixed(second?.value ?? 0, 2)}；与自己的键是${fixed(scores[from] ?? 0, 2)}，排第${mine}。`;
    }
    case 'weights':
      return `分数除以√${q[from]?.length ?? 0}，再做softmax，${me}这样分配：${ranked(result, weights).map(({name, value}) => `${name}${percent(value)}`).join('、')}。这里没有加掩码，整句都看得见。`;
    case 'outputs': {
      const [first, second] = ranked(result, weights);
      return `每个词元的值乘自己的权重，加起来，${me}取回${vector(output)}：主要来自${first?.name}（${percent(first?.value ?? 0)}）和${second?.name}（${percent(second?.value ?? 0)}）。`;
    }
  }
}

function table({stage}: WorldState, result: WorldResult): Table {
  const {tokens, features, x, q, k, v, from, projections, cosines, scores, scaled, weights, output} = result;
  const places = x[0]?.map((_, i) => `第${i + 1}维`) ?? [];
  const each = (cells: (i: number) => string[]) => tokens.map((token, i) => [token, ...cells(i)]);
  const shown = (values: readonly number[] | undefined) => (values ?? []).map(short);
  switch (stage) {
    case 'embeddings': return {columns: ['词元', ...features, '余弦'], rows: each((i) => [...shown(x[i]), fixed(cosines[i] ?? 0, 3)])};
    case 'projections': return {
      columns: ['行', ...places],
      rows: PROJECTIONS.flatMap(({letter, name}) => [
        ...projections[letter].map((row, i) => [`W_${letter.toUpperCase()} · ${features[i] ?? ''}（x＝${short(x[from]?.[i] ?? 0)}）`, ...shown(row)]),
        [`${name}${letter}`, ...shown(result[letter][from])],
      ]),
    };
    case 'scores': return {columns: ['词元', ...places.map((place) => `k ${place}`), '点积q·k'], rows: [[`「${tokens[from]}」的q`, ...shown(q[from]), ''], ...each((i) => [...shown(k[i]), fixed(scores[i] ?? 0, 2)])]};
    case 'weights': return {columns: ['词元', '分数', '÷√d', '权重'], rows: each((i) => [fixed(scores[i] ?? 0, 2), fixed(scaled[i] ?? 0, 2), percent(weights[i] ?? 0)])};
    case 'outputs': return {columns: ['词元', '权重', ...places.map((place) => `v ${place}`)], rows: [...each((i) => [percent(weights[i] ?? 0), ...shown(v[i])]), ['加权和', '', ...shown(output)]]};
  }
}

const signedSum = (terms: readonly string[]) => terms.join(' ＋ ');
const factor = (value: number) => (value < 0 ? `(${short(value)})` : short(value));
const product = (a: readonly number[], b: readonly number[]) => signedSum(a.map((value, i) => `${factor(value)}×${factor(b[i] ?? 0)}`));

function steps({stage}: WorldState, result: WorldResult): TemplateResult {
  const {tokens, from, x, q, k, v, projections, cosines, scores, scaled, weights, output} = result;
  const of = (row: readonly number[][]) => row[from] ?? [];
  const list = (items: readonly string[]) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  const column = (rowsOfW: readonly number[][], j: number) => rowsOfW.map((row) => row[j] ?? 0);
  switch (stage) {
    case 'embeddings': return html`<ol class="steps"><li>两个向量的点积，除以各自的长度，就是余弦。</li><li>「${tokens[from]}」与每个词元：${list(tokens.map((token, j) =>
      `${token}：(${product(of(x), x[j] ?? [])}) ÷ 两个长度之积＝${fixed(cosines[j] ?? 0, 3)}`))}</li></ol>`;
    case 'projections': return html`<ol class="steps">${PROJECTIONS.map(({letter, name}) => html`<li>${name}的第1维：x与W的第1列相乘再相加，${product(of(x), column(projections[letter], 0))}＝${short(result[letter][from]?.[0] ?? 0)}。</li>`)}<li>其余各维照样算。</li></ol>`;
    case 'scores': return html`<ol class="steps"><li>查询和每个键逐维相乘，再相加：${list(tokens.map((token, j) => `${token}：${product(of(q), k[j] ?? [])}＝${fixed(scores[j] ?? 0, 2)}`))}</li></ol>`;
    case 'weights': return html`<ol class="steps"><li>分数除以√${of(q).length}：${list(tokens.map((token, j) => `${token}：${fixed(scores[j] ?? 0, 2)} → ${fixed(scaled[j] ?? 0, 2)}`))}</li>
      <li>取指数，再除以这一行的总和：${list(tokens.map((token, j) => `${token}：${percent(weights[j] ?? 0)}`))}</li></ol>`;
    case 'outputs': return html`<ol class="steps">${output.map((value, d) => html`<li>第${d + 1}维：${signedSum(v.map((row, j) => `${fixed(weights[j] ?? 0, 3)}×${factor(row[d] ?? 0)}`))}＝${short(value)}</li>`)}</ol>`;
  }
}

/**
 * One head of attention over the teaching sentence, without a mask, from one token's side.
 *
 * @attr token stage
 * @fires attn-change  detail: {state, result}
 */
export class AttnWorld extends AttnWidget<WorldState, WorldResult> {
  static override readonly spec: Spec<WorldState, WorldResult> = {
    tag: 'attn-world', title: '一句话里，一个词元看别的词元', hint: '换一个词元，再一步步往后走：同一句话，它先看见谁？',
    schema, compute, view, says, table, steps,
  };

  protected override controls(state: WorldState, {tokens}: WorldResult): TemplateResult {
    return html`<fieldset class="tabs"><legend>走到哪一步</legend>${STAGES.map(({stage, name}) => html`<label>
        <input type="radio" name="stage" ?checked=${state.stage === stage} @change=${() => this.change({stage})}><span>${name}</span></label>`)}</fieldset>
      <div class="row" role="group" aria-label="从哪个词元看"><span>从谁看</span>${tokens.map((token) => html`<button type="button" class="chip"
        aria-pressed=${state.token === token ? 'true' : 'false'} @click=${() => this.change({token})}>${token}</button>`)}</div>
      ${state.stage === 'outputs' ? html`<p class="reading">值与加权和是第5课的内容，先看个大概。</p>` : nothing}`;
  }
}
