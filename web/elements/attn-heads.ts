// <attn-heads>: one softmax for all columns, or one for each half of them; or the heads of the
// trained model, whose part is a file of its own.

import {html, nothing, svg, type PropertyValues, type TemplateResult} from 'lit';
import {matrix, rowsOf, type AttentionTrace} from '../core.js';
import {fixed, general, percent} from '../shared/format.js';
import {color, figure, hatch, panel, rule, text} from '../shared/plot.js';
import {type Resources} from '../shared/runtime.js';
import {SEEDS} from '../shared/experiment.js';
import {InputError} from '../shared/input.js';
import {readFields} from '../shared/link.js';
import {choiceField, numberField, sampleText, type Schema} from '../shared/schema.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';
import type {Loading, TrainedResult} from './heads-trained.js';

type Source = 'teaching' | 'example' | 'trained';

export interface HeadsState {
  /** 教学句、四维的小例子，或训练好的小模型 */
  source: Source;
  /** 哪一行在问，从1数；0是最后一个例子词元，训练好的模型是最后一个字 */
  row: number;
  /** 热图画哪一个：0是不切开的一个头，1、2是头A、头B；训练好的模型从0数到3 */
  head: number;
  /** 训练好的模型的哪一层，从0数 */
  layer: number;
  /** 给训练好的模型读的话 */
  text: string;
  /** 接着写时的温度；0是贪心 */
  temperature: number;
  /** 接着写时只在最可能的几个里抽；0是不限 */
  topk: number;
  /** 接着写的随机种子 */
  seed: number;
}

/** One way to attend: all columns at once, or a head with its share of them. */
interface Head {
  name: string;
  /** d of its √d */
  width: number;
  /** (T, T) */
  weights: number[][];
  /** (T, width) */
  output: number[][];
}

export interface WorkedResult {
  source: Exclude<Source, 'trained'>;
  tokens: string[];
  /** Names of the columns of V. */
  columns: string[];
  /** Index of the row that asks. */
  row: number;
  /** The undivided one, then the heads. */
  ways: Head[];
  /** (T, d_v) the heads' outputs side by side */
  joined: number[][];
}

export type HeadsResult = WorkedResult | TrainedResult;

const HEADS = 2;
const NAMES = ['一个头', '头A', '头B'];
/** Two tokens in four dimensions; every projection is the identity. */
const EXAMPLE = {
  tokens: ['明', '月'],
  x: [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
  ],
  columns: ['1', '2', '3', '4'],
  row: 1,
};
const TEACHING = {columns: ['人', '身份', '物', '语法'], row: 3};

const SOURCES: readonly {source: Source; name: string}[] = [
  {source: 'teaching', name: '教学句'},
  {source: 'example', name: '四维小例子'},
];

const schema: Schema<HeadsState> = {
  source: choiceField<Source>('teaching', ['teaching', 'example', 'trained']),
  row: numberField(0, {min: 0, max: 64, integer: true}),
  head: numberField(1, {min: 0, max: 3, integer: true}),
  layer: numberField(0, {min: 0, max: 1, integer: true}),
  // 静夜思, as the Tang poems have it: 24 characters.
  text: {
    fallback: '牀前看月光，疑是地上霜。舉頭望山月，低頭思故鄉。',
    read: (text) => text,
    write: (text) => text,
    about: import.meta.env.SSR ? {takes: '一段话', sample: sampleText} : undefined,
  },
  temperature: numberField(1, {min: 0, max: 2}),
  topk: numberField(0, {min: 0, max: 1200, integer: true}),
  seed: numberField(20261014, SEEDS),
};

type Trained = typeof import('./heads-trained.js');

let trained: Trained | undefined;

async function bringTrained(): Promise<void> {
  trained = await import('./heads-trained.js');
}

// A page that shows it needs it before its first drawing, and so does the build.
if (typeof document === 'undefined' || document.querySelector('attn-heads[source=trained]'))
  await bringTrained();

function inputs({core, world}: Resources, source: WorkedResult['source']) {
  if (source === 'example') {
    const x = matrix(EXAMPLE.x);
    return {tokens: EXAMPLE.tokens, columns: EXAMPLE.columns, row: EXAMPLE.row, q: x, k: x, v: x};
  }
  const x = matrix(world.embeddings);
  const [q, k, v] = [world.W_Q, world.W_K, world.W_V].map((w) => core.product(x, matrix(w))) as [
    typeof x,
    typeof x,
    typeof x,
  ];
  return {tokens: world.tokens, columns: TEACHING.columns, row: TEACHING.row, q, k, v};
}

function work(
  resources: Resources,
  state: HeadsState,
  source: WorkedResult['source'],
): WorkedResult {
  const {core} = resources;
  const {tokens, columns, row, q, k, v} = inputs(resources, source);
  const how = {scaled: true, mask: 'causal'} as const;
  const several = core.multiHead(q, k, v, {heads: HEADS, ...how});
  const way = ({weights, output}: AttentionTrace, i: number): Head => ({
    name: NAMES[i] ?? '',
    width: output.cols,
    weights: rowsOf(weights),
    output: rowsOf(output),
  });
  return {
    source,
    tokens,
    columns,
    row: state.row === 0 ? row : Math.min(state.row, tokens.length) - 1,
    ways: [core.attention(q, k, v, how), ...several.heads].map(way),
    joined: rowsOf(several.output),
  };
}

const ROW = 42;
const TOP = 44;

/** The asking row under each way, one column a way. */
function asking({tokens, row, ways}: WorkedResult): TemplateResult {
  const places = ways.map((way, i) => ({...way, x: 18 + 28 * i}));
  return figure(
    {
      height: TOP + ROW * tokens.length,
      label: `「${tokens[row]}」一行的权重：一个头、头A、头B；数值见表格`,
    },
    svg`
    ${text(0, 16, `「${tokens[row]}」`, {weight: 600})}${text(0, 34, '看谁', {fill: 'ink-2', size: 12})}
    ${places.map(({name, width, x}) => svg`${text(x, 16, name, {weight: 600})}${text(x, 34, `除以√${width}`, {fill: 'ink-2', size: 12})}`)}
    ${tokens.map((token, j) => {
      const y = TOP + ROW * j;
      return svg`${rule(0, 100, y)}${text(0, y + 26, token)}${places.map(({weights, x}) => {
        const weight = weights[row]?.[j] ?? 0;
        return j > row
          ? text(x, y + 26, '遮住', {fill: 'ink-2', size: 12})
          : panel(
              {x, y, width: 25, height: ROW},
              svg`${text(0, 17, percent(weight), {size: 12})}
            <rect x="0%" y="23" width="100%" height="11" fill=${color('weight-soft')}/><rect x="0%" y="23" width="${(100 * weight).toFixed(2)}%" height="11" fill=${color('weight')}/>`,
            );
      })}`;
    })}`,
  );
}

/** What the row fetches: the heads' halves stand side by side. */
function fetched({columns, row, ways, joined}: WorkedResult): TemplateResult {
  const at = (c: number) => 36 + 19 * c;
  const lines = [
    {name: '一个头', values: ways[0]?.output[row] ?? []},
    {name: '两个头', values: joined[row] ?? []},
  ];
  const half = columns.length / HEADS;
  return figure(
    {height: 104, label: '取回的向量：一个头，与两个头拼接'},
    svg`
    <rect x="${at(half - 1) + 2}%" y="20" width="1" height="80" fill=${color('rule')}/>
    ${text(0, 16, '取回', {weight: 600})}${columns.map((name, c) => svg`${text(at(c), 16, name, {anchor: 'end', size: 12, fill: 'value'})}`)}
    ${lines.map(
      (
        {name, values},
        i,
      ) => svg`${rule(0, 100, 28 + 38 * i)}${text(0, 52 + 38 * i, name, {size: 12})}
      ${values.map((value, c) => text(at(c), 52 + 38 * i, fixed(value, 3), {anchor: 'end', size: 12, fill: 'value', weight: i === 1 ? 600 : 400}))}`,
    )}`,
  );
}

/** All rows of one way. */
function heatMap({tokens, row, ways}: WorkedResult, head: number): TemplateResult {
  const {name, weights} = ways[head] ?? {name: '', weights: []};
  const cell = 84 / tokens.length;
  return figure(
    {height: 28 + 38 * tokens.length, label: `${name}的权重，行看列；数值见表格`},
    svg`<defs>${hatch('later', 'ink-2')}</defs>
    ${text(0, 16, name, {weight: 600})}
    ${tokens.map((token, j) => text(16 + cell * (j + 0.5), 16, token, {anchor: 'middle', size: 12, fill: 'key'}))}
    ${tokens.map(
      (
        token,
        i,
      ) => svg`${text(0, 28 + 38 * i + 24, token, {size: 12, fill: 'query', weight: i === row ? 700 : 400})}
      ${tokens.map((_, j) => {
        const weight = weights[i]?.[j] ?? 0;
        const hidden = j > i;
        return svg`<rect x="${16 + cell * j}%" y=${28 + 38 * i} width="${cell}%" height="38" fill=${hidden ? 'url(#later)' : color('weight')} fill-opacity=${hidden ? '0.35' : (0.05 + 0.5 * weight).toFixed(3)} stroke=${color('rule')}/>
          ${hidden ? nothing : text(16 + cell * (j + 0.5), 28 + 38 * i + 24, percent(weight), {anchor: 'middle', size: 11, weight: i === row ? 600 : 400})}`;
      })}`,
    )}`,
  );
}

function workedView({head}: HeadsState, result: WorkedResult): TemplateResult {
  return html`<div class="charts">${asking(result)}${heatMap(result, Math.min(head, HEADS))}</div>
    <p class="reading">两个头的输出左右拼接：竖线左边来自头A，右边来自头B。</p>
    ${fetched(result)}`;
}

/** Where a way looks most. */
function peak(weights: readonly number[]): number {
  return weights.indexOf(Math.max(...weights));
}

function workedSays({tokens, row, ways, joined}: WorkedResult): string {
  const told = ways
    .map(({name, weights}) => {
      const own = weights[row] ?? [];
      return `${name}最看「${tokens[peak(own)]}」，${percent(own[peak(own)] ?? 0)}`;
    })
    .join('；');
  const [a, b] = ways.slice(1).map(({weights}) => weights[row] ?? []);
  const alike = a?.join() === b?.join();
  return (
    `「${tokens[row]}」这一行：${told}。${row === 0 ? '它只看得见自己，怎么切都一样。' : alike ? '两个头拿到的数一样，看的也就一样。' : ''}` +
    `拼接起来是(${(joined[row] ?? []).map((value) => fixed(value, 3)).join(', ')})。`
  );
}

function workedTable({tokens, ways}: WorkedResult): Table {
  return {
    columns: ['谁在看', '怎么切', ...tokens.map((token) => `看${token}`), '取回'],
    rows: tokens.flatMap((token, i) =>
      ways.map(({name, weights, output}) => [
        token,
        name,
        ...(weights[i] ?? []).map((weight, j) => (j > i ? '遮住' : percent(weight))),
        (output[i] ?? []).map((value) => fixed(value, 3)).join(', '),
      ]),
    ),
  };
}

function workedSteps({source, columns, ways}: WorkedResult): TemplateResult {
  const width = ways[1]?.width ?? 1;
  return html`<ol class="steps">
    <li>
      ${source === 'teaching' ? 'Q＝X·W_Q，K＝X·W_K，V＝X·W_V，各4列，与一个头用的是同一套。' : '四个投影都取单位矩阵，Q、K、V就是X。'}
    </li>
    <li>
      按列切开：头A拿第1、2列（V里是${columns.slice(0, width).join('、')}），头B拿第3、4列（${columns.slice(width).join('、')}）。
    </li>
    <li>
      每个头用自己的${width}列做点积，除以√${width}＝${general(Math.sqrt(width))}，遮住后面的，各做一次softmax，各乘各的V。
    </li>
    <li>两个输出左右拼接，又是4列。再乘W_O，才交给下一步。</li>
  </ol>`;
}

/** The part that belongs to a state of the trained model; it may still be on its way. */
function part(): Trained {
  if (!trained) throw new InputError('no-model', '正在载入模型，图仍是上一次的。');
  return trained;
}

function compute(resources: Resources, state: HeadsState): HeadsResult {
  return state.source === 'trained'
    ? part().compute(resources, state)
    : work(resources, state, state.source);
}

function view(state: HeadsState, result: HeadsResult): TemplateResult {
  return result.source === 'trained' ? part().view(state, result) : workedView(state, result);
}

function says(state: HeadsState, result: HeadsResult): string {
  return result.source === 'trained' ? part().says(state, result) : workedSays(result);
}

function table(state: HeadsState, result: HeadsResult): Table {
  return result.source === 'trained' ? part().table(state, result) : workedTable(result);
}

function steps(state: HeadsState, result: HeadsResult): TemplateResult {
  return result.source === 'trained' ? part().steps(state, result) : workedSteps(result);
}

const spec: Spec<HeadsState, HeadsResult> = {
  tag: 'attn-heads',
  hint: '换一个词元来问：切开之后，两份100 %各给了谁？',
  title: (_state, {source}) => (source === 'trained' ? part().title : '一个头与两个头'),
  // The model takes half a megabyte to fetch, so a page that shows it brings what it says.
  slow: ({source}) => source === 'trained',
  schema,
  compute,
  view,
  says,
  table,
  steps,
};

/**
 * Worked examples of multi-head attention, every row of which sees itself and what stands before it;
 * with source="trained" the heads of the trained model on any text, its module and weights fetched
 * when the reader first changes something, or at once where the page brings no drawing.
 *
 * @attr source row head layer text temperature topk seed
 * @fires attn-change  detail: {state, result}
 */
export class AttnHeads extends AttnWidget<HeadsState, HeadsResult> {
  static override readonly spec = spec;

  #loading: Loading = 'no';

  protected override get spec(): Spec<HeadsState, HeadsResult> {
    return trained && this.getAttribute('source') === 'trained'
      ? {...spec, hint: trained.hint}
      : spec;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.#loading !== 'no') return;
    // Not earlier: the first drawing must be the build's, which no page has fetched anything for.
    if (trained?.ready()) this.#show('there');
    // Asked for by an attribute, on a page that brings no drawing.
    else if (this.getAttribute('source') === 'trained' && this.state.source !== 'trained')
      this.change(readFields(schema, (key) => this.getAttribute(key)).state);
  }

  /** What the trained model is asked for waits until it is there. */
  protected override change(patch: Partial<HeadsState>): void {
    const asked = (patch.source ?? this.state.source) === 'trained';
    if (!asked || trained?.ready()) super.change(patch);
    else void this.#load().then(() => super.change(patch));
  }

  async #load(): Promise<void> {
    this.#show('busy');
    try {
      if (!trained) await bringTrained();
      await part().bringModel();
      this.#show('there');
    } catch (error) {
      console.warn('attn-heads: the model did not load', error);
      this.#show('failed');
    }
  }

  #show(loading: Loading): void {
    this.#loading = loading;
    this.requestUpdate();
  }

  protected override controls(state: HeadsState, result: HeadsResult): TemplateResult {
    if (result.source === 'trained') {
      return part().controls(
        {
          drafts: this.drafts,
          requestUpdate: () => this.requestUpdate(),
          change: (patch) => this.change(patch),
          loading: this.#loading,
          load: () => void this.#load(),
        },
        state,
        result,
      );
    }
    const {source, head} = state;
    const {tokens, row} = result;
    return html`<fieldset class="tabs">
        <legend>例子</legend>
        ${SOURCES.map(
          (each) =>
            html`<label>
              <input
                type="radio"
                name="source"
                value=${each.source}
                ?checked=${source === each.source}
                @change=${() => this.change({source: each.source, row: 0})}
              /><span>${each.name}</span></label
            >`,
        )}
      </fieldset>
      <div class="row" role="group" aria-label="谁在问">
        <span>谁在问</span>${tokens.map(
          (token, i) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${i === row ? 'true' : 'false'}
              @click=${() => this.change({row: i + 1})}
            >
              ${token}
            </button>`,
        )}
      </div>
      <div class="row" role="group" aria-label="热图画哪一个">
        <span>热图画</span>${NAMES.map(
          (name, i) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${i === Math.min(head, HEADS) ? 'true' : 'false'}
              @click=${() => this.change({head: i})}
            >
              ${name}
            </button>`,
        )}
      </div>`;
  }
}
