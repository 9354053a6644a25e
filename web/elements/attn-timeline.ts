// <attn-timeline>: the evolution of attention on two tracks, with the reader's place on them.

import {html, type TemplateResult} from 'lit';
import type {TimelineNode} from '../shared/content.js';
import {Playhead} from '../shared/playhead.js';
import {compute} from './attn-timeline/compute.js';
import {timelineFigure} from './attn-timeline/map.js';
import {
  schema,
  stationAt,
  stationsOf,
  stopsOf,
  type TimelineResult,
  type TimelineState,
} from './attn-timeline/state.js';
import {says, table, texts} from './attn-timeline/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** One pass along all stations. */
const SECONDS = 26;

/**
 * Two tracks of generations; each node states the problem that it solved and its own limit.
 *
 * @name 演进时间线
 * @summary 每一代卡在哪里，下一代怎样解开。
 * @attr current open node at
 * @fires attn-change  detail: {state, result}
 */
export class AttnTimeline extends AttnWidget<TimelineState, TimelineResult, TimelineNode[]> {
  static override readonly spec: Spec<TimelineState, TimelineResult, TimelineNode[]> = {
    tag: 'attn-timeline',
    title: '注意力的演进',
    hint: '每一代都卡在一个数上，下一代从那里起步。点一站看细节，按▶从头走一遍。',
    schema,
    content: () => 'timeline',
    compute,
    view: (state, result) => html`${timelineFigure(state, result)}${texts(state, result)}`,
    says,
    table,
  };

  #refold = false;

  readonly #way = new Playhead(this, {
    seconds: SECONDS,
    stops: () => stopsOf(this.#stations),
    at: () => this.state.at,
    show: (at) => {
      this.#refold = true;
      this.preview({at, open: 'current', node: stationAt(this.#stations, at)?.id ?? ''});
    },
    settle: () => this.change({}),
  });

  get #stations() {
    return this.result ? stationsOf(this.result) : [];
  }

  protected override body(state: TimelineState, result: TimelineResult): TemplateResult {
    const choice = (open: TimelineState['open'], name: string) =>
      html`<button
        type="button"
        class="chip"
        aria-pressed=${state.open === open ? 'true' : 'false'}
        @click=${() => this.change({open, ...(open === 'current' ? {node: ''} : {})})}
      >
        ${name}
      </button>`;
    const stations = stationsOf(result);
    const reached = stationAt(stations, state.at);
    const touch = {choose: (id: string) => this.change({node: id, open: 'current', at: 1})};
    return html`${this.#way.bar('从头走到', reached ? `${reached.year ?? ''}${reached.name}` : '')}
      <div class="view">
        ${timelineFigure(state, result, touch)}
        <div class="row live">${choice('current', '只看一站')}${choice('all', '全部展开')}</div>
        ${texts(state, result)}
      </div>`;
  }

  /**
   * Folds follow the state when it is set; between two settings the reader opens and closes them.
   */
  protected override change(patch: Partial<TimelineState>): void {
    this.#refold = true;
    super.change(patch);
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    if (!this.#refold) return;
    this.#refold = false;
    for (const fold of this.renderRoot.querySelectorAll<HTMLDetailsElement>('details[data-open]'))
      fold.open = fold.dataset['open'] === 'true';
  }
}
