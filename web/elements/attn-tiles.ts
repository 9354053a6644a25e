// <attn-tiles>: attention tile by tile, under four rules of which keys a query may see.

import {html, type TemplateResult} from 'lit';
import {slider} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import type {Need} from '../shared/runtime.js';
import {tabs} from '../shared/tabs.js';
import {
  BLOCKS,
  compute,
  LENGTHS,
  momentOf,
  PATTERNS,
  schema,
  stopsOf,
  type TilesResult,
  type TilesState,
} from './attn-tiles/state.js';
import {view} from './attn-tiles/view.js';
import {PATTERN_NAMES, says, steps, table} from './attn-tiles/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/**
 * Attention whose scores exist one tile at a time.
 *
 * @name 分数不落地
 * @summary 分数表一小块一小块地算，用完就扔，输出边算边改；看不见的块整块跳过。
 * @attr n block pattern at
 * @fires attn-change  detail: {state, result}
 */
export class AttnTiles extends AttnWidget<TilesState, TilesResult> {
  static override readonly needs: readonly Need[] = ['sequence'];

  static override readonly spec: Spec<TilesState, TilesResult> = {
    tag: 'attn-tiles',
    title: '分数不落地',
    hint: '按▶一块一块地算，或点一块直接过去；改块的大小和看得见的范围，看跳过几块。',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  readonly #walk = new Playhead(this, {
    seconds: 12,
    stops: () => stopsOf(this.result as TilesResult),
    at: () => this.state.at,
    show: (at) => this.preview({at: Number(at.toFixed(4))}),
    settle: () => this.change({}),
  });

  protected override body(state: TilesState, result: TilesResult): TemplateResult {
    const {index, done} = momentOf(state, result);
    const spoken = done ? '算完' : index < 0 ? '还没开始' : `第${index + 1}块`;
    return html`<div class="controls live">${this.controls(state)}</div>
      <div class="view">${view(state, result, (at) => this.#walk.to(at))}</div>
      <div class="live">${this.#walk.bar('算到第几块', spoken)}</div>`;
  }

  protected override controls({n, block, pattern}: TilesState): TemplateResult {
    return html`${tabs({
        label: '看得见',
        name: 'pattern',
        choices: PATTERNS.map((value) => [value, PATTERN_NAMES[value]] as const),
        chosen: pattern,
        choose: (next) => this.change({pattern: next}),
      })}
      <div class="dials">
        ${slider(this, {
          key: 'block',
          label: '每块',
          value: block,
          ...BLOCKS,
          step: 1,
          set: (next) => this.change({block: next}),
        })}
        ${slider(this, {
          key: 'n',
          label: '词元数n',
          value: n,
          ...LENGTHS,
          step: 1,
          set: (next) => this.change({n: next}),
        })}
      </div>`;
  }
}
