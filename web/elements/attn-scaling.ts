// <attn-scaling>: the effect of the dimension on softmax, with the divisors 1, √d and d.

import {html, nothing, type TemplateResult} from 'lit';
import {seedBox} from '../shared/experiment.js';
import {listBox, slider} from '../shared/number-box.js';
import {
  compute,
  type Part,
  PARTS,
  RANGES,
  type ScalingResult,
  type ScalingState,
  schema,
} from './attn-scaling/state.js';
import {view} from './attn-scaling/view.js';
import {says, steps, table} from './attn-scaling/words.js';
import type {Need} from '../shared/runtime.js';
import {tabs} from '../shared/tabs.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/**
 * Experiment 1-1, three divisors side by side, and the logits of untrained models of growing width.
 *
 * @name 缩放实验
 * @summary 不除、除以√d、除以d，并排比：权重还分得开吗？
 * @attr part dims seed sigma scores d
 * @fires attn-change  detail: {state, result}
 */
export class AttnScaling extends AttnWidget<ScalingState, ScalingResult> {
  static override readonly needs: readonly Need[] = ['scaling'];

  static override readonly spec: Spec<ScalingState, ScalingResult> = {
    tag: 'attn-scaling',
    title: ({part}) => PARTS.find((each) => each.part === part)?.title ?? '',
    hint: '三栏三问。改一个数，看图和下面的句子怎样跟着变。',
    slow: true,
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: ScalingState): TemplateResult {
    return html`${tabs({
        label: '看哪一部分',
        name: 'part',
        choices: PARTS.map(({part, name}) => [part, name]),
        chosen: state.part,
        choose: (part) => this.#show(part),
      })}
      <div class="dials">${state.part === 'divisor' ? this.#row(state) : this.#run(state)}</div>`;
  }

  #show(part: Part): void {
    this.drafts.clear();
    this.change({part});
  }

  #row({scores, d}: ScalingState): TemplateResult {
    return html`${listBox(this, {
      key: 'scores',
      label: '一行分数',
      values: scores,
      read: schema.scores.read,
      set: (values) => this.change({scores: values}),
    })}
    ${slider(this, {
      key: 'd',
      label: '维数d',
      value: d,
      ...RANGES.d,
      step: 0.25,
      toTrack: Math.log2,
      fromTrack: (track) => Math.round(2 ** track),
      set: (value) => this.change({d: value}),
    })}`;
  }

  #run({part, dims, seed, sigma}: ScalingState): TemplateResult {
    return html`${listBox(this, {
      key: 'dims',
      label: '维数d',
      values: dims,
      read: schema.dims.read,
      set: (values) => this.change({dims: values}),
    })}
    ${seedBox(this, seed, (value) => this.change({seed: value}))}
    ${
      part === 'init'
        ? slider(this, {
            key: 'sigma',
            label: '初始化σ',
            value: sigma,
            ...RANGES.sigma,
            by: 0.01,
            step: 0.05,
            toTrack: Math.log10,
            fromTrack: (track) => Number((10 ** track).toPrecision(2)),
            set: (value) => this.change({sigma: value}),
          })
        : nothing
    }`;
  }
}
