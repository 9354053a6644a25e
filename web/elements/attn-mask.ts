// <attn-mask>: who may see whom: causal, padded, packed, with a window; and what goes wrong.

import {html, nothing, svg, type TemplateResult} from 'lit';
import {matrix, rowsOf, type Core, type EmptyRow, type MaskedRow, type Masking} from '../core.js';
import {fixed, general, percent} from '../shared/format.js';
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
  /** (T, T) as they enter softmax, and the weights */
  entering: number[][];
  weights: number[][];
  rows: MaskedRow[];
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

const MASKINGS: readonly Mistake[] = ['zero', 'after', 'bfloat16', 'float16'];

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
    const trace = core.maskedWeights(scores, mask, {masking: followsConvention(state) ? 'infinity' : (mistake as Masking), emptyRow: empty});
    return {
      labels, sequence, known: found.some((index) => index >= 0), scores: rowsOf(scores),
      hidden: rowsOf(rightMask).map((row) => row.map((entry) => entry !== 0)),
      entering: rowsOf(trace.scores), weights: rowsOf(trace.weights), rows: trace.rows,
      output: rowsOf(core.product(trace.weights, v)),
    };
  });
  const sum = (of: (block: Block) => number) => blocks.reduce((total, block) => total + of(block), 0);
  return {
    blocks,
    cells: sum(({labels}) => labels.length),
    real: sum(({sequence}) => sequence.filter((s) => s >= 0).length),
    pairs: sum(({rows}) => rows.reduce((total, {visible}) => total + visible, 0)),
    allPairs: sum(({labels}) => labels.length ** 2),
    emptyRows: sum(({rows}) => rows.filter(({visible}) => visible === 0).length),
  };
}

/** Only a mask of −∞ leaves a row without weights; the other ways give it some, or none. */
function followsConvention({mistake}: MaskState): boolean {
  return !MASKINGS.includes(mistake);
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
function leaks({weights, hidden}: Block, {empty}: MaskState, i: number, j: number): boolean {
  return (weights[i]?.[j] ?? 0) > 0 && hidden[i]?.[j] === true && !(empty === 'self' && i === j);
}

/** Columns up to which a cell has room for its number on a phone. */
const FEW = 7;
const LEFT = 15;
const RIGHT = 25;
const COUNT = 85;
const TOP = 24;

function grid(block: Block, index: number, state: MaskState, first: number): TemplateResult {
  const {labels, sequence, hidden, weights, rows} = block;
  const n = labels.length;
  const size = n > FEW ? 26 : 34;
  const width = (100 - LEFT - RIGHT) / n;
  const at = (j: number) => LEFT + width * (j + 0.5);
  const name = (x: number, y: number, i: number, anchor: 'middle' | 'end') => text(x, y, labels[i] ?? '', {anchor, size: 12, fill: sequence[i] === -1 ? 'ink-2' : 'ink'});
  const side = (x: number, y: number, content: string, fill: 'ink-2' | 'ink' | 'wrong') => text(x, y, content, {anchor: 'end', size: 12, fill});
  return figure({height: TOP + size * n + 2, label: `${n}行${n}列的掩码和权重；数值见表格`}, svg`
    <defs>${hatch(`masked-${index}`, 'ink-2')}</defs>
    ${labels.map((_, j) => name(at(j), 16, j, 'middle'))}${side(COUNT, 16, '可见', 'ink-2')}${side(100, 16, '行和', 'ink-2')}
    ${rows.map(({visible, defined, sum}, i) => {
      const y = TOP + size * i;
      const base = y + size / 2 + 4;
      const whole = defined && Math.abs(sum - 1) < 1e-9;
      return svg`${name(LEFT - 2, base, i, 'end')}${labels.map((_, j) => {
        const weight = weights[i]?.[j] ?? 0;
        const wrong = !defined || leaks(block, state, i, j);
        const shown = wrong || weight > 0 || hidden[i]?.[j] === false;
        return svg`<rect x="${LEFT + width * j}%" y=${y} width="${width}%" height=${size} stroke=${color('rule')}
            fill=${shown ? color(wrong ? 'wrong' : 'weight') : `url(#masked-${index})`} fill-opacity=${shown ? (0.08 + 0.5 * weight).toFixed(3) : 0.5}/>
          ${!shown || (n > FEW && !wrong) ? nothing : text(at(j), base, `${wrong ? '✗' : ''}${!defined || n > FEW ? '' : fixed(100 * weight, wrong ? 0 : 1)}`, {anchor: 'middle', size: 11, fill: wrong ? 'wrong' : 'ink'})}`;
      })}
        ${side(COUNT, base, visible === 0 ? '✗0' : String(visible), visible === 0 ? 'wrong' : 'ink')}
        ${side(100, base, !defined ? '✗无定义' : `${whole ? '' : '✗'}${fixed(sum, 3)}`, whole ? 'ink-2' : 'wrong')}
        ${first + i + 1 === state.step ? svg`<rect x="${LEFT}%" y=${y + 1} width="${100 - LEFT - RIGHT}%" height=${size - 2} fill="none" stroke=${color('weight')} stroke-width="3"/>` : nothing}`;
    })}`);
}

const LINE = 32;

/** One row, key by key: score, what enters softmax, weight. */
function detail(block: Block, row: number, state: MaskState): TemplateResult {
  const {labels, scores, entering, weights, rows} = block;
  const defined = rows[row]?.defined === true;
  const cells = (y: number, contents: readonly [string, string, string], fills: readonly ['ink-2' | 'score', 'ink-2' | 'ink' | 'wrong']) => contents.map((content, i) => text([36, 60, 100][i] ?? 0, y, content, {anchor: 'end', size: 12, fill: i === 2 ? fills[1] : fills[0]}));
  return figure({height: 40 + LINE * labels.length, label: `第${row + 1}行各个位置的分数和权重；数值见表格`}, svg`
    ${text(0, 30, `「${labels[row]}」看`, {fill: 'ink-2', size: 12})}${cells(30, ['分数', '进softmax', '权重'], ['ink-2', 'ink-2'])}
    ${labels.map((label, j) => {
      const y = 36 + LINE * j;
      const weight = weights[row]?.[j] ?? 0;
      const score = entering[row]?.[j] ?? 0;
      const wrong = !defined || leaks(block, state, row, j);
      return svg`${rule(0, 100, y)}${text(0, y + 21, label)}${cells(y + 21, [
        fixed(scores[row]?.[j] ?? 0, 2), !defined ? '无定义' : score === -Infinity ? '−∞' : general(score, 3),
        `${wrong ? '✗ ' : ''}${!defined ? '' : weight === 0 ? '0' : percent(weight)}`], ['score', wrong ? 'wrong' : 'ink'])}
        <rect x="63%" y=${y + 9} width="${18 * weight}%" height="14" fill=${color(wrong ? 'wrong' : 'weight')}/>`;
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
  const rows = blocks.flatMap((block) => block.rows);
  const leaking = blocks.flatMap((block) => block.rows.flatMap((_, i) => block.labels.filter((__, j) => leaks(block, state, i, j)))).length;
  switch (state.mistake) {
    case 'zero': return `换成0不等于遮住：e⁰＝1，最糟的一行有${percent(Math.max(...rows.map(({hiddenShare}) => hiddenShare)))}漏给了遮住的位置，行和却仍是1。`;
    case 'after': return `行和不再是1，最少的一行只剩${fixed(Math.min(...rows.map(({sum}) => sum)), 3)}；遮住的词元还留在分母里。`;
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

/** What row i fetches, where its tokens have vectors. */
function fetched({known, rows, output}: Block, i: number): string {
  return known && rows[i]?.defined ? `(${output[i]?.map((x) => fixed(x, 2)).join(', ')})` : '–';
}

function says(state: MaskState, result: MaskResult): string {
  const {cells, real, pairs, allPairs, emptyRows} = result;
  const at = chosen(state, result);
  const row = at?.block.rows[at.row];
  const convention = EMPTY.find(({id}) => id === state.empty)?.does;
  return symptom(state, result) + (at && row
    ? `「${at.block.labels[at.row]}」一行看得见${row.visible}个位置，${row.defined ? `行和${fixed(row.sum, 3)}` : '无定义'}${at.block.known && row.defined ? `，输出是${fetched(at.block, at.row)}` : ''}。`
    : `真词元${real}÷窗口的格子${cells}＝${percent(real / cells)}，可见的对${pairs}÷${allPairs}＝${percent(pairs / allPairs)}。`)
    + (emptyRows > 0 && followsConvention(state) ? `有${emptyRows}行什么也看不见，这里约定：${convention}。` : '');
}

function table(state: MaskState, {blocks}: MaskResult): Table {
  const n = blocks[0]?.labels.length ?? 0;
  return {
    columns: ['行', ...Array.from({length: n}, (_, j) => `看第${j + 1}个`), '可见', '行和', '输出'],
    rows: blocks.flatMap((block, b) => block.rows.map(({defined, visible, sum}, i) => [
      `${b + 1}-${i + 1} ${block.labels[i]}`,
      ...(block.weights[i] ?? []).map((weight, j) => (defined ? `${leaks(block, state, i, j) ? '✗ ' : ''}${percent(weight)}` : '无定义')),
      String(visible), defined ? fixed(sum, 3) : '无定义', fetched(block, i),
    ])),
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
      ${emptyRows > 0 && followsConvention(state) ? chips('空行', EMPTY, 'empty') : nothing}
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
