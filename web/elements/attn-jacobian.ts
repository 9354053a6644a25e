// <attn-jacobian>: how each weight answers when a score moves a little.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {rowsOf, valuesOf, type Core} from '../core.js';
import {equation, operand, sumOfProducts} from '../shared/equation.js';
import {fixed, general, percent, scientific} from '../shared/format.js';
import {InputError, normalise} from '../shared/input.js';
import {listBox, numberBox} from '../shared/number-box.js';
import {along, color, figure, hatch, text, upright} from '../shared/plot.js';
import {type Resources} from '../shared/runtime.js';
import {numbersField, sampleList, type Field, type Schema} from '../shared/schema.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

export interface JacobianState {
  /** 一行权重，加起来是1；scores空着时用它 */
  probabilities: readonly number[];
  /** 一行分数；空着就按probabilities */
  scores: readonly number[];
}

export interface JacobianResult {
  weights: number[];
  /** (n, n) ∂w_i/∂s_j */
  matrix: number[][];
  rowSums: number[];
  norm: number;
  /** Of n equal weights. */
  evenNorm: number;
  /** Of two weights of ½, the largest there is. */
  tieNorm: number;
}

const MOST = 8;
const LEAST = 2;
const SUM_TOLERANCE = 1e-6;
/** Far enough below 0 for a weight of exactly 0. */
const SHUT = -1000;

function probabilitiesField(): Field<readonly number[]> {
  const field = numbersField([0.9999, 0.00005, 0.00005], MOST, {min: 0, max: 1});
  return {
    ...field,
    read: (text) => {
      const values = field.read(text);
      const sum = values.reduce((total, value) => total + value, 0);
      if (Math.abs(sum - 1) > SUM_TOLERANCE)
        throw new InputError(
          'not-a-distribution',
          `加起来要等于1，这里是${general(sum, 8)}，图仍是上一次的。`,
        );
      return values;
    },
    about: import.meta.env.SSR
      ? {
          takes: `至多${MOST}个数，加起来是1`,
          sample: (random) => {
            const parts = sampleList(random, MOST, () => random() + 1e-3);
            const sum = parts.reduce((total, part) => total + part, 0);
            return parts.map((part) => part / sum);
          },
        }
      : undefined,
  };
}

/** Empty while the weights are given themselves. */
function scoresField(): Field<readonly number[]> {
  const field = numbersField([], MOST, {min: -1e6, max: 1e6});
  return {...field, read: (text) => (normalise(text) === '' ? [] : field.read(text))};
}

const schema: Schema<JacobianState> = {probabilities: probabilitiesField(), scores: scoresField()};

const even = (n: number) => Array.from({length: n}, () => 1 / n);
const tie = (n: number) => Array.from({length: n}, (_, i) => (i < 2 ? 0.5 : 0));

const PRESETS: readonly {name: string; of: (n: number) => number[]}[] = [
  {name: '平分', of: even},
  {name: '两强各半', of: tie},
  {
    name: '0.9999与其余',
    of: (n) =>
      Array.from({length: n}, (_, i) =>
        i === 0 ? 0.9999 : Number((0.0001 / (n - 1)).toPrecision(8)),
      ),
  },
  {name: '一个独占', of: (n) => Array.from({length: n}, (_, i) => (i === 0 ? 1 : 0))},
];

function compute({core}: Resources, {probabilities, scores}: JacobianState): JacobianResult {
  const weights = scores.length > 0 ? valuesOf(core.weigh(scores).weights) : [...probabilities];
  const {matrix, rowSums, norm} = core.jacobian(weights);
  const n = weights.length;
  return {
    weights,
    matrix: rowsOf(matrix),
    rowSums,
    norm,
    evenNorm: core.jacobian(even(n)).norm,
    tieNorm: core.jacobian(tie(Math.max(n, LEAST))).norm,
  };
}

const SUBSCRIPTS = '₁₂₃₄₅₆₇₈';
const weightName = (i: number) => `w${SUBSCRIPTS[i]}`;
const scoreName = (j: number) => `s${SUBSCRIPTS[j]}`;

interface Unit {
  /** Of the matrix, in size. */
  largest: number;
  exponent: number;
  name: string;
}

/** Small matrices get a common power of ten, so that cells stay short and comparable. */
function unitOf(matrix: readonly (readonly number[])[]): Unit {
  const largest = Math.max(...matrix.flat().map(Math.abs));
  if (largest === 0 || largest >= 0.01) return {largest, exponent: 0, name: ''};
  const exponent = Number(largest.toExponential().split('e')[1]);
  return {largest, exponent, name: scientific(10 ** exponent).replace(/^.*×/, '×')};
}

function cellText(value: number, exponent: number): string {
  if (value === 0) return '0';
  const shown = fixed(value / 10 ** exponent, 3);
  return /[1-9]/.test(shown) ? shown : '≈0';
}

/** More digits where general() has two. */
function small(value: number): string {
  return value !== 0 && Math.abs(value) < 1e-4 ? scientific(value, 3) : general(value);
}

/** Sums that are 0 but for rounding. */
function sumText(sum: number): string {
  return Math.abs(sum) < 1e-12 ? '0' : general(sum);
}

const RIGHT = 12;
const TOP = 26;
const ROW = 44;
/** More columns than this need more room than a phone has. */
const FEW = 5;

/** Positive cells are filled and negative ones hatched, the deeper the larger; each says its number. */
function heatMap(
  {weights, matrix, rowSums}: JacobianResult,
  {largest, exponent, name}: Unit,
): SVGTemplateResult {
  const left = weights.length > FEW ? 15 : 24;
  const width = (100 - left - RIGHT) / weights.length;
  const size = weights.length < FEW ? 13 : 11;
  return svg`<defs>${hatch('minus', 'score')}</defs>
    ${text(left - 2, 16, name, {anchor: 'end', weight: 600})}
    ${weights.map((_, j) => text(left + width * (j + 0.5), 16, scoreName(j), {anchor: 'middle', fill: 'score'}))}
    ${text(100 - RIGHT / 2, 16, '行和', {anchor: 'middle', fill: 'ink-2', size: 12})}
    ${matrix.map((row, i) => {
      const y = TOP + ROW * i;
      return svg`${text(left - 2, y + 19, weightName(i), {anchor: 'end', fill: 'weight'})}${text(left - 2, y + 35, general(weights[i] ?? 0), {anchor: 'end', size: 11, fill: 'ink-2'})}
        ${row.map(
          (
            value,
            j,
          ) => svg`<rect x="${left + width * j}%" y=${y} width="${width}%" height=${ROW} stroke=${color('rule')} fill=${value === 0 ? 'none' : value > 0 ? color('weight') : 'url(#minus)'}
          fill-opacity=${value === 0 ? 1 : (0.1 + (0.35 * Math.abs(value)) / largest).toFixed(3)}/>
          ${text(left + width * (j + 0.5), y + ROW / 2 + 5, cellText(value, exponent), {anchor: 'middle', size, halo: value < 0})}`,
        )}
        ${text(100 - RIGHT / 2, y + ROW / 2 + 5, sumText(rowSums[i] ?? 0), {anchor: 'middle', fill: 'ink-2'})}`;
    })}`;
}

/** Where ‖J‖ lies between 0 and the largest there is. */
function gauge({weights, norm, evenNorm, tieNorm}: JacobianResult): TemplateResult {
  const domain = [0, tieNorm] as const;
  const even = along(evenNorm, domain);
  return figure(
    {height: 66, label: '‖J‖在0和上限之间的位置'},
    svg`
    ${text(0, 20, `‖J‖＝${general(norm, 3)}`, {weight: 600})}
    <rect x="0%" width="100%" y="28" height="14" fill=${color('weight-soft')}/>
    <rect x="0%" width="${along(norm, domain)}%" y="28" height="14" fill=${color('weight')}/>
    ${weights.length > LEAST ? svg`${text(even, 20, `平分${fixed(evenNorm, 3)}▾`, {anchor: 'end', fill: 'ink-2', size: 12})}${upright(even, 24, 46, 'ink-2')}` : nothing}
    ${text(0, 60, '0', {fill: 'ink-2', size: 12})}
    ${text(100, 60, `上限${fixed(tieNorm, 1)}：两强各半`, {anchor: 'end', fill: 'ink-2', size: 12})}`,
  );
}

function view(_state: JacobianState, result: JacobianResult): TemplateResult {
  const n = result.weights.length;
  const broad = n > FEW;
  return html`<p class="reading">
      第i行第j列：第j个分数加一点点，第i个权重跟着变它的多少倍。实底为正，斜纹为负。
    </p>
    <div
      class=${broad ? 'sideways broad' : 'sideways'}
      tabindex=${broad ? '0' : nothing}
      role="group"
      aria-label="雅可比矩阵"
    >
      ${figure(
        {height: TOP + ROW * n + 2, label: '雅可比矩阵，各格数值见表格'},
        heatMap(result, unitOf(result.matrix)),
      )}
    </div>
    ${gauge(result)}`;
}

function says(
  _state: JacobianState,
  {weights, matrix, norm, evenNorm, tieNorm}: JacobianResult,
): string {
  const n = weights.length;
  if (norm === 0)
    return n === 1
      ? '只有一个权重，它总是1，分数怎么动都不变。'
      : '一个权重独占，整个矩阵都是0：分数怎么动，权重都纹丝不动，梯度到这里就断了。';
  const of = (i: number) => matrix[i]?.[i] ?? 0;
  const i = weights.reduce((best, _, at) => (of(at) > of(best) ? at : best), 0);
  const ratio = tieNorm / norm;
  const share =
    tieNorm - norm < 1e-9
      ? '到顶了'
      : ratio < 10
        ? `是上限的${percent(norm / tieNorm)}`
        : `约为上限的${general(ratio)}分之一`;
  return (
    `最敏感的一格：${scoreName(i)}加一点点，${weightName(i)}跟着加它的${small(of(i))}倍。‖J‖＝${general(norm, 3)}，${share}。` +
    `不管n是几，上限都是${fixed(tieNorm, 1)}，在两个权重各½时取到；${n}个平分是${fixed(evenNorm, 3)}。`
  );
}

function table(_state: JacobianState, {weights, matrix, rowSums}: JacobianResult): Table {
  return {
    columns: ['行', '权重', ...weights.map((_, j) => scoreName(j)), '行和'],
    rows: matrix.map((row, i) => [
      weightName(i),
      general(weights[i] ?? 0),
      ...row.map(small),
      sumText(rowSums[i] ?? 0),
    ]),
  };
}

function steps(_state: JacobianState, {weights, matrix, norm}: JacobianResult): TemplateResult {
  const [a = 0, b] = weights;
  const cell = (i: number) => small(matrix[0]?.[i] ?? 0);
  const diagonal = equation(
    (decimals) => {
      const {text, value} = operand(a, decimals);
      return {text: `${text}×(1−${text})`, values: [value * (1 - value)]};
    },
    [cell(0)],
    {decimals: 4},
  );
  return html`<ol class="steps">
    <li>对角线：wᵢ(1−wᵢ)。${diagonal}。</li>
    ${b === undefined ? nothing : html`<li>其余：−wᵢwⱼ。${sumOfProducts([[-a, b]], cell(1), 4)}。</li>`}
    <li>每行加起来是0：整行分数一起抬高，权重不变。</li>
    <li>‖J‖＝√(Σw²−2Σw³＋(Σw²)²)＝${general(norm)}，也是所有格子平方和的根。</li>
  </ol>`;
}

/**
 * The Jacobian of softmax at a row of weights, or of scores.
 *
 * @attr probabilities scores
 * @fires attn-change  detail: {state, result}
 */
export class AttnJacobian extends AttnWidget<JacobianState, JacobianResult> {
  static override readonly spec: Spec<JacobianState, JacobianResult> = {
    tag: 'attn-jacobian',
    title: 'softmax的雅可比矩阵',
    hint: '换一组权重，或推动一个分数：什么时候整张表变成0？',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: JacobianState, {weights}: JacobianResult): TemplateResult {
    const byScores = state.scores.length > 0;
    const n = weights.length;
    const pressed = (values: readonly number[]) =>
      !byScores && values.join() === state.probabilities.join();
    return html`<fieldset class="tabs">
        <legend>改什么</legend>
        <label
          ><input
            type="radio"
            name="source"
            ?checked=${!byScores}
            @change=${() => this.#take({probabilities: weights.map((weight) => Number(weight.toPrecision(8))), scores: []})}
          /><span>给权重</span></label
        >
        <label
          ><input
            type="radio"
            name="source"
            ?checked=${byScores}
            @change=${() => this.#take({scores: scoresFor(this.resources.core, weights)})}
          /><span>给分数</span></label
        >
      </fieldset>
      <div class="row" role="group" aria-label="样例">
        <span>样例</span>${PRESETS.map(
          ({name, of}) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${pressed(of(n)) ? 'true' : 'false'}
              @click=${() => this.#take({probabilities: of(n), scores: []})}
            >
              ${name}
            </button>`,
        )}
      </div>
      <div class="dials">
        ${numberBox(this, {key: 'n', label: '个数n', value: n, min: LEAST, max: MOST, integer: true, set: (value) => this.#resize(state, n, value)})}
        ${
          byScores
            ? html`<span class="group" role="group" aria-label="分数"
                >${state.scores.map((score, i) =>
                  numberBox(this, {
                    key: `score-${i}`,
                    label: scoreName(i),
                    value: score,
                    min: -1e6,
                    max: 1e6,
                    by: 0.5,
                    limit: MOST,
                    set: (value) =>
                      this.change({scores: state.scores.map((old, j) => (j === i ? value : old))}),
                    setSeveral: (scores) => this.#take({scores}),
                  }),
                )}</span
              >`
            : listBox(this, {
                key: 'probabilities',
                label: '权重w',
                values: state.probabilities,
                read: schema.probabilities.read,
                set: (probabilities) => this.change({probabilities}),
              })
        }
      </div>`;
  }

  #take(patch: Partial<JacobianState>): void {
    this.drafts.clear();
    this.change(patch);
  }

  /** A preset stays what it is; scores are cut, or get new ones as low as the lowest. */
  #resize({probabilities, scores}: JacobianState, from: number, to: number): void {
    if (scores.length > 0) {
      const lowest = Math.min(...scores);
      this.change({scores: Array.from({length: to}, (_, i) => scores[i] ?? lowest)});
      return;
    }
    const preset = PRESETS.find(
      ({of}) => from >= LEAST && of(from).join() === probabilities.join(),
    );
    this.change({probabilities: (preset?.of ?? even)(to)});
  }
}

/** Scores that softmax turns into these weights, the largest at 0, to the thousandth. */
function scoresFor(core: Core, weights: readonly number[]): number[] {
  const top = core.log(Math.max(...weights));
  return weights.map((weight) => (weight > 0 ? Number((core.log(weight) - top).toFixed(3)) : SHUT));
}
