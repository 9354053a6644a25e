// <attn-memory>: the memory of the scores of all pairs, by dot product and by additive scoring.

import {html, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {binary, bytes as inBytes, integer} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {color, figure, panel, text, upright, type Token} from '../shared/plot.js';
import type {Resources} from '../shared/runtime.js';
import {numberField, type NumberRange, type Schema} from '../shared/schema.js';
import {samplesRow, type Sample} from '../shared/samples.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface MemoryState {
  /** 词元数T */
  length: number;
  /** 头数 */
  heads: number;
  /** 层数 */
  layers: number;
  /** 每个数占几个字节 */
  bytes: number;
  /** 加性打分中间层的维数 */
  d_a: number;
}

/** Bytes at one length; decimal strings, since they may exceed 2⁵³. */
export interface MemoryRow {
  length: number;
  /** T × T scores. */
  dot: string;
  /** T × T × d_a hidden values of the network that computes the scores. */
  additive: string;
}

export interface MemoryResult {
  /** Pairs of tokens, in all heads and layers. */
  pairs: string;
  /** Memory at the chosen length. */
  here: MemoryRow;
  /** Memory at lengths from half the chosen one to four times it. */
  rows: MemoryRow[];
}

type Key = keyof MemoryState;

const RANGES: Record<Key, NumberRange & {min: number; max: number}> = {
  length: {min: 1, max: 1e8, integer: true},
  heads: {min: 1, max: 4096, integer: true},
  layers: {min: 1, max: 4096, integer: true},
  bytes: {min: 1, max: 8, integer: true},
  d_a: {min: 1, max: 65536, integer: true},
};

const schema: Schema<MemoryState> = {
  length: numberField(4096, RANGES.length),
  heads: numberField(1, RANGES.heads),
  layers: numberField(1, RANGES.layers),
  bytes: numberField(2, RANGES.bytes),
  d_a: numberField(256, RANGES.d_a),
};

const FACTORS = [0.5, 1, 2, 4];

/** Sums of whole numbers of any size, so nothing is rounded. */
function compute(
  _resources: Resources,
  {length, heads, layers, bytes, d_a}: MemoryState,
): MemoryResult {
  const pairsAt = (tokens: number) => BigInt(tokens) ** 2n * BigInt(heads) * BigInt(layers);
  const at = (tokens: number): MemoryRow => {
    const dot = pairsAt(tokens) * BigInt(bytes);
    return {length: tokens, dot: String(dot), additive: String(dot * BigInt(d_a))};
  };
  const lengths = new Set(FACTORS.map((factor) => Math.max(1, Math.floor(length * factor))));
  return {pairs: String(pairsAt(length)), here: at(length), rows: [...lengths].map(at)};
}

const size = (value: string) => binary(BigInt(value));
const exact = (value: string) => inBytes(BigInt(value));

const ROW = 62;

function bar(
  y: number,
  name: string,
  mark: string,
  value: string,
  share: number,
  tone: Token,
): SVGTemplateResult {
  return svg`${text(0, y + 18, `${mark} ${name}`, {fill: tone, weight: 600})}
    ${text(100, y + 18, size(value), {anchor: 'end', weight: 600})}
    ${panel(
      {x: 0, y: y + 26, width: 100, height: 20},
      svg`<rect x="0%" y="0" width="${Math.max(share, 0.2)}%" height="20"
        fill=${color(tone)}/>${upright(0, -3, 23, 'ink-2')}`,
    )}`;
}

/** Both bars have one scale, which makes the smaller one a sliver. */
function view(state: MemoryState, {here, rows}: MemoryResult): TemplateResult {
  return html`${figure(
      {height: 2 * ROW, label: `点积${size(here.dot)}，加性${size(here.additive)}`},
      svg`
      ${bar(0, `加性：T×T×${integer(state.d_a)}个数`, '✗', here.additive, 100, 'wrong')}
      ${bar(ROW, '点积：T×T个数', '✓', here.dot, 100 / state.d_a, 'right')}`,
    )}
    <p class="reading">两条用同一刻度。只改变长度：</p>
    <div class="scroll" tabindex="0" role="group" aria-label="不同长度">
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">词元数T</th>
            <th scope="col" class="scaled">✓ 点积</th>
            <th scope="col" class="raw">✗ 加性</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({length, dot, additive}) =>
              html`<tr>
                <th scope="row">
                  ${length === here.length ? html`<b>${integer(length)}</b>` : integer(length)}
                </th>
                <td>${size(dot)}</td>
                <td>${size(additive)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function says({length, heads, layers, d_a}: MemoryState, {here}: MemoryResult): string {
  return (
    `${integer(length)}个词元，${integer(heads)}个头、${integer(layers)}层：点积的分数表占${size(here.dot)}；` +
    `加性打分先要有中间那一层，照直写占${size(here.additive)}，是它的${integer(d_a)}倍。长度翻一倍，两样都变成4倍。`
  );
}

function table(_state: MemoryState, {rows}: MemoryResult): Table {
  return {
    columns: ['词元数T', '点积（字节）', '点积', '加性（字节）', '加性'],
    rows: rows.map(({length, dot, additive}) => [
      integer(length),
      exact(dot),
      size(dot),
      exact(additive),
      size(additive),
    ]),
  };
}

function steps(
  {length, heads, layers, bytes, d_a}: MemoryState,
  {pairs, here}: MemoryResult,
): TemplateResult {
  const [tokens, perLayer, depth] = [integer(length), integer(heads), integer(layers)];
  const factors = `${tokens}×${tokens}×${perLayer}头×${depth}层`;
  return html`<ol class="steps">
    <li>一对词元一个分数：${factors}＝${integer(BigInt(pairs))}个。</li>
    <li>点积：每个分数${bytes}字节，共${exact(here.dot)}。</li>
    <li>加性：每一对先有${integer(d_a)}个数要过tanh，共${exact(here.additive)}。</li>
  </ol>`;
}

const BOXES: readonly {key: Key; label: string}[] = [
  {key: 'length', label: '词元数T'},
  {key: 'heads', label: '头数'},
  {key: 'layers', label: '层数'},
  {key: 'bytes', label: '每个数的字节'},
  {key: 'd_a', label: '加性的d_a'},
];

const PRESETS: readonly Sample<MemoryState>[] = [
  {name: '4,096个词元', patch: {length: 4096, heads: 1, layers: 1, bytes: 2, d_a: 256}},
  {name: '50个词的句子', patch: {length: 50, heads: 1, layers: 1, bytes: 2, d_a: 256}},
  {name: '8,192，32头32层', patch: {length: 8192, heads: 32, layers: 32, bytes: 2, d_a: 128}},
];

/**
 * Memory of the attention scores: dot product against additive scoring.
 *
 * @name 分数占多少内存
 * @summary 序列一长，加性打分和点积各要多少内存。
 * @attr length heads layers bytes d_a
 * @fires attn-change  detail: {state, result}
 */
export class AttnMemory extends AttnWidget<MemoryState, MemoryResult> {
  static override readonly spec: Spec<MemoryState, MemoryResult> = {
    tag: 'attn-memory',
    title: '所有的对，要占多少内存',
    hint: '改词元数，看两种打分各要占多大；再试试头数和层数。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: MemoryState): TemplateResult {
    return html`${samplesRow({
        label: '样例',
        samples: PRESETS,
        state,
        take: (patch) => this.#take(patch),
      })}
      <div class="dials">
        ${BOXES.map(({key, label}) =>
          numberBox(this, {
            key,
            label,
            value: state[key],
            ...RANGES[key],
            set: (value) => this.change({[key]: value}),
          }),
        )}
      </div>`;
  }

  #take(patch: Partial<MemoryState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
