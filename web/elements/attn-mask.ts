// <attn-mask>: who may see whom: causal, padded, packed, with a window; and what goes wrong.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {matrix, rowsOf, type Core, type EmptyRow, type MaskedTrace, type Masking} from '../core.js';
import {fixed, general, integer, percent} from '../shared/format.js';
import {normalise} from '../shared/input.js';
import {listBox, numberBox} from '../shared/number-box.js';
import {color, figure, hatch, rule, text} from '../shared/plot.js';
import {runtime} from '../shared/runtime.js';
import {choiceField, numberField, numbersField, textsField, type Schema} from '../shared/schema.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

type Kind = 'causal' | 'window' | 'right' | 'left' | 'packed';
type Mistake = 'none' | Exclude<Masking, 'infinity'> | 'inverted' | 'query' | 'cross' | 'wide';

export interface MaskState {
  kind: Kind;
  /** 空着就是教学句；教学句里的词有向量，别的词一律记0分 */
  tokens: readonly string[];
  /** 各个序列的长度；空着就是一个序列 */
  lengths: readonly number[];
  /** 滑动窗口看几个；补位和打包时，一行放几格。0：看全部，或按最长的 */
  window: number;
  /** 从1数起的行，0是全部 */
  step: number;
  mistake: Mistake;
  /** 什么也看不见的行怎么办 */
  empty: EmptyRow;
}

/** Positions that attend to one another: one row of a batch. */
interface Block {
  labels: string[];
  /** −1 is a filler. */
  sequence: number[];
  /** Some token has vectors. */
  known: boolean;
  /** (T, T) q·k ÷ √d_k */
  scores: number[][];
  /** (T, T) what the right mask hides. */
  hidden: boolean[][];
  trace: Omit<MaskedTrace, 'scores' | 'weights'> & {scores: number[][]; weights: number[][]};
  /** (T, d_v) */
  output: number[][];
}

export interface MaskResult {
  blocks: Block[];
  cells: number;
  real: number;
  pairs: number;
  allPairs: number;
  emptyRows: number;
}

const MOST = 12;
const FILLER = '补';
/** Of a filler's word vector: an arbitrary one, as a trained model's would be. */
const FILLER_VALUE = 0.5;

const KINDS: readonly {kind: Kind; name: string}[] = [
  {kind: 'causal', name: '因果'},
  {kind: 'window', name: '滑动窗口'},
  {kind: 'right', name: '右补位'},
  {kind: 'left', name: '左补位'},
  {kind: 'packed', name: '打包'},
];

const MISTAKES: readonly {id: Mistake; name: string; kinds?: readonly Kind[]}[] = [
  {id: 'none', name: '✓ 加−∞'},
  {id: 'zero', name: '✗ 换成0'},
  {id: 'after', name: '✗ softmax之后再遮'},
  {id: 'bfloat16', name: '✗ 加−10⁹，bfloat16'},
  {id: 'float16', name: '✗ 乘−10⁹，float16'},
  {id: 'inverted', name: '✗ 真假弄反'},
  {id: 'wide', name: '✗ 窗口多一格', kinds: ['window']},
  {id: 'query', name: '✗ 补位的查询也遮', kinds: ['right', 'left']},
  {id: 'cross', name: '✗ 忘了分句', kinds: ['packed']},
];

const EMPTY: readonly {id: EmptyRow; name: string; does: string}[] = [
  {id: 'zero', name: '权重全记0', does: '权重全记0，输出是0向量'},
  {id: 'self', name: '看见自己', does: '只看见自己，输出就是自己的V'},
  {id: 'mean', name: '变成平均', does: '所有位置平分，输出是V的平均，遮住的也混了进来'},
];

const schema: Schema<MaskState> = {
  kind: choiceField<Kind>('causal', KINDS.map(({kind}) => kind)),
  tokens: textsField([], 4 * MOST),
  lengths: lengthsField(),
  window: numberField(0, {min: 0, max: MOST, integer: true}),
  step: numberField(0, {min: 0, max: 4 * MOST, integer: true}),
  mistake: choiceField<Mistake>('none', MISTAKES.map(({id}) => id)),
  empty: choiceField<EmptyRow>('zero', EMPTY.map(({id}) => id)),
};

function lengthsField(): Schema<MaskState>['lengths'] {
  const field = numbersField([], 4, {min: 1, max: MOST, integer: true});
  return {...field, read: (given) => (normalise(given) === '' ? [] : field.read(given))};
}

/** Sequences as rows of cells: one a row, or several packed into one. */
function layOut({kind, tokens, lengths, window}: MaskState): Pick<Block, 'labels' | 'sequence'>[] {
  const labels = tokens.length > 0 ? [...tokens] : [...(runtime.world?.tokens ?? [])];
  if (kind === 'causal' || kind === 'window') {
    const shown = labels.slice(0, MOST);
    return [{labels: shown, sequence: shown.map(() => 0)}];
  }
  const sizes = lengths.length > 0 ? lengths : [Math.min(labels.length, MOST)];
  const width = Math.max(window, ...sizes);
  let at = 0;
  const rows: Pick<Block, 'labels' | 'sequence'>[] = [];
  sizes.forEach((size, i) => {
    const own = Array.from({length: size}, (_, j) => labels[at + j] ?? `${at + j + 1}`);
    at += size;
    const last = rows.at(-1);
    if (kind === 'packed' && last && last.labels.length + size <= width) {
      last.labels.push(...own);
      last.sequence.push(...own.map(() => i));
    } else {
      rows.push({labels: own, sequence: own.map(() => i)});
    }
  });
  for (const {labels: own, sequence} of rows) {
    while (own.length < width) {
      const at = kind === 'left' ? 0 : own.length;
      own.splice(at, 0, FILLER);
      sequence.splice(at, 0, -1);
    }
  }
  return rows;
}

function compute(core: Core, state: MaskState): MaskResult {
  const {kind, window, mistake, empty} = state;
  const {world} = runtime;
  const blocks = layOut(state).map(({labels, sequence}): Block => {
    const found = labels.map((label, i) => (sequence[i] === -1 ? -1 : (world?.tokens.indexOf(label) ?? -1)));
    const x = matrix(found.map((index, i) => world?.embeddings[index] ?? Array<number>(world?.d_model ?? 1).fill(sequence[i] === -1 ? FILLER_VALUE : 0)));
    const [q, k, v] = (['W_Q', 'W_K', 'W_V'] as const).map((name) => (world ? core.product(x, matrix(world[name])) : x)) as [typeof x, typeof x, typeof x];
    const {scores} = core.attention(q, k, v, {scaled: true, mask: 'none'});
    const reach = kind === 'window' && window > 0 ? window : labels.length;
    const rules = {sequence, window: reach, insideSequence: kind === 'packed', paddingAsks: true, inverted: false};
    const rightMask = core.pastMask(rules);
    const mask = core.pastMask({
      ...rules, window: mistake === 'wide' ? reach + 1 : reach, insideSequence: kind === 'packed' && mistake !== 'cross',
      paddingAsks: mistake !== 'query', inverted: mistake === 'inverted',
    });
    const masking = mistake === 'zero' || mistake === 'after' || mistake === 'bfloat16' || mistake === 'float16' ? mistake : 'infinity';
    const trace = core.maskedWeights(scores, mask, {masking, emptyRow: empty});
    return {
      labels, sequence, known: found.some((index) => index >= 0), scores: rowsOf(scores),
      hidden: rowsOf(rightMask).map((row) => row.map((entry) => entry !== 0)),
      trace: {...trace, scores: rowsOf(trace.scores), weights: rowsOf(trace.weights)},
      output: rowsOf(core.product(trace.weights, v)),
    };
  });
  const sum = (of: (block: Block) => number) => blocks.reduce((total, block) => total + of(block), 0);
  return {
    blocks,
    cells: sum(({labels}) => labels.length),
    real: sum(({sequence}) => sequence.filter((s) => s >= 0).length),
    pairs: sum(({trace}) => trace.visible.reduce((total, count) => total + count, 0)),
    allPairs: sum(({labels}) => labels.length ** 2),
    emptyRows: sum(({trace}) => trace.visible.filter((count) => count === 0).length),
  };
}

/** The chosen row, and where its block is. */
function chosen({step}: MaskState, {blocks}: MaskResult): {block: Block; row: number} | null {
  let before = 0;
  for (const block of blocks) {
    if (step > before && step <= before + block.labels.length) return {block, row: step - before - 1};
    before += block.labels.length;
  }
  return null;
}

/** Weight where the right mask allows none. A filler that sees itself by convention is no leak. */
function leaks({trace, hidden}: Block, {empty}: MaskState, i: number, j: number): boolean {
  return (trace.weights[i]?.[j] ?? 0) > 0 && hidden[i]?.[j] === true && !(empty === 'self' && i === j);
}

/** Columns up to which a cell has room for its number on a phone. */
const FEW = 7;
const LEFT = 15;
const RIGHT = 25;
const TOP = 24;

function grid(block: Block, index: number, state: MaskState, first: number): TemplateResult {
  const {labels, sequence, trace} = block;
  const n = labels.length;
  const size = n > FEW ? 26 : 34;
  const width = (100 - LEFT - RIGHT) / n;
  const name = (x: number, y: number, i: number, anchor: 'middle' | 'end') => text(x, y, labels[i] ?? '', {anchor, size: 12, fill: sequence[i] === -1 ? 'ink-2' : 'ink'});
  const cell = (i: number, j: number): SVGTemplateResult => {
    const weight = trace.weights[i]?.[j] ?? 0;
    const leak = leaks(block, state, i, j);
    const lost = trace.defined[i] === false;
    const shown = weight > 0 || (!lost && block.hidden[i]?.[j] === false);
    const fill = leak || lost ? 'wrong' : 'weight';
    const said = lost ? '✗' : !shown ? '' : n > FEW ? (leak ? '✗' : '') : `${leak ? '✗' : ''}${fixed(100 * weight, leak ? 0 : 1)}`;
    return svg`<rect x="${LEFT + width * j}%" y=${TOP + size * i} width="${width}%" height=${size} stroke=${color('rule')}
        fill=${shown || lost ? color(fill) : `url(#masked-${index})`} fill-opacity=${shown ? (0.08 + 0.5 * weight).toFixed(3) : lost ? 0.12 : 0.5}/>
      ${said ? text(LEFT + width * (j + 0.5), TOP + size * i + size / 2 + 4, said, {anchor: 'middle', size: 11, fill: leak || lost ? 'wrong' : 'ink'}) : nothing}`;
  };
  return figure({height: TOP + size * n + 2, label: `${n}行${n}列的掩码和权重；数值见表格`}, svg`
    <defs>${hatch(`masked-${index}`, 'ink-2')}</defs>
    ${labels.map((_, j) => name(LEFT + width * (j + 0.5), 16, j, 'middle'))}
    ${text(100 - RIGHT + 10, 16, '可见', {anchor: 'end', fill: 'ink-2', size: 11})}${text(100, 16, '行和', {anchor: 'end', fill: 'ink-2', size: 11})}
    ${labels.map((_, i) => {
      const y = TOP + size * i;
      const base = y + size / 2 + 4;
      const none = trace.visible[i] === 0;
      const bad = !trace.defined[i] || Math.abs((trace.rowSums[i] ?? 0) - 1) > 1e-9;
      return svg`${name(LEFT - 2, base, i, 'end')}${labels.map((__, j) => cell(i, j))}
        ${text(100 - RIGHT + 10, base, `${none ? '✗' : ''}${trace.visible[i]}`, {anchor: 'end', fill: none ? 'wrong' : 'ink'})}
        ${text(100, base, trace.defined[i] ? `${bad ? '✗' : ''}${fixed(trace.rowSums[i] ?? 0, 3)}` : '✗无定义', {anchor: 'end', size: 12, fill: bad ? 'wrong' : 'ink-2'})}
        ${first + i + 1 === state.step ? svg`<rect x="${LEFT}%" y=${y + 1} width="${100 - LEFT - RIGHT}%" height=${size - 2} fill="none" stroke=${color('weight')} stroke-width="3"/>` : nothing}`;
    })}`);
}

/** One row, key by key: score, what enters softmax, weight. */
function detail(block: Block, row: number, state: MaskState): TemplateResult {
  const {labels, scores, trace} = block;
  const defined = trace.defined[row] === true;
  const line = 32;
  const right = (x: number, y: number, content: string, fill: 'ink' | 'ink-2' | 'score' | 'wrong') => text(x, y, content, {anchor: 'end', fill, size: 12});
  return figure({height: 40 + line * labels.length, label: `第${row + 1}行各个位置的分数和权重；数值见表格`}, svg`
    ${text(0, 30, `「${labels[row]}」看`, {fill: 'ink-2', size: 12})}${right(36, 30, '分数', 'ink-2')}${right(60, 30, '进softmax', 'ink-2')}${right(100, 30, '权重', 'ink-2')}
    ${labels.map((label, j) => {
      const y = 36 + line * j;
      const weight = trace.weights[row]?.[j] ?? 0;
      const entering = trace.scores[row]?.[j] ?? 0;
      const fill = !defined || leaks(block, state, row, j) ? 'wrong' : 'ink';
      return svg`${rule(0, 100, y)}${text(0, y + 21, label)}${right(36, y + 21, fixed(scores[row]?.[j] ?? 0, 2), 'score')}
        ${right(60, y + 21, !defined ? '无定义' : entering === -Infinity ? '−∞' : general(entering, 3), 'score')}
        <rect x="63%" y=${y + 9} width="${18 * weight}%" height="14" fill=${color(fill === 'wrong' ? fill : 'weight')}/>
        ${right(100, y + 21, `${fill === 'wrong' ? '✗ ' : ''}${!defined ? '' : weight === 0 ? '0' : percent(weight)}`, fill)}`;
    })}`);
}

function view(state: MaskState, result: MaskResult): TemplateResult {
  const at = chosen(state, result);
  let first = 0;
  const grids = result.blocks.map((block, i) => {
    const drawn = grid(block, i, state, first);
    first += block.labels.length;
    return drawn;
  });
  return html`<p class="reading">一行是一个在看的，一列是一个被看的。斜纹：遮住；格里的数：权重的百分数。</p>
    <div class=${grids.length > 1 ? 'charts' : 'one'}>${grids}</div>${at ? detail(at.block, at.row, state) : nothing}`;
}


function symptom(state: MaskState, result: MaskResult): string {
  const {blocks, emptyRows} = result;
  const traces = blocks.map(({trace}) => trace);
  const leaking = blocks.flatMap((block) => block.labels.flatMap((_, i) => block.labels.filter((__, j) => leaks(block, state, i, j)))).length;
  switch (state.mistake) {
    case 'zero': return `换成0不等于遮住：e⁰＝1，最糟的一行有${percent(Math.max(...traces.flatMap(({hiddenShares}) => hiddenShares)))}漏给了遮住的位置，行和却仍是1。`;
    case 'after': return `行和不再是1，最少的一行只剩${fixed(Math.min(...traces.flatMap(({rowSums}) => rowSums)), 3)}；遮住的词元还留在分母里。`;
    case 'bfloat16': return emptyRows > 0
      ? '什么也看不见的行，−10⁹把分数全淹没，成了平分，遮住的也混进来；别的行没有错。'
      : '每行都有可见的位置，遮住的权重恰好是0，看不出错。换到左补位再看。';
    case 'float16': return '−10⁹在float16里就是−∞，可见的位置上−∞×0无定义：没有一行还是数。';
    case 'inverted': return `该遮的反而看见，共${leaking}格。`;
    case 'query': return '补位的查询也遮掉，多出了空行。';
    case 'cross': return `忘了分句：${leaking}格看到了别的句子。`;
    case 'wide': return `条件写成i−j≤w，每行最多看见w＋1个：${leaking}格多看了。`;
    default: return '';
  }
}

function says(state: MaskState, result: MaskResult): string {
  const {cells, real, pairs, allPairs, emptyRows} = result;
  const at = chosen(state, result);
  const parts = [symptom(state, result)];
  if (at) {
    const {block, row} = at;
    const {visible, defined, rowSums} = block.trace;
    parts.push(`「${block.labels[row]}」一行看得见${integer(visible[row] ?? 0)}个位置，${defined[row] ? `行和${fixed(rowSums[row] ?? 0, 3)}` : '这一行无定义'}${
      block.known && defined[row] ? `，取回的输出是(${block.output[row]?.map((x) => fixed(x, 2)).join(', ')})` : ''}。`);
  } else {
    parts.push(`窗口里真词元${integer(real)}÷${integer(cells)}＝${percent(real / cells)}，可见的对${integer(pairs)}÷${integer(allPairs)}＝${percent(pairs / allPairs)}。`);
  }
  if (emptyRows > 0 && !['zero', 'after', 'bfloat16', 'float16'].includes(state.mistake)) {
    parts.push(`有${integer(emptyRows)}行什么也看不见，这里约定：${EMPTY.find(({id}) => id === state.empty)?.does}。`);
  }
  return parts.join('');
}

function table(state: MaskState, result: MaskResult): Table {
  const {blocks} = result;
  const n = Math.max(...blocks.map(({labels}) => labels.length));
  return {
    columns: ['行', ...Array.from({length: n}, (_, j) => `看第${j + 1}个`), '可见', '行和', '输出'],
    rows: blocks.flatMap((block, b) => block.labels.map((label, i) => {
      const {defined, weights, visible, rowSums} = block.trace;
      return [
        `${blocks.length > 1 ? `${b + 1}-` : ''}${i + 1} ${label}`,
        ...Array.from({length: n}, (_, j) => (defined[i] ? `${leaks(block, state, i, j) ? '✗ ' : ''}${percent(weights[i]?.[j] ?? 0)}` : '无定义')),
        integer(visible[i] ?? 0), defined[i] ? fixed(rowSums[i] ?? 0, 3) : '无定义',
        block.known && defined[i] ? `(${block.output[i]?.map((x) => fixed(x, 2)).join(', ')})` : '–',
      ];
    })),
  };
}

/**
 * Who may see whom, step by step, the right way and wrong ones.
 *
 * @attr kind tokens lengths window step mistake empty
 * @fires attn-change  detail: {state, result}
 */
export class AttnMask extends AttnWidget<MaskState, MaskResult> {
  static override readonly spec: Spec<MaskState, MaskResult> = {
    tag: 'attn-mask', title: '谁可以看谁', hint: '换一种写法，一行一行走：哪些格子该是斜纹，行和还是不是1？',
    schema, compute, view, says, table,
  };

  protected override controls(state: MaskState, {cells, emptyRows}: MaskResult): TemplateResult {
    const {kind, step} = state;
    const batch = kind !== 'causal' && kind !== 'window';
    const go = (label: string, to: number) => html`<button type="button" class="chip" ?disabled=${to < 0 || to > cells || to === step} @click=${() => this.change({step: to})}>${label}</button>`;
    const chips = (name: string, options: readonly {id: string; name: string}[], key: 'mistake' | 'empty') => html`<div class="row" role="group" aria-label=${name}><span>${name}</span>${options.map((option) => html`<button type="button" class="chip"
      aria-pressed=${option.id === state[key] ? 'true' : 'false'} @click=${() => this.change({[key]: option.id})}>${option.name}</button>`)}</div>`;
    return html`<fieldset class="tabs"><legend>掩码</legend>${KINDS.map((option) => html`<label>
        <input type="radio" name="kind" value=${option.kind} ?checked=${kind === option.kind} @change=${() => this.#take({
          kind: option.kind, step: 0, mistake: 'none',
          ...(option.kind === 'window' && state.window === 0 ? {window: 3} : {}),
        })}><span>${option.name}</span></label>`)}</fieldset>
      ${chips('写法', MISTAKES.filter(({kinds}) => kinds?.includes(kind) ?? true), 'mistake')}
      ${emptyRows > 0 ? chips('空行', EMPTY, 'empty') : nothing}
      <div class="dials">
        <span class="group" role="group" aria-label="逐行看">${go('上一行', step - 1)}${go('下一行', step + 1)}${go('全部', 0)}</span>
        ${kind === 'causal' ? nothing : numberBox(this, {key: 'window', label: batch ? '一行几格' : '看几个', value: state.window, min: 0, max: MOST, integer: true, set: (window) => this.change({window, step: 0})})}
        ${batch ? listBox(this, {key: 'lengths', label: '各句长度', values: state.lengths, read: schema.lengths.read, set: (lengths) => this.change({lengths, step: 0})}) : nothing}
      </div>`;
  }

  #take(patch: Partial<MaskState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
