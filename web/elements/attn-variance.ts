// <attn-variance>: random queries and keys, and the spread of their products.

import {html, type TemplateResult} from 'lit';
import {linearBeat, mix} from '../shared/beats.js';
import {seedBox} from '../shared/experiment.js';
import {integer} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import type {Need} from '../shared/runtime.js';
import {tabs} from '../shared/tabs.js';
import {kindOf, KINDS} from './attn-variance/kinds.js';
import {varianceFigure} from './attn-variance/picture.js';
import {
  DIM_STEP,
  DIM_STOPS,
  dimAt,
  DRAWING,
  LANDED,
  MOST_DIMS,
  placeOfDim,
  RANGES,
  schema,
  WALKED,
  type Divisor,
  type VarianceResult,
  type VarianceState,
} from './attn-variance/state.js';
import {comparison, says, steps, table} from './attn-variance/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/**
 * Dot products of random vectors: one row as random walks, all of them as a histogram, and the
 * softmax of a row, without division, ÷√d and ÷d.
 *
 * @name 方差实验
 * @summary 维数一大，点积就散开；看它怎样散，除以√d又怎样收回来。
 * @attr dims seed samples keys d divisor at pair
 * @fires attn-change  detail: {state, result}
 */
export class AttnVariance extends AttnWidget<VarianceState, VarianceResult> {
  static override readonly needs: readonly Need[] = ['scaling'];
  static override readonly spec: Spec<VarianceState, VarianceResult> = {
    tag: 'attn-variance',
    title: '方差实验',
    hint: 'q、k的每一维都随机，均值0，方差1。拖动维数d，看点积散得多开，再看下面那一行权重。',
    slow: true,
    schema,
    compute: ({scaling}, state) =>
      scaling.varianceRuns({...state, walked: linearBeat(state.at, 0, WALKED)}),
    view: (state, result) => html`${varianceFigure(state, result)}${comparison(result.rows)}`,
    says,
    table,
    steps,
  };

  readonly #dims = new Playhead(this, {
    seconds: 9,
    stops: () => DIM_STOPS,
    step: DIM_STEP,
    at: () => placeOfDim(this.state.d),
    show: (at) => this.preview({d: dimAt(at)}),
    settle: () => this.change({}),
  });

  readonly #drawing = new Playhead(this, {
    seconds: 11,
    stops: () => DRAWING,
    at: () => this.state.at,
    show: (at) => this.preview({at}),
    settle: () => this.change({}),
  });

  /** From one divisor's axis to another's: the share of the way, and where it began. */
  #zoomed = 1;
  #from: Divisor = 'one';
  readonly #zoom = new Playhead(this, {
    seconds: 0.6,
    stops: () => [],
    at: () => this.#zoomed,
    show: (at) => {
      this.#zoomed = at;
      this.requestUpdate();
    },
    settle: () => {},
  });

  protected override body(state: VarianceState, result: VarianceResult): TemplateResult {
    const d = integer(state.d);
    const touch = {
      limit: this.#limit(state),
      choose: (pair: number) => this.change({pair}),
    };
    return html`<div class="controls live">${this.#divisors(state)}</div>
      <div class="view">${varianceFigure(state, result, touch)}</div>
      <div class="beside live">
        <b>维数d＝${d}</b>${this.#dims.bar('维数d', `d ${d}`)}
        <span>抽样</span>${this.#drawing.bar('抽样', this.#drawn(state, result))}
      </div>
      <details class="exact live">
        <summary>换种子，改行数、键数和对照的维数</summary>
        <div class="controls">${this.#boxes(state)}</div>
      </details>
      <div class="view">${comparison(result.rows)}</div>`;
  }

  /** Half of the axis; between two divisors on the way by equal factors. */
  #limit({divisor}: VarianceState): number {
    const [from, to] = [kindOf(this.#from).limit, kindOf(divisor).limit];
    if (this.#zoomed >= 1) return to;
    return Math.exp(mix(Math.log(from), Math.log(to), this.#zoomed));
  }

  #drawn({at}: VarianceState, {walked, shownProducts}: VarianceResult): string {
    return at < LANDED ? `加到第${walked}项` : `${integer(shownProducts)}个点积`;
  }

  #divisors(state: VarianceState): TemplateResult {
    const choose = (divisor: Divisor) => {
      this.#from = state.divisor;
      this.change({divisor});
      this.#zoomed = 0;
      this.#zoom.to(1);
    };
    return tabs({
      label: '点积除以什么',
      name: 'divisor',
      choices: KINDS.map(({divisor, mark, name}) => [divisor, `${mark} ${name}`]),
      chosen: state.divisor,
      choose,
    });
  }

  #boxes({dims, seed, samples, keys, d}: VarianceState): TemplateResult {
    return html`<div class="dials">
      ${numberBox(this, {
        key: 'd',
        label: '维数d',
        value: d,
        ...RANGES.d,
        set: (value) => this.change({d: value}),
      })}
      <span class="group" role="group" aria-label="对照的维数"
        ><span>对照</span>${dims.map((dim, i) =>
          numberBox(this, {
            key: `dim-${i}`,
            label: `第${i + 1}个维数`,
            bare: true,
            value: dim,
            ...RANGES.dims,
            limit: MOST_DIMS,
            set: (value) => this.change({dims: dims.map((old, j) => (j === i ? value : old))}),
            setSeveral: (values) => this.change({dims: values}),
          }),
        )}</span
      >
      ${seedBox(this, seed, (value) => this.change({seed: value}))}
      ${numberBox(this, {
        key: 'samples',
        label: '行数',
        value: samples,
        by: 500,
        ...RANGES.samples,
        set: (value) => this.change({samples: value}),
      })}
      ${numberBox(this, {
        key: 'keys',
        label: '每行键数',
        value: keys,
        ...RANGES.keys,
        set: (value) => this.change({keys: value}),
      })}
    </div>`;
  }
}
