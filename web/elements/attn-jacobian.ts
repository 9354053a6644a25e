// <attn-jacobian>: the change of each weight when a score changes a little.

import {html, nothing, type TemplateResult} from 'lit';
import {type Core} from '../core.js';
import {equation, operand, sumOfProducts} from '../shared/equation.js';
import {fixed, general, percent} from '../shared/format.js';
import {listBox, numberBox} from '../shared/number-box.js';
import {
  compute,
  even,
  LEAST,
  MOST,
  PRESETS,
  SHUT,
  schema,
  type JacobianResult,
  type JacobianState,
} from './attn-jacobian/compute.js';
import {weightName, scoreName, small, sumText, view} from './attn-jacobian/view.js';
import {tabs} from '../shared/tabs.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

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
    `最敏感的一格：${scoreName(i)}加一点点，${weightName(i)}跟着加它的${small(of(i))}倍。` +
    `‖J‖＝${general(norm, 3)}，${share}。` +
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
 * @name softmax的雅可比矩阵
 * @summary 一个分数动一点，每个权重跟着动多少。
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
    const give = (kind: 'weights' | 'scores') =>
      this.#take(
        kind === 'scores'
          ? {scores: scoresFor(this.resources.core, weights)}
          : {
              probabilities: weights.map((weight) => Number(weight.toPrecision(8))),
              scores: [],
            },
      );
    return html`${tabs({
        label: '输入',
        name: 'source',
        choices: [
          ['weights', '权重'],
          ['scores', '分数'],
        ],
        chosen: byScores ? 'scores' : 'weights',
        choose: give,
      })}
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
        ${numberBox(this, {
          key: 'n',
          label: '个数n',
          value: n,
          min: LEAST,
          max: MOST,
          integer: true,
          set: (value) => this.#resize(state, n, value),
        })}
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

  /** A preset is kept; custom scores are cut, or extended with copies of the lowest one. */
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

/** Scores whose softmax is these weights, with the largest at 0, rounded to the thousandth. */
function scoresFor(core: Core, weights: readonly number[]): number[] {
  const top = core.log(Math.max(...weights));
  return weights.map((weight) => (weight > 0 ? Number((core.log(weight) - top).toFixed(3)) : SHUT));
}
