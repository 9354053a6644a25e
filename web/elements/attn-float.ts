// <attn-float>: numbers as float32, float16, bfloat16 and the two 8-bit formats store them.

import {html, type TemplateResult} from 'lit';
import {numberBox, slider} from '../shared/number-box.js';
import type {Need} from '../shared/runtime.js';
import {samplesRow} from '../shared/samples.js';
import {tabs} from '../shared/tabs.js';
import {
  compute,
  type FloatResult,
  type FloatState,
  flipped,
  FORMATS,
  isNumber,
  PRESETS,
  SCALES,
  schema,
  TERMS,
  VALUES,
} from './attn-float/state.js';
import {view} from './attn-float/view.js';
import {says, steps, table} from './attn-float/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** Sliders that run over powers of two. */
const powers = {
  step: 1,
  toTrack: (value: number) => Math.round(Math.log2(value)),
  fromTrack: (power: number) => 2 ** power,
};

/**
 * Number formats bit by bit, with a sum and loss scaling.
 *
 * @name 数的写法
 * @summary 按一位，翻一位；看1.001存成什么，4096个权重加出多少，小梯度怎样保住。
 * @attr format value scale bits terms
 * @fires attn-change  detail: {state, result}
 */
export class AttnFloat extends AttnWidget<FloatState, FloatResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<FloatState, FloatResult> = {
    tag: 'attn-float',
    title: '数的写法',
    hint: '按一位，把它翻过来；左右拖圆圈，看它落到哪个邻居上。换一种写法，再看一遍。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override body(state: FloatState, result: FloatResult): TemplateResult {
    const touch = {
      flip: (bit: number) => this.#take({bits: flipped(result.chosen, bit)}),
      move: (wanted: number) => {
        this.drafts.clear();
        this.preview({value: wanted / state.scale, bits: ''});
      },
      done: () => this.change({}),
    };
    return html`<div class="controls live">${this.#dials(state, result)}</div>
      <div class="view">${view(state, result, touch)}</div>`;
  }

  #dials(state: FloatState, {chosen}: FloatResult): TemplateResult {
    const given = state.bits !== '';
    return html`${tabs({
        label: '写法',
        name: 'format',
        choices: FORMATS.map((format) => [format, format] as const),
        chosen: state.format,
        choose: (format) => this.#take({format, bits: ''}),
      })}
      ${samplesRow({
        label: '样例',
        samples: PRESETS,
        state,
        take: (patch) => this.#take(patch),
      })}
      <div class="dials">
        ${numberBox(this, {
          key: 'value',
          label: '要存的数',
          value: !given ? state.value : isNumber(chosen.number) ? chosen.back : null,
          ...VALUES,
          set: (value) => this.change({value, bits: ''}),
        })}
        ${slider(this, {
          key: 'scale',
          label: '先乘',
          value: state.scale,
          ...SCALES,
          ...powers,
          set: (scale) => this.change({scale, bits: ''}),
        })}
        ${slider(this, {
          key: 'terms',
          label: '加几项',
          value: state.terms,
          ...TERMS,
          ...powers,
          set: (terms) => this.change({terms}),
        })}
      </div>`;
  }

  #take(patch: Partial<FloatState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
