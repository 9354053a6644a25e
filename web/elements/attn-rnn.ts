// <attn-rnn>: a state that is updated token by token, against the single step of attention.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {matrix} from '../core.js';
import {ticksBelow, ticksBeside} from '../shared/axis.js';
import {fixed, integer, percent, scientific} from '../shared/format.js';
import {slider} from '../shared/number-box.js';
import {
  along,
  color,
  figure,
  panel,
  path,
  rule,
  text,
  upright,
  type Point,
} from '../shared/plot.js';
import {diagonal, INTAKE, KEEP, WIDTH} from '../shared/recurrence.js';
import {type Need, type Resources} from '../shared/runtime.js';
import {numberField, type Schema} from '../shared/schema.js';
import {samplesRow, type Sample} from '../shared/samples.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface RnnState {
  /** 句子有几个词元 */
  length: number;
}

/** The share of the first token that remains after the t-th is read. */
export interface Left {
  t: number;
  /** KEEP^(t−1). */
  bound: number;
  /** The share measured in the small RNN; null beyond the steps that it runs. */
  measured: number | null;
}

export interface RnnResult {
  steps: number;
  updates: number;
  left: number;
  measured: number | null;
  /** Size of the state for each token of the sentence. */
  share: number;
  /** Multiply-adds of a layer, decimal strings: state times W_h at each step, and QKᵀ. */
  walked: string;
  scored: string;
  curve: Left[];
  /** The positions that the chain shows, with the remaining share; null for a gap. */
  cells: (Pick<Left, 't' | 'bound'> | null)[];
}

/** Beyond this many tokens the share is too small to measure. */
const WALKED = 4096;
const LONGEST = 1 << 20;
const POINTS = 60;

const schema: Schema<RnnState> = {
  length: numberField(50, {min: 1, max: LONGEST, integer: true}),
};

const MOST_CELLS = 8;

/** Positions to draw: all, or the first and the last few with a gap between. */
function shownOf(length: number): (number | null)[] {
  if (length <= MOST_CELLS) return Array.from({length}, (_, i) => i + 1);
  return [1, 2, 3, 4, null, length - 2, length - 1, length];
}

function compute({sequence, world}: Resources, {length}: RnnState): RnnResult {
  const {embeddings, d_model} = world;
  const tokens = Array.from(
    {length: Math.min(length, WALKED)},
    (_, t) => embeddings[t % embeddings.length] ?? [],
  );
  const {reach} = sequence.recurrence(matrix(tokens), {
    input: matrix(diagonal(d_model, INTAKE)),
    state: matrix(diagonal(d_model, KEEP)),
  });
  const measuredAt = (t: number) => reach[t - 1] ?? null;
  const times = [
    ...new Set(
      Array.from({length: POINTS}, (_, i) => 1 + Math.round(((length - 1) * i) / (POINTS - 1))),
    ),
  ];
  const boundAt = (t: number) => sequence.serialCost(t, KEEP).left;
  const curve = times.map((t) => ({t, bound: boundAt(t), measured: measuredAt(t)}));
  const cells = shownOf(length).map((t) => (t === null ? null : {t, bound: boundAt(t)}));
  const {steps, updates, left} = sequence.serialCost(length, KEEP);
  const [tall, wide] = [BigInt(length), BigInt(WIDTH)];
  return {
    steps,
    updates,
    left,
    measured: measuredAt(length),
    share: WIDTH / length,
    walked: String(tall * wide * wide),
    scored: String(tall * tall * wide),
    curve,
    cells,
  };
}

/** 57.3 %, 4.26×10⁻¹⁸⁸, or words for a value below the smallest double. */
function leftText(value: number): string {
  if (value === 0) return '小到记不下';
  return value < 1e-3 ? scientific(value, 1) : percent(value);
}

const CELL = 34;

function chain({length}: RnnState, {updates, left, cells}: RnnResult): TemplateResult {
  const slot = 100 / cells.length;
  const middle = (i: number) => slot * (i + 0.5);
  const frame = (i: number, y: number, fill: SVGTemplateResult) =>
    panel(
      {x: slot * (i + 0.2), y, width: slot * 0.6, height: CELL},
      svg`<rect x="0%" y="0" width="100%" height=${CELL} rx="4" fill=${color('raised')}
        stroke=${color('ink-2')}/>${fill}`,
    );
  const filled = (share: number) => {
    const height = Math.round(CELL * share * 10) / 10;
    return svg`<rect x="0%" y=${Math.round((CELL - height) * 10) / 10} width="100%" height=${height}
      fill=${color('weight')} fill-opacity="0.75"/>`;
  };
  const gap = (i: number, y: number) => text(middle(i), y + CELL / 2 + 5, '…', {anchor: 'middle'});
  const arrow = (i: number) =>
    svg`<line x1="${slot * (i - 0.2)}%" x2="${slot * (i + 0.2)}%" y1=${28 + CELL / 2}
      y2=${28 + CELL / 2} stroke=${color('wrong')} stroke-width="2"/>`;
  const top = 28 + CELL + 64;
  return figure(
    {
      height: top + CELL + 62,
      label: `RNN里第一个词元经过${integer(updates)}次改写，还剩${leftText(left)}；注意力里最后一个词元直接看到每一个`,
    },
    svg`
    ${text(0, 16, '✗ RNN：传话，越传越淡', {fill: 'wrong', weight: 600})}
    ${cells.map(
      (
        cell,
        i,
      ) => svg`${i > 0 ? arrow(i) : nothing}${cell ? frame(i, 28, filled(cell.bound)) : gap(i, 28)}
      ${
        cell
          ? text(middle(i), 28 + CELL + 16, integer(cell.t), {
              anchor: 'middle',
              size: 11,
              fill: 'ink-2',
            })
          : nothing
      }`,
    )}
    ${text(0, top - 12, '✓ 注意力：各在原处，一步直达', {fill: 'right', weight: 600})}
    ${cells.map((cell, i) =>
      cell === null
        ? gap(i, top)
        : svg`${path(
            [
              [middle(i), top + CELL],
              [middle(cells.length - 1), top + CELL + 40],
            ],
            'right',
          )}
      ${frame(
        i,
        top,
        svg`<rect x="0%" y="0" width="100%" height=${CELL} rx="4" fill=${color('weight')}
          fill-opacity="0.75"/>`,
      )}`,
    )}
    ${text(100, top + CELL + 58, `第${integer(length)}个来问`, {
      anchor: 'end',
      size: 12,
      fill: 'ink-2',
    })}`,
  );
}

const HEIGHT = 150;
const GUTTER = 13;
const TOP = 48;

/** The share of the first token against the step, on a scale of powers of ten. */
function course({length}: RnnState, {curve}: RnnResult): TemplateResult {
  const seen = curve
    .flatMap(({bound, measured}) => [bound, measured ?? 0])
    .filter((value) => value > 0);
  const lowest = Math.min(-1, Math.floor(Math.log10(Math.min(...seen))));
  const domain = [1, Math.max(length, 2)] as const;
  const at = (t: number, value: number): Point => [
    along(t, domain),
    Math.round((1000 * HEIGHT * Math.log10(value)) / lowest) / 1000,
  ];
  const line = (of: (left: Left) => number | null) =>
    curve.flatMap((left) => {
      const value = of(left);
      return value === null || value === 0 ? [] : [at(left.t, value)];
    });
  /** A power is a straight line on this scale; the measured line is dashed. */
  const ends = (points: Point[]) => points.filter((_, i) => i === 0 || i === points.length - 1);
  const power = (exponent: number) =>
    exponent === 0 ? '1' : scientific(10 ** exponent, 0).replace('1×', '');
  return figure(
    {height: HEIGHT + TOP + 46, label: '第一个词元还剩多少，随读过的词元数怎样变；纵轴是10的幂'},
    svg`
    ${text(0, 14, '首词元还剩多少', {weight: 600})}${text(100, 14, '✓ 注意力：始终是1', {
      fill: 'right',
      weight: 600,
      size: 12,
      anchor: 'end',
    })}
    ${text(100, 34, `✗ 上限${KEEP}ⁿ（虚线），量出来的（实线）`, {
      fill: 'wrong',
      weight: 600,
      size: 12,
      anchor: 'end',
    })}
    ${ticksBeside(
      [0, lowest],
      GUTTER - 2,
      (exponent) => TOP + (exponent === 0 ? 0 : HEIGHT),
      power,
    )}
    ${panel(
      {x: GUTTER, y: TOP, width: 100 - GUTTER, height: HEIGHT},
      svg`
      ${upright(0, 0, HEIGHT, 'ink-2')}${rule(0, 100, HEIGHT)}
      ${path([at(1, 1), at(domain[1], 1)], 'right')}
      ${path(ends(line(({bound}) => bound)), 'wrong', 'dashed')}${path(
        line(({measured}) => measured),
        'wrong',
      )}
      ${ticksBelow([...new Set([1, length])], domain, HEIGHT, integer)}`,
    )}
    ${text(100, HEIGHT + TOP + 40, '读到第几个词元', {anchor: 'end', size: 12, fill: 'ink-2'})}`,
  );
}

interface Knot {
  name: string;
  rnn: string;
  attention: string;
}

function knots(
  {length}: RnnState,
  {steps, updates, left, share, walked, scored}: RnnResult,
): Knot[] {
  return [
    {
      name: '容量：每词元几个数',
      rnn: share < 0.1 ? scientific(share, 1) : fixed(share, 1),
      attention: integer(WIDTH),
    },
    {
      name: '路径：首词元改写几次',
      rnn: `${integer(updates)}，剩${leftText(left)}`,
      attention: '0，原样',
    },
    {name: '并行：排队走几步', rnn: integer(steps), attention: '1'},
    {name: '乘加次数', rnn: integer(BigInt(walked)), attention: integer(BigInt(scored))},
    {name: '读完留下几个数', rnn: integer(WIDTH), attention: integer(length * WIDTH)},
  ];
}

function view(state: RnnState, result: RnnResult): TemplateResult {
  return html`<div class="charts">${chain(state, result)}${course(state, result)}</div>
    <div class="scroll" tabindex="0" role="group" aria-label="三个问题，两种办法">
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">都是${integer(WIDTH)}维</th>
            <th scope="col" class="raw">✗ RNN</th>
            <th scope="col" class="scaled">✓ 注意力</th>
          </tr>
        </thead>
        <tbody>
          ${knots(state, result).map(
            ({name, rnn, attention}) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td>${rnn}</td>
                <td>${attention}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function says({length}: RnnState, {steps, updates, left, share}: RnnResult): string {
  if (length === 1) return '只有一个词元，两种办法没有区别。';
  const each = share < 1 ? '不到1个' : `${fixed(share, 1)}个`;
  return (
    `${integer(length)}个词元：RNN要一个等一个走${integer(steps)}步，第一个词元到句末被改写${integer(updates)}次，` +
    `每次留下${percent(KEEP, 0)}，${left === 0 ? '最后小到双精度也记不下' : `最后剩${leftText(left)}`}；` +
    `${integer(WIDTH)}个数的状态，每个词元平均分到${each}数。注意力一步直达，各留各的。`
  );
}

function table(state: RnnState, result: RnnResult): Table {
  return {
    columns: ['量', 'RNN', '注意力'],
    rows: knots(state, result).map(({name, rnn, attention}) => [name, rnn, attention]),
  };
}

const COMPARED = `少不少，要看长度过没过${integer(WIDTH)}；要不要排队，才是分别。`;
const INPUTS = '输入是教学句的词向量，一遍遍重复。h_t要等h_(t−1)，谁也不能先算。';

function steps(
  {length}: RnnState,
  {updates, left, measured, walked, scored}: RnnResult,
): TemplateResult {
  const [tokens, width] = [integer(length), integer(WIDTH)];
  const products = `${tokens}×${tokens}×${width}＝${integer(BigInt(scored))}`;
  return html`<ol class="steps">
    <li>h_t＝tanh(x_t·W_x＋h_(t−1)·W_h)，这里W_h＝${KEEP}·I，W_x＝${INTAKE}·I，${INPUTS}</li>
    <li>
      第一个词元留下的，每步至多乘${KEEP}：${KEEP}的${integer(updates)}次方＝${leftText(left)}。tanh的导数还要再乘一个小于1的数${
        measured === null ? '' : `，量出来只剩${leftText(measured)}`
      }。
    </li>
    <li>
      乘加次数：RNN每步${width}×${width}，共${integer(BigInt(walked))}；QKᵀ是${products}。${COMPARED}
    </li>
  </ol>`;
}

const PRESETS: readonly Sample<RnnState>[] = [5, 50, WIDTH, 4096].map((length) => ({
  name: integer(length),
  patch: {length},
}));

/**
 * The serial walk of an RNN against attention: capacity, path, parallelism.
 *
 * @name RNN与注意力
 * @summary 一个接一个地传，前面的还剩多少；一步直达又怎样。
 * @attr length
 * @fires attn-change  detail: {state, result}
 */
export class AttnRnn extends AttnWidget<RnnState, RnnResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<RnnState, RnnResult> = {
    tag: 'attn-rnn',
    title: '一个接一个地读，与一步直达',
    hint: '把句子拉长，看第一个词元还剩多少，要排队走几步。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: RnnState): TemplateResult {
    return html`${samplesRow({
        label: '词元数',
        samples: PRESETS,
        state,
        take: (patch) => this.#take(patch),
      })}
      <div class="dials">
        ${slider(this, {
          key: 'length',
          label: '词元数T',
          value: state.length,
          min: 1,
          max: LONGEST,
          step: 0.01,
          by: 1,
          integer: true,
          toTrack: Math.log2,
          fromTrack: (track) => Math.round(2 ** track),
          set: (value) => this.change({length: value}),
        })}
      </div>`;
  }

  #take(patch: Partial<RnnState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
