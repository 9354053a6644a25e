// <attn-lookup>: a lookup that takes the best entry beside one that blends all of them; only the
// output of the blend changes smoothly with a score.

import {html, nothing, type TemplateResult} from 'lit';
import {equation, operand, sumOfProducts} from '../shared/equation.js';
import {fixed, general} from '../shared/format.js';
import {listBox, slider} from '../shared/number-box.js';
import {tabs} from '../shared/tabs.js';
import {
  compute,
  NAMES,
  schema,
  type LookupResult,
  type LookupState,
} from './attn-lookup/compute.js';
import {slopeText, view} from './attn-lookup/view.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

function says(
  {scores}: LookupState,
  {best, ties, hard, soft: blend, gradient, moved}: LookupResult,
): string {
  if (scores.length === 1) return `只有一条，两种查法都取回${general(hard)}，分数怎么动也不变。`;
  const name = NAMES[moved];
  const taken =
    ties > 1
      ? `有${ties}条并列最高，硬查表只能随便挑一条，这里取最前面的「${NAMES[best]}」，得${general(hard)}；软查表给它们一样多，` +
        `得${general(blend)}。`
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

const NO_GRADIENT = '别的分数动一点，取回的不变，导数是0；越过最高分时突然跳走，那里没有导数。';

function steps(
  {scores}: LookupState,
  {values, weights, best, hard, soft: blend, gradient}: LookupResult,
): TemplateResult {
  return html`<ol class="steps">
    <li>
      硬查表：找最高分${general(scores[best] ?? 0)}，原样取回它的值${general(hard)}。${NO_GRADIENT}
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
        ${scores.map(
          (_, i) =>
            html`<li>
              ${NAMES[i]}：${pull(
                weights[i] ?? 0,
                values[i] ?? 0,
                blend,
                slopeText(gradient[i] ?? 0),
              )}
            </li>`,
        )}
      </ul>
    </li>
  </ol>`;
}

/**
 * Hard lookup (argmax) against soft lookup (softmax), with the gradients of both.
 *
 * @name 硬查表与软查表
 * @summary 只取最像的一个，还是每个都取一点；哪一种有梯度。
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
        ${listBox(this, {
          key: 'scores',
          label: '分数',
          values: scores,
          read: schema.scores.read,
          set: (next) => this.change({scores: next}),
        })}
        ${listBox(this, {
          key: 'values',
          label: '值',
          values,
          read: schema.values.read,
          set: (next) => this.change({values: next}),
        })}
      </div>
      ${
        scores.length > 1
          ? tabs({
              label: '推动哪一条',
              name: 'moved',
              choices: scores.map((_, i) => [String(i + 1), `推${NAMES[i]}`] as const),
              chosen: String(moved + 1),
              choose: (chosen) => this.change({moved: Number(chosen)}),
            })
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
