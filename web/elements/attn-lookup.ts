// <attn-lookup>: take the best entry, or a blend of all; only the blend answers when a score moves.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {Core, Matrix} from '../core.js';
import {equation, operand, sumOfProducts} from '../shared/equation.js';
import {fixed, general, percent} from '../shared/format.js';
import {listBox, slider} from '../shared/number-box.js';
import {
  along,
  color,
  figure,
  panel,
  path,
  rule,
  text,
  ticksBelow,
  type Point,
} from '../shared/plot.js';
import type {Resources} from '../shared/runtime.js';
import {numberField, numbersField, type Schema} from '../shared/schema.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface LookupState {
  /** 每一条的分数 */
  scores: readonly number[];
  /** 每一条的值，缺的当作0 */
  values: readonly number[];
  /** 推动第几条的分数，从1数 */
  moved: number;
}

interface Answer {
  score: number;
  hard: number;
  soft: number;
}

export interface LookupResult {
  values: number[];
  weights: number[];
  /** Index of the first highest score. */
  best: number;
  /** Entries that share the highest score. */
  ties: number;
  hard: number;
  soft: number;
  /** ∂ soft output / ∂ score, one an entry; that of the hard output is 0 wherever it exists. */
  gradient: number[];
  /** Index of the entry that moves. */
  moved: number;
  /** The outputs while its score moves past the others. */
  curve: Answer[];
}

const MOST = 8;
const NAMES = '甲乙丙丁戊己庚辛';
const LIMIT = {min: -1e6, max: 1e6};
/** How far the moved score goes to either side of the highest of the others. */
const REACH = 6;
const POINTS = 49;

const schema: Schema<LookupState> = {
  scores: numbersField([2, 1.5, -1], MOST, LIMIT),
  values: numbersField([10, 20, 0], MOST, LIMIT),
  moved: numberField(1, {min: 1, max: MOST, integer: true}),
};

function upright(values: readonly number[]): Matrix {
  return {data: Float64Array.from(values), rows: values.length, cols: 1};
}

/** A query of 1 against keys that are the scores: softmax(s)·v. */
function soft(
  core: Core,
  scores: readonly number[],
  values: readonly number[],
): {weights: number[]; output: number} {
  const {weights, output} = core.attention(upright([1]), upright(scores), upright(values), {
    scaled: false,
    mask: 'none',
  });
  return {weights: [...weights.data], output: output.data[0] ?? 0};
}

function bestOf(scores: readonly number[]): number {
  return scores.indexOf(Math.max(...scores));
}

function compute({core}: Resources, state: LookupState): LookupResult {
  const {scores} = state;
  const values = scores.map((_, i) => state.values[i] ?? 0);
  const {weights, output} = soft(core, scores, values);
  const moved = Math.min(state.moved, scores.length) - 1;
  const own = scores[moved] ?? 0;
  const others = scores.filter((_, i) => i !== moved);
  const middle = others.length > 0 ? Math.max(...others) : own;
  const lo = Math.min(middle - REACH, own - 1);
  const hi = Math.max(middle + REACH, own + 1);
  const curve = Array.from({length: POINTS}, (_, i): Answer => {
    const score = lo + ((hi - lo) * i) / (POINTS - 1);
    const row = scores.map((old, j) => (j === moved ? score : old));
    return {score, hard: values[bestOf(row)] ?? 0, soft: soft(core, row, values).output};
  });
  const best = bestOf(scores);
  return {
    values,
    weights,
    best,
    ties: scores.filter((score) => score === scores[best]).length,
    hard: values[best] ?? 0,
    soft: output,
    gradient: [...core.product(core.jacobian(weights).matrix, upright(values)).data],
    moved,
    curve,
  };
}

const ROW = 46;
const TOP = 30;

/** Two ways to weigh the same entries, and how each output answers to each score. */
function entries(
  {scores}: LookupState,
  {values, weights, best, hard, soft: blend, gradient}: LookupResult,
): TemplateResult {
  const bottom = TOP + ROW * scores.length;
  const bar = (x: number, y: number, share: number, label: string) =>
    panel(
      {x, y, width: 21, height: ROW},
      svg`${text(0, 17, label, {size: 12})}
    <rect x="0%" y="24" width="100%" height="12" fill=${color('weight-soft')}/><rect x="0%" y="24" width="${along(share, [0, 1])}%" height="12" fill=${color('weight')}/>`,
    );
  return figure(
    {height: bottom + 32, label: `硬查表取回${general(hard)}，软查表取回${general(blend)}`},
    svg`
    ${text(0, 18, '分数', {fill: 'score', size: 12})}${text(32, 18, '值', {fill: 'value', size: 12, anchor: 'end'})}
    ${text(36, 18, '硬查表', {weight: 600})}${text(61, 18, '软查表', {weight: 600})}${text(100, 18, '梯度', {anchor: 'end', weight: 600})}
    ${scores.map((score, i) => {
      const y = TOP + ROW * i;
      return svg`${rule(0, 100, y)}${text(0, y + 18, NAMES[i] ?? '')}${text(0, y + 36, general(score), {fill: 'score', size: 12})}
        ${text(32, y + 27, general(values[i] ?? 0), {fill: 'value', anchor: 'end'})}
        ${bar(36, y, i === best ? 1 : 0, i === best ? '全取' : '不取')}${bar(61, y, weights[i] ?? 0, percent(weights[i] ?? 0))}
        ${text(100, y + 18, '✗ 0', {anchor: 'end', size: 12, fill: 'wrong'})}${text(100, y + 36, `✓ ${slopeText(gradient[i] ?? 0)}`, {anchor: 'end', size: 12, fill: 'right'})}`;
    })}
    ${rule(0, 100, bottom)}${text(0, bottom + 22, '取回', {weight: 600})}${text(36, bottom + 22, general(hard), {fill: 'value', weight: 600})}${text(61, bottom + 22, general(blend), {fill: 'value', weight: 600})}`,
  );
}

/** What is only rounding is 0. */
function slopeText(slope: number): string {
  return Math.abs(slope) < 1e-12 ? '0' : general(slope, 3);
}

const HEIGHT = 150;
const LEFT = 13;

/** The outputs against the moved score: a step, and a slope. */
function course(
  {scores}: LookupState,
  {values, hard, soft: blend, gradient, moved, curve}: LookupResult,
): TemplateResult {
  const domain = [curve[0]?.score ?? 0, curve.at(-1)?.score ?? 1] as const;
  const range = [Math.min(...values), Math.max(...values)] as const;
  const own = scores[moved] ?? 0;
  const at = (score: number, output: number): Point => [
    along(score, domain),
    Math.round(HEIGHT - 10 - ((HEIGHT - 20) * along(output, range)) / 100),
  ];
  const switched = curve.findIndex(({hard: output}) => output !== curve[0]?.hard);
  const steps = switched < 0 ? [curve] : [curve.slice(0, switched), curve.slice(switched)];
  const flat = (part: readonly Answer[]): SVGTemplateResult => {
    const [first, last] = [part[0], part.at(-1)];
    return first && last
      ? path([at(first.score, first.hard), at(last.score, last.hard)], 'wrong', 'dashed')
      : svg``;
  };
  const dot = (output: number, token: 'wrong' | 'right') => {
    const [x, y] = at(own, output);
    return svg`<circle cx="${x}%" cy=${y} r="5.5" fill=${color(token)} stroke=${color('raised')} stroke-width="1.5"/>`;
  };
  const slope = gradient[moved] ?? 0;
  const near = (domain[1] - domain[0]) / 10;
  const ticks = [...new Set([domain[0], own, domain[1]])];
  return figure(
    {
      height: HEIGHT + 68,
      label: `输出随「${NAMES[moved]}」的分数怎样变：硬查表是一级台阶，软查表是一道坡`,
    },
    svg`
    ${text(0, 14, '✗ 硬查表：台阶', {fill: 'wrong', weight: 600})}${text(50, 14, '✓ 软查表：坡', {fill: 'right', weight: 600})}
    ${[...new Set(range)].map((value) => text(LEFT - 2, 26 + at(0, value)[1] + 4, general(value), {anchor: 'end', size: 11, fill: 'ink-2'}))}
    ${panel(
      {x: LEFT, y: 26, width: 100 - LEFT, height: HEIGHT},
      svg`
      ${[...new Set(range)].map((value) => rule(0, 100, at(0, value)[1]))}
      ${steps.map(flat)}${path(
        curve.map(({score, soft: output}) => at(score, output)),
        'right',
      )}
      ${path([at(own - near, blend - slope * near), at(own + near, blend + slope * near)], 'ink-2')}
      ${dot(hard, 'wrong')}${dot(blend, 'right')}
      ${ticksBelow(ticks, domain, HEIGHT, (tick) => general(tick, 3))}`,
    )}
    ${text(100, HEIGHT + 62, `「${NAMES[moved]}」的分数；灰线的斜率就是梯度`, {anchor: 'end', size: 12, fill: 'ink-2'})}`,
  );
}

function view(state: LookupState, result: LookupResult): TemplateResult {
  return html`<div class="charts">${entries(state, result)}${course(state, result)}</div>`;
}

function says(
  {scores}: LookupState,
  {best, ties, hard, soft: blend, gradient, moved}: LookupResult,
): string {
  if (scores.length === 1) return `只有一条，两种查法都取回${general(hard)}，分数怎么动也不变。`;
  const name = NAMES[moved];
  const taken =
    ties > 1
      ? `有${ties}条并列最高，硬查表只能随便挑一条，这里取最前面的「${NAMES[best]}」，得${general(hard)}；软查表给它们一样多，得${general(blend)}。`
      : `硬查表只认「${NAMES[best]}」，取回${general(hard)}；软查表每条都掺一点，得${general(blend)}。`;
  const slope = slopeText(gradient[moved] ?? 0);
  return (
    taken +
    (slope === '0'
      ? `推动「${name}」的分数，两边的输出都不动：软查表在这里也饱和了，或者大家的值本来就一样。`
      : `「${name}」的分数加一点点，软查表的输出跟着变它的${slope}倍，硬查表不动，学不到东西。`)
  );
}

function table(
  {scores}: LookupState,
  {values, weights, best, hard, soft: blend, gradient}: LookupResult,
): Table {
  return {
    columns: ['条目', '分数', '值', '硬查表的权重', '软查表的权重', '硬查表的梯度', '软查表的梯度'],
    rows: [
      ...scores.map((score, i) => [
        NAMES[i] ?? '',
        general(score),
        general(values[i] ?? 0),
        i === best ? '1' : '0',
        fixed(weights[i] ?? 0, 3),
        '0',
        slopeText(gradient[i] ?? 0),
      ]),
      ['取回', '', '', general(hard), general(blend), '', ''],
    ],
  };
}

/** w×(v−o)＝slope */
const pull = (weight: number, value: number, output: number, slope: string) =>
  equation(
    (decimals) => {
      const [w, v, o] = [weight, value, output].map((number) => operand(number, decimals));
      return {
        text: `${w!.text}×(${v!.text}−${o!.text})`,
        values: [w!.value * (v!.value - o!.value)],
      };
    },
    [slope],
    {decimals: 3},
  );

function steps(
  {scores}: LookupState,
  {values, weights, best, hard, soft: blend, gradient}: LookupResult,
): TemplateResult {
  return html`<ol class="steps">
    <li>
      硬查表：找最高分${general(scores[best] ?? 0)}，原样取回它的值${general(hard)}。别的分数动一点，取回的不变，导数是0；越过最高分时突然跳走，那里没有导数。
    </li>
    <li>
      软查表：分数做softmax，再按权重加：${sumOfProducts(
        scores.map((_, i) => [weights[i] ?? 0, values[i] ?? 0] as const),
        general(blend),
        3,
      )}。
    </li>
    <li>
      软查表的梯度：wⱼ(vⱼ−输出)。
      <ul>
        ${scores.map((_, i) => html`<li>${NAMES[i]}：${pull(weights[i] ?? 0, values[i] ?? 0, blend, slopeText(gradient[i] ?? 0))}</li>`)}
      </ul>
    </li>
  </ol>`;
}

/**
 * Hard lookup (argmax) against soft lookup (softmax), with what a gradient would see.
 *
 * @attr scores values moved
 * @fires attn-change  detail: {state, result}
 */
export class AttnLookup extends AttnWidget<LookupState, LookupResult> {
  static override readonly spec: Spec<LookupState, LookupResult> = {
    tag: 'attn-lookup',
    title: '硬查表与软查表',
    hint: '推动一个分数，越过最高分：哪一边的输出会跳，哪一边会慢慢变？',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: LookupState, {moved}: LookupResult): TemplateResult {
    const {scores, values} = state;
    return html`<div class="dials">
        ${listBox(this, {key: 'scores', label: '分数', values: scores, read: schema.scores.read, set: (next) => this.change({scores: next})})}
        ${listBox(this, {key: 'values', label: '值', values, read: schema.values.read, set: (next) => this.change({values: next})})}
      </div>
      ${
        scores.length > 1
          ? html`<fieldset class="tabs">
              <legend>推动哪一条</legend>
              ${scores.map(
                (_, i) =>
                  html`<label>
                    <input
                      type="radio"
                      name="moved"
                      value=${i + 1}
                      ?checked=${i === moved}
                      @change=${() => this.change({moved: i + 1})}
                    /><span>推${NAMES[i]}</span></label
                  >`,
              )}
            </fieldset>`
          : nothing
      }
      <div class="dials">
        ${slider(this, {
          key: 'own',
          label: `推动${NAMES[moved]}`,
          value: scores[moved] ?? 0,
          min: -10,
          max: 10,
          step: 0.1,
          by: 0.1,
          set: (value) =>
            this.change({scores: scores.map((old, i) => (i === moved ? value : old))}),
        })}
      </div>`;
  }
}
