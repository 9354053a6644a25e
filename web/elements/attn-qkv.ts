// <attn-qkv>: attention of three tokens in two dimensions, small enough to see every number.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {rowsOf, type Matrix} from '../core.js';
import {fixed, integer, percent, plain, scientific} from '../shared/format.js';
import {InputError} from '../shared/input.js';
import {numberBox} from '../shared/number-box.js';
import {
  along,
  color,
  figure,
  hatch,
  path,
  pin,
  rule,
  text,
  type Point,
  type Token,
} from '../shared/plot.js';
import type {Resources} from '../shared/runtime.js';
import {
  choiceField,
  flagField,
  numbersField,
  rangeWords,
  sampleNumber,
  type Field,
  type Schema,
} from '../shared/schema.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

type Mask = 'none' | 'self' | 'causal';
type Name = 'q' | 'k' | 'v';

export interface QkvState {
  /** 查询，3行2列，一行一行写 */
  q: readonly number[];
  /** 键，3行2列 */
  k: readonly number[];
  /** 值，3行2列 */
  v: readonly number[];
  /** 除以√d_k */
  scaled: boolean;
  /** 谁可以看谁 */
  mask: Mask;
}

export interface QkvResult {
  /** (3, 3) before the mask */
  scores: number[][];
  /** (3, 3) */
  weights: number[][];
  /** (3, 2) */
  output: number[][];
  /** Of each row, ÷ ln(visible keys) */
  entropy: number[];
}

const ROWS = 3;
const COLUMNS = 2;
const CELLS = ROWS * COLUMNS;
const LIMIT = {min: -1e6, max: 1e6};
const NAMES: readonly Name[] = ['q', 'k', 'v'];
const SUBSCRIPTS = '₁₂₃';

const EXAMPLE = {q: [1, 0, 0, 1, 1, 0], k: [1, 0, 0, 1, 1, 1], v: [2, 0, 0, 2, 1, 1]};
/** Every query is far longer than the keys, and each points at another one. */
const SHARP = {q: [0, 8, -6, -6, 8, 0], k: [1, 0, 0, 1, -1, -1], v: [2, 0, 0, 2, 1, 1]};

const MASKS: readonly {mask: Mask; name: string}[] = [
  {mask: 'none', name: '三个都可见'},
  {mask: 'causal', name: '只看自己和前面'},
  {mask: 'self', name: '只看自己'},
];

const PRESETS: readonly {name: string; patch: Partial<QkvState>}[] = [
  {name: '正文那个例子', patch: {...EXAMPLE, mask: 'none'}},
  {name: '只让自己可见', patch: {mask: 'self'}},
  {name: '制造一个尖锐分布', patch: {...SHARP, mask: 'none'}},
];

function tableField(fallback: readonly number[]): Field<readonly number[]> {
  const field = numbersField(fallback, CELLS, LIMIT);
  return {
    ...field,
    read: (written) => {
      const values = field.read(written);
      if (values.length !== CELLS)
        throw new InputError(
          'wrong-size',
          `要${CELLS}个数，3行2列，一行一行写；这里有${values.length}个。`,
        );
      return values;
    },
    about: import.meta.env.SSR
      ? {
          takes: `${CELLS}个${rangeWords(LIMIT)}，用逗号隔开`,
          sample: (random) => Array.from({length: CELLS}, () => sampleNumber(random, LIMIT)),
        }
      : undefined,
  };
}

const schema: Schema<QkvState> = {
  q: tableField(EXAMPLE.q),
  k: tableField(EXAMPLE.k),
  v: tableField(EXAMPLE.v),
  scaled: flagField(true),
  mask: choiceField<Mask>('none', ['none', 'self', 'causal']),
};

function table3by2(values: readonly number[]): Matrix {
  return {data: Float64Array.from(values), rows: ROWS, cols: COLUMNS};
}

function compute({core}: Resources, {q, k, v, scaled, mask}: QkvState): QkvResult {
  const {scores, weights, output, entropy} = core.attention(
    table3by2(q),
    table3by2(k),
    table3by2(v),
    {scaled, mask},
  );
  return {scores: rowsOf(scores), weights: rowsOf(weights), output: rowsOf(output), entropy};
}

const row = (values: readonly number[], i: number) => values.slice(COLUMNS * i, COLUMNS * (i + 1));

function visible(mask: Mask, i: number, j: number): boolean {
  return mask === 'none' || j === i || (mask === 'causal' && j < i);
}

/** Three decimals, short enough for a cell on a phone. */
function brief(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e5 || (size < 5e-4 && size > 0)) return scientific(value, 1);
  return size >= 1000 ? integer(value) : plain(Number(value.toFixed(3)));
}

const vector = (values: readonly number[]) => `(${values.map(brief).join(', ')})`;

const HEAD = 17;
const CELL = 16;
const ROW = 42;
const TOP = 62;
const OUT = HEAD + ROWS * CELL + 10;
const ENTROPY = 100;

/** A vector as a column of two numbers, centred. */
function column(x: number, y: number, values: readonly number[], fill: Token): SVGTemplateResult {
  return svg`${values.map((value, c) => text(x, y + 16 * c, brief(value), {anchor: 'middle', size: 12, fill}))}`;
}

function cells(y: number, of: (i: number, j: number) => SVGTemplateResult): SVGTemplateResult {
  return svg`${[0, 1, 2].map((i) => [0, 1, 2].map((j) => svg`<svg x="${HEAD + CELL * j}%" y=${y + ROW * i} width="${CELL}%" height=${ROW}>${of(i, j)}</svg>`))}`;
}

function box(fill: string, opacity: string, content: SVGTemplateResult): SVGTemplateResult {
  return svg`<rect x="0%" y="0" width="100%" height=${ROW} fill=${fill} fill-opacity=${opacity} stroke=${color('rule')}/>${content}`;
}

/** Scores where a query's row meets a key's column; below, weights under the values and what each row fetches. */
function tables(
  {q, k, v, scaled, mask}: QkvState,
  {scores, weights, output, entropy}: QkvResult,
): TemplateResult {
  const second = TOP + ROW * ROWS + 18;
  const label = `分数与权重两张表，第三行的输出${vector(output[2] ?? [])}`;
  const heads = (name: string, values: readonly number[], y: number, token: Token) =>
    svg`${[0, 1, 2].map(
      (j) => svg`
    ${text(HEAD + CELL * (j + 0.5), y + 12, `${name}${SUBSCRIPTS[j]}`, {anchor: 'middle', fill: token, weight: 600})}
    ${column(HEAD + CELL * (j + 0.5), y + 30, row(values, j), token)}`,
    )}`;
  return figure(
    {height: second + TOP + ROW * ROWS + 4, label},
    svg`<defs>${hatch('unseen', 'ink-2')}</defs>
    ${text(0, 12, scaled ? '分数÷√2' : '分数', {fill: 'score', weight: 600})}${text(0, 30, 'q·k', {fill: 'ink-2', size: 12})}
    ${heads('k', k, 0, 'key')}
    ${[0, 1, 2].map((i) => svg`${text(0, TOP + ROW * i + 26, `q${SUBSCRIPTS[i]}`, {fill: 'query', weight: 600})}${column(HEAD * 0.66, TOP + ROW * i + 18, row(q, i), 'query')}`)}
    ${cells(TOP, (i, j) =>
      visible(mask, i, j)
        ? box(
            'none',
            '1',
            text(50, 26, brief(scores[i]?.[j] ?? 0), {anchor: 'middle', fill: 'score', size: 12}),
          )
        : box(
            'url(#unseen)',
            '0.5',
            text(50, 26, '遮住', {anchor: 'middle', fill: 'ink-2', size: 12, halo: true}),
          ),
    )}
    ${text(0, second + 12, '权重', {fill: 'weight', weight: 600})}
    ${heads('v', v, second, 'value')}
    ${text(OUT, second + 12, '输出', {anchor: 'middle', fill: 'value', weight: 600})}${text(OUT, second + 30, 'Σw·v', {anchor: 'middle', fill: 'ink-2', size: 12})}
    ${text(ENTROPY, second + 12, '熵', {anchor: 'end', fill: 'ink-2', weight: 600})}
    ${[0, 1, 2].map(
      (i) => svg`${text(0, second + TOP + ROW * i + 26, `第${i + 1}行`, {size: 12})}
      ${column(OUT, second + TOP + ROW * i + 18, output[i] ?? [], 'value')}
      ${text(ENTROPY, second + TOP + ROW * i + 26, fixed(entropy[i] ?? 0, 3), {anchor: 'end', size: 12, fill: 'ink-2'})}
      ${i > 0 ? rule(HEAD + CELL * ROWS, 100, second + TOP + ROW * i) : nothing}`,
    )}
    ${cells(second + TOP, (i, j) => {
      const weight = weights[i]?.[j] ?? 0;
      return visible(mask, i, j)
        ? box(
            color('weight'),
            (0.06 + 0.4 * weight).toFixed(3),
            text(50, 26, fixed(weight, 3), {anchor: 'middle', size: 12}),
          )
        : box('url(#unseen)', '0.5', text(50, 26, '0', {anchor: 'middle', size: 12, halo: true}));
    })}`,
  );
}

const PLANE = 190;
const INSET = 26;

/** Points that fall on one place share a label. */
function gathered(points: readonly Point[], name: string): {at: Point; label: string}[] {
  const places = new Map<string, {at: Point; label: string}>();
  points.forEach((at, i) => {
    const key = at.join();
    const known = places.get(key);
    places.set(key, {at, label: `${known ? `${known.label}、` : ''}${name}${SUBSCRIPTS[i]}`});
  });
  return [...places.values()];
}

/** Values are the corners; an average of them can't leave what they enclose. */
function plane({v}: QkvState, {output}: QkvResult): TemplateResult {
  const values = [0, 1, 2].map((j) => row(v, j));
  const domain = (c: number) => {
    const all = values.map((value) => value[c] ?? 0);
    return [Math.min(...all), Math.max(...all)] as const;
  };
  const [across, up] = [domain(0), domain(1)];
  const at = (point: readonly number[]): Point => [
    Math.round(1400 + 72 * along(point[0] ?? 0, across)) / 100,
    Math.round(PLANE - INSET - ((PLANE - 2 * INSET) * along(point[1] ?? 0, up)) / 100),
  ];
  const corners = values.map(at);
  const ends = (lo: number, hi: number) => (lo === hi ? [lo] : [lo, hi]);
  return figure(
    {height: PLANE + 18, label: '三个值和三个输出在平面上的位置'},
    svg`
    ${ends(...across).map((value) => text(at([value, 0])[0], PLANE + 12, brief(value), {anchor: 'middle', size: 11, fill: 'ink-2'}))}
    ${ends(...up).map((value) => svg`${text(8, at([0, value])[1] + 4, brief(value), {anchor: 'end', size: 11, fill: 'ink-2'})}${rule(10, 90, at([0, value])[1])}`)}
    ${path([...corners, corners[0] ?? [0, 0]], 'value')}
    ${gathered(corners, 'v').map(({at: [x, y], label}) => svg`${pin(x, y, svg`<rect x="-5" y="-5" width="10" height="10" fill=${color('value')}/>`)}${text(x, y - 10, label, {anchor: 'middle', fill: 'value', halo: true})}`)}
    ${gathered(output.map(at), 'o').map(({at: [x, y], label}) => svg`<circle cx="${x}%" cy=${y} r="5.5" fill=${color('weight')} stroke=${color('raised')} stroke-width="1.5"/>${text(x, y + 20, label, {anchor: 'middle', fill: 'weight', weight: 600, halo: true})}`)}`,
  );
}

function view(state: QkvState, result: QkvResult): TemplateResult {
  return html`${tables(state, result)}
    <p class="reading">
      下图把二维的v画成平面上的方点。每行的输出（圆点）是它们的加权平均，出不了它们围成的范围；三点一线时，就出不了那条线段。
    </p>
    ${plane(state, result)}`;
}

function says({mask, scaled}: QkvState, {weights, output, entropy}: QkvResult): string {
  if (mask === 'self')
    return '每一行只看得见自己：权重是单位矩阵，输出就是V本身，什么也没有从别处取来。';
  const last = ROWS - 1;
  const sharpest = entropy.reduce(
    (best, value, i) => (value < (entropy[best] ?? 1) ? i : best),
    last,
  );
  const alike = entropy.every((value) => fixed(value, 3) === fixed(entropy[last] ?? 0, 3));
  const shares = (weights[last] ?? []).map((weight) => percent(weight)).join('、');
  return (
    `第3行（${scaled ? '已除以√2' : '没有除以√2'}）的权重是${shares}，取回${vector(output[last] ?? [])}。` +
    `${alike ? '三行的熵都是' : `熵最小的是第${sharpest + 1}行，`}${fixed(entropy[sharpest] ?? 0, 3)}：0是只取一份，1是平分。`
  );
}

function table({mask}: QkvState, {scores, weights, output, entropy}: QkvResult): Table {
  const numbered = (name: string, n: number) =>
    Array.from({length: n}, (_, j) => `${name}${SUBSCRIPTS[j]}`);
  return {
    columns: [
      '行',
      ...numbered('分数', ROWS),
      ...numbered('权重', ROWS),
      '熵',
      ...numbered('输出', COLUMNS),
    ],
    rows: scores.map((each, i) => [
      `第${i + 1}行`,
      ...each.map((score, j) => (visible(mask, i, j) ? brief(score) : '遮住')),
      ...(weights[i] ?? []).map((weight) => fixed(weight, 3)),
      fixed(entropy[i] ?? 0, 3),
      ...(output[i] ?? []).map((value) => brief(value)),
    ]),
  };
}

function steps(
  {q, k, v, scaled, mask}: QkvState,
  {scores, weights, output}: QkvResult,
): TemplateResult {
  const i = ROWS - 1;
  const seen = [0, 1, 2].filter((j) => visible(mask, i, j));
  return html`<p>以第3行为例，q₃＝${vector(row(q, i))}。</p>
    <ol class="steps">
      <li>
        与看得见的每个键做点积${scaled ? '，再除以√2' : ''}：
        <ul>
          ${seen.map((j) => html`<li>k${SUBSCRIPTS[j]}＝${vector(row(k, j))}：${brief(scores[i]?.[j] ?? 0)}</li>`)}
        </ul>
      </li>
      <li>
        这一行做softmax：
        <ul>
          ${seen.map((j) => html`<li>${fixed(weights[i]?.[j] ?? 0, 3)}</li>`)}
        </ul>
      </li>
      <li>
        权重乘上各自的值，加起来：${seen.map((j) => `${fixed(weights[i]?.[j] ?? 0, 3)}×${vector(row(v, j))}`).join('＋')}＝${vector(output[i] ?? [])}。
      </li>
    </ol>`;
}

/**
 * Scaled dot-product attention with editable Q, K and V.
 *
 * @attr q k v scaled mask
 * @fires attn-change  detail: {state, result}
 */
export class AttnQkv extends AttnWidget<QkvState, QkvResult> {
  static override readonly spec: Spec<QkvState, QkvResult> = {
    tag: 'attn-qkv',
    title: '亲手改Q、K、V',
    hint: '改一个数，看分数、权重、输出怎样一路跟着变。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: QkvState): TemplateResult {
    const pressed = (patch: Partial<QkvState>) =>
      Object.entries(patch).every(
        ([key, value]) => String(value) === String(state[key as keyof QkvState]),
      );
    return html`<div class="row" role="group" aria-label="样例">
        <span>样例</span>${PRESETS.map(
          ({name, patch}) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${pressed(patch) ? 'true' : 'false'}
              @click=${() => this.#take(patch)}
            >
              ${name}
            </button>`,
        )}
      </div>
      <fieldset class="tabs">
        <legend>谁可以看谁</legend>
        ${MASKS.map(
          ({mask, name}) =>
            html`<label>
              <input
                type="radio"
                name="mask"
                value=${mask}
                ?checked=${state.mask === mask}
                @change=${() => this.change({mask})}
              /><span>${name}</span></label
            >`,
        )}
      </fieldset>
      <div class="dials">
        ${NAMES.map((name) => this.#matrix(state, name))}
        <label class="check"
          ><input
            type="checkbox"
            ?checked=${state.scaled}
            @change=${(event: Event) => this.change({scaled: (event.target as HTMLInputElement).checked})}
          />除以√2（即√d）</label
        >
      </div>`;
  }

  #matrix(state: QkvState, name: Name): TemplateResult {
    const title = name.toUpperCase();
    const token = {q: 'query', k: 'key', v: 'value'}[name];
    return html`<span class="matrix" role="group" aria-label=${title}
      ><b class=${token}>${title}</b>${state[name].map((value, cell) =>
        numberBox(this, {
          key: `${name}-${cell}`,
          label: `${title}第${Math.floor(cell / COLUMNS) + 1}行第${(cell % COLUMNS) + 1}列`,
          bare: true,
          value,
          ...LIMIT,
          by: 0.5,
          limit: CELLS,
          set: (next) =>
            this.change({[name]: state[name].map((old, i) => (i === cell ? next : old))}),
          setSeveral: (values) =>
            this.#take({[name]: state[name].map((old, i) => values[i - cell] ?? old)}),
        }),
      )}</span
    >`;
  }

  #take(patch: Partial<QkvState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
