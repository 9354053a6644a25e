// <attn-mask>: who may see whom: causal, padded, packed, with a window; and what goes wrong.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {matrix, rowsOf, type EmptyRow, type MaskedRow, type Masking} from '../core.js';
import {fixed, percent, scientific} from '../shared/format.js';
import {normalise} from '../shared/input.js';
import {listBox, numberBox} from '../shared/number-box.js';
import {color, figure, hatch, rule, text, type Token} from '../shared/plot.js';
import {type Resources} from '../shared/runtime.js';
import {choiceField, numberField, numbersField, textsField, type Schema} from '../shared/schema.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

type Kind = 'causal' | 'window' | 'right' | 'left' | 'packed';
type Mistake =
  'none' | 'open' | Exclude<Masking, 'infinity'> | 'inverted' | 'query' | 'cross' | 'wide';

export interface MaskState {
  /** 哪一种掩码 */
  kind: Kind;
  /** 空着就是教学句；教学句里的词有向量，别的词一律记0分 */
  tokens: readonly string[];
  /** 各个序列的长度；空着就是一个序列 */
  lengths: readonly number[];
  /** 滑动窗口看几个；补位和打包时，一行放几格。0：看全部，或按最长的 */
  window: number;
  /** 从1数起的行，0是全部 */
  step: number;
  /** 故意犯哪一种错；none是不犯 */
  mistake: Mistake;
  /** 什么也看不见的行怎么办 */
  empty: EmptyRow;
}

export interface Cell {
  /** q·k ÷ √d_k */
  score: number;
  /** What softmax gets; null is −∞. */
  entering: number | null;
  weight: number;
  /** By the right mask. */
  hidden: boolean;
  /** Weight where there should be none. */
  leak: boolean;
}

export interface Row extends MaskedRow {
  label: string;
  filler: boolean;
  cells: Cell[];
  /** What the row fetches; null where no token of the sentence has vectors. */
  output: number[] | null;
}

export interface MaskResult {
  /** Sequences side by side; the rows of one attend to one another. */
  blocks: Row[][];
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
  {id: 'open', name: '✗ 不遮'},
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
  kind: choiceField<Kind>(
    'causal',
    KINDS.map(({kind}) => kind),
  ),
  tokens: textsField([], 4 * MOST),
  lengths: lengthsField(),
  window: numberField(0, {min: 0, max: MOST, integer: true}),
  step: numberField(0, {min: 0, max: 4 * MOST, integer: true}),
  mistake: choiceField<Mistake>(
    'none',
    MISTAKES.map(({id}) => id),
  ),
  empty: choiceField<EmptyRow>(
    'zero',
    EMPTY.map(({id}) => id),
  ),
};

function lengthsField(): Schema<MaskState>['lengths'] {
  const field = numbersField([], 4, {min: 1, max: MOST, integer: true});
  return {...field, read: (given) => (normalise(given) === '' ? [] : field.read(given))};
}

/** Sequences as rows of cells: one a row, or several packed into one. A filler's number is −1. */
function layOut(
  {kind, tokens, lengths, window}: MaskState,
  sentence: readonly string[],
): {labels: string[]; sequence: number[]}[] {
  const labels = tokens.length > 0 ? tokens : sentence;
  const batch = kind !== 'causal' && kind !== 'window';
  const sizes = batch && lengths.length > 0 ? lengths : [Math.min(labels.length, MOST)];
  const width = Math.max(batch ? window : 0, ...sizes);
  const rows: {labels: string[]; sequence: number[]}[] = [];
  let at = 0;
  sizes.forEach((size, i) => {
    let row = rows.at(-1);
    if (!row || kind !== 'packed' || row.labels.length + size > width)
      rows.push((row = {labels: [], sequence: []}));
    for (let j = 0; j < size; j++, at++) {
      row.labels.push(labels[at] ?? `${at + 1}`);
      row.sequence.push(i);
    }
  });
  for (const row of rows) {
    while (row.labels.length < width) {
      const end = kind === 'left' ? 0 : row.labels.length;
      row.labels.splice(end, 0, FILLER);
      row.sequence.splice(end, 0, -1);
    }
  }
  return rows;
}

function compute({core, world}: Resources, state: MaskState): MaskResult {
  const {kind, window, mistake, empty} = state;
  const blocks = layOut(state, world.tokens).map(({labels, sequence}) => {
    const found = labels.map((label, i) => (sequence[i] === -1 ? -1 : world.tokens.indexOf(label)));
    const x = matrix(
      found.map(
        (index, i) =>
          world.embeddings[index] ??
          Array<number>(world.d_model).fill(sequence[i] === -1 ? FILLER_VALUE : 0),
      ),
    );
    const project = (name: 'W_Q' | 'W_K' | 'W_V') => core.product(x, matrix(world[name]));
    const v = project('W_V');
    const {scores} = core.attention(project('W_Q'), project('W_K'), v, {
      scaled: true,
      mask: 'none',
    });
    const reach = kind === 'window' && window > 0 ? window : labels.length;
    const rules = {
      sequence,
      window: reach,
      insideSequence: kind === 'packed',
      paddingAsks: true,
      inverted: false,
    };
    const right = rowsOf(core.pastMask(rules));
    const mask =
      mistake === 'open'
        ? matrix(right.map((row) => row.map(() => 0)))
        : core.pastMask({
            ...rules,
            window: mistake === 'wide' ? reach + 1 : reach,
            insideSequence: kind === 'packed' && mistake !== 'cross',
            paddingAsks: mistake !== 'query',
            inverted: mistake === 'inverted',
          });
    const trace = core.maskedWeights(scores, mask, {
      masking: isMasking(mistake) ? mistake : 'infinity',
      emptyRow: empty,
    });
    const [before, entering, weights, outputs] = [
      scores,
      trace.scores,
      trace.weights,
      core.product(trace.weights, v),
    ].map(rowsOf);
    return trace.rows.map((row, i): Row => ({
      ...row,
      label: labels[i] ?? '',
      filler: sequence[i] === -1,
      output: row.defined && found.some((index) => index >= 0) ? (outputs?.[i] ?? null) : null,
      cells: labels.map((_, j) => {
        const weight = weights?.[i]?.[j] ?? 0;
        const enters = entering?.[i]?.[j] ?? 0;
        const hidden = right[i]?.[j] !== 0;
        // A row that sees itself by convention leaks nothing.
        const leak = weight > 0 && hidden && !(empty === 'self' && i === j);
        return {
          score: before?.[i]?.[j] ?? 0,
          entering: enters === -Infinity ? null : enters,
          weight,
          hidden,
          leak,
        };
      }),
    }));
  });
  const rows = blocks.flat();
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    blocks,
    cells: rows.length,
    real: sum(({filler}) => (filler ? 0 : 1)),
    pairs: sum(({visible}) => visible),
    allPairs: sum(({cells}) => cells.length),
    emptyRows: sum(({visible}) => (visible === 0 ? 1 : 0)),
  };
}

/** The other mistakes are in the mask itself. */
function isMasking(mistake: Mistake): mistake is Masking & Mistake {
  return ['zero', 'after', 'bfloat16', 'float16'].includes(mistake);
}

/** Columns up to which a cell has room for its number on a phone. */
const FEW = 7;
const LEFT = 15;
const COUNT = 84;
const WIDTH = 60;
const TOP = 24;
const LINE = 32;

function end(x: number, y: number, content: string, fill: Token): SVGTemplateResult {
  return text(x, y, content, {anchor: 'end', size: 12, fill});
}

function grid(rows: readonly Row[], hatched: string, chosen: Row | undefined): TemplateResult {
  const n = rows.length;
  const size = n > FEW ? 26 : 34;
  const width = WIDTH / n;
  return figure(
    {height: TOP + size * n + 2, label: `${n}行${n}列的掩码和权重；数值见表格`},
    svg`
    <defs>${hatch(hatched, 'ink-2')}</defs>
    ${rows.map(({label, filler}, j) => text(LEFT + width * (j + 0.5), 16, label, {anchor: 'middle', size: 12, fill: filler ? 'ink-2' : 'ink'}))}
    ${end(COUNT, 16, '可见', 'ink-2')}${end(100, 16, '行和', 'ink-2')}
    ${rows.map((row, i) => {
      const {label, filler, visible, defined, sum, cells} = row;
      const y = TOP + size * i;
      const base = y + size / 2 + 4;
      const whole = defined && Math.abs(sum - 1) < 1e-9;
      return svg`${end(LEFT - 2, base, label, filler ? 'ink-2' : 'ink')}${cells.map(
        ({weight, hidden, leak}, j) => {
          const wrong = !defined || leak;
          const shown = wrong || weight > 0 || !hidden;
          return svg`<rect x="${LEFT + width * j}%" y=${y} width="${width}%" height=${size} stroke=${color('rule')}
            fill=${shown ? color(wrong ? 'wrong' : 'weight') : `url(#${hatched})`} fill-opacity=${shown ? (0.08 + 0.5 * weight).toFixed(3) : 0.5}/>
          ${!shown || (n > FEW && !wrong) ? nothing : text(LEFT + width * (j + 0.5), base, `${wrong ? '✗' : ''}${!defined || n > FEW ? '' : fixed(100 * weight, wrong || weight === 1 ? 0 : 1)}`, {anchor: 'middle', size: 11, fill: wrong ? 'wrong' : 'ink'})}`;
        },
      )}
        ${end(COUNT, base, visible === 0 ? '✗0' : String(visible), visible === 0 ? 'wrong' : 'ink')}
        ${end(100, base, `${whole || !defined ? '' : '✗'}${sumText(row)}`, whole ? 'ink-2' : 'wrong')}
        ${row === chosen ? svg`<rect x="${LEFT}%" y=${y + 1} width="${WIDTH}%" height=${size - 2} fill="none" stroke=${color('weight')} stroke-width="3"/>` : nothing}`;
    })}`,
  );
}

function sumText({defined, sum}: Row): string {
  return defined ? fixed(sum, 3) : '无定义';
}

/** One row, key by key: score, what enters softmax, weight. */
function detail({label, defined, cells}: Row, labels: readonly string[]): TemplateResult {
  return figure(
    {height: 40 + LINE * cells.length, label: `「${label}」一行各个位置的分数和权重；数值见表格`},
    svg`
    ${text(0, 30, `「${label}」看`, {fill: 'ink-2', size: 12})}${end(36, 30, '分数', 'ink-2')}${end(60, 30, '进softmax', 'ink-2')}${end(100, 30, '权重', 'ink-2')}
    ${cells.map(({score, entering, weight, leak}, j) => {
      const y = 36 + LINE * j;
      const wrong = !defined || leak;
      return svg`${rule(0, 100, y)}${text(0, y + 21, labels[j] ?? '')}${end(36, y + 21, fixed(score, 2), 'score')}
        ${end(60, y + 21, !defined ? '无定义' : entering === null ? '−∞' : Math.abs(entering) < 1e6 ? fixed(entering, 2) : scientific(entering), 'score')}
        <rect x="63%" y=${y + 9} width="${18 * weight}%" height="14" fill=${color(wrong ? 'wrong' : 'weight')}/>
        ${end(100, y + 21, `${wrong ? '✗ ' : ''}${!defined ? '' : weight === 0 ? '0' : percent(weight)}`, wrong ? 'wrong' : 'ink')}`;
    })}`,
  );
}

/** The row that a step looks at; none at 0. */
function chosenRow({step}: MaskState, {blocks}: MaskResult): Row | undefined {
  return blocks.flat()[step - 1];
}

function view(state: MaskState, result: MaskResult): TemplateResult {
  const row = chosenRow(state, result);
  const block = result.blocks.find((rows) => row && rows.includes(row));
  return html`<p class="reading">
      一行是一个在看的，一列是一个被看的。斜纹：遮住；格里的数：权重的百分数。
    </p>
    <div class=${result.blocks.length > 1 ? 'charts' : 'one'}>
      ${result.blocks.map((rows, i) => grid(rows, `hidden-${i}`, row))}
    </div>
    ${
      row && block
        ? detail(
            row,
            block.map(({label}) => label),
          )
        : nothing
    }`;
}

function symptom({mistake}: MaskState, {blocks, emptyRows}: MaskResult): string {
  const rows = blocks.flat();
  const leaking = rows.flatMap(({cells}) => cells.filter(({leak}) => leak)).length;
  const worst = percent(
    Math.max(
      ...rows.map(({cells}) => cells.reduce((sum, {leak, weight}) => sum + (leak ? weight : 0), 0)),
    ),
  );
  switch (mistake) {
    case 'open':
      return `什么也不遮：${leaking}格看到了不该看的，最糟的一行漏掉${worst}，行和却都是1。`;
    case 'zero':
      return `换成0不等于遮住：e⁰＝1，最糟的一行漏掉${worst}，行和却仍是1。`;
    case 'after':
      return `行和不再是1，最少的一行只剩${fixed(Math.min(...rows.map(({sum}) => sum)), 3)}；遮住的词元还留在分母里。`;
    case 'bfloat16':
      return emptyRows > 0
        ? '什么也看不见的行，−10⁹把分数全淹没，成了平分，遮住的也混进来；别的行没有错。'
        : '每行都有可见的位置，遮住的权重恰好是0，看不出错。换到左补位再看。';
    case 'float16':
      return '−10⁹在float16里就是−∞，可见的位置上−∞×0无定义：没有一行还是数。';
    case 'inverted':
      return `该遮的反而看见，共${leaking}格。`;
    case 'query':
      return '补位的查询也遮掉，多出了空行。';
    case 'cross':
      return `忘了分句：${leaking}格看到了别的句子。`;
    case 'wide':
      return `条件写成i−j≤w，每行最多看见w＋1个：${leaking}格多看了。`;
    default:
      return '';
  }
}

function outputText({output}: Row): string {
  return output ? `(${output.map((x) => fixed(x, 2)).join(', ')})` : '–';
}

function says(state: MaskState, result: MaskResult): string {
  const {cells, real, pairs, allPairs, emptyRows} = result;
  const row = chosenRow(state, result);
  const convention = EMPTY.find(({id}) => id === state.empty)?.does;
  return (
    symptom(state, result) +
    (row
      ? `「${row.label}」一行看得见${row.visible}个位置，行和${sumText(row)}${row.output ? `，输出是${outputText(row)}` : ''}。`
      : `真词元${real}÷全部格子${cells}＝${percent(real / cells)}，可见的对${pairs}÷${allPairs}＝${percent(pairs / allPairs)}。`) +
    (emptyRows > 0 && !isMasking(state.mistake)
      ? `有${emptyRows}行什么也看不见，这里约定：${convention}。`
      : '')
  );
}

function table(_state: MaskState, {blocks}: MaskResult): Table {
  return {
    columns: ['行', ...(blocks[0] ?? []).map((_, j) => `看第${j + 1}个`), '可见', '行和', '输出'],
    rows: blocks.flatMap((rows, b) =>
      rows.map((row, i) => [
        `${b + 1}-${i + 1} ${row.label}`,
        ...row.cells.map(({weight, leak}) =>
          row.defined ? `${leak ? '✗ ' : ''}${percent(weight)}` : '无定义',
        ),
        String(row.visible),
        sumText(row),
        outputText(row),
      ]),
    ),
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
    tag: 'attn-mask',
    title: '谁可以看谁',
    hint: '换一种写法，一行一行走：哪些格子该是斜纹，行和还是不是1？',
    schema,
    compute,
    view,
    says,
    table,
  };

  protected override controls(state: MaskState, {cells, emptyRows}: MaskResult): TemplateResult {
    const {kind, step} = state;
    const batch = kind !== 'causal' && kind !== 'window';
    const go = (label: string, to: number) =>
      html`<button
        type="button"
        class="chip"
        ?disabled=${to < 0 || to > cells || to === step}
        @click=${() => this.change({step: to})}
      >
        ${label}
      </button>`;
    const chips = (
      name: string,
      options: readonly {id: string; name: string}[],
      key: 'mistake' | 'empty',
    ) =>
      html`<div class="row" role="group" aria-label=${name}>
        <span>${name}</span>${options.map(
          (option) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${option.id === state[key] ? 'true' : 'false'}
              @click=${() => this.change({[key]: option.id})}
            >
              ${option.name}
            </button>`,
        )}
      </div>`;
    return html`<fieldset class="tabs">
        <legend>掩码</legend>
        ${KINDS.map(
          (option) =>
            html`<label>
              <input
                type="radio"
                name="kind"
                value=${option.kind}
                ?checked=${kind === option.kind}
                @change=${() =>
                  this.#take({
                    kind: option.kind,
                    step: 0,
                    mistake: 'none',
                    ...(option.kind === 'window' && state.window === 0 ? {window: 3} : {}),
                  })}
              /><span>${option.name}</span></label
            >`,
        )}
      </fieldset>
      ${chips(
        '写法',
        MISTAKES.filter(({kinds}) => kinds?.includes(kind) ?? true),
        'mistake',
      )}
      ${emptyRows > 0 && !isMasking(state.mistake) ? chips('空行', EMPTY, 'empty') : nothing}
      <div class="dials">
        <span class="group" role="group" aria-label="逐行看"
          >${go('上一行', step - 1)}${go('下一行', step + 1)}${go('全部', 0)}</span
        >
        ${kind === 'causal' ? nothing : numberBox(this, {key: 'window', label: batch ? '一行几格（0：按最长）' : '看几个（0：全部）', value: state.window, min: 0, max: MOST, integer: true, set: (window) => this.change({window, step: 0})})}
        ${batch ? listBox(this, {key: 'lengths', label: '各句长度', values: state.lengths, read: schema.lengths.read, set: (lengths) => this.change({lengths, step: 0})}) : nothing}
      </div>`;
  }

  #take(patch: Partial<MaskState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
