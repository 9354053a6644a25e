// <attn-world>: the teaching sentence, seen from one token, stage by stage.

import {html, type TemplateResult} from 'lit';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';
import {compute, schema, STAGES, type WorldResult, type WorldState} from './attn-world/state.js';
import {view} from './attn-world/view.js';
import {says, steps, table} from './attn-world/words.js';
import {tabs} from '../shared/tabs.js';

/**
 * One head of attention over the teaching sentence, without a mask, from one token's side.
 *
 * @name 一个词元看别的词元
 * @summary 挑一个词元，看它的查询和每个键各得几分。
 * @attr token stage
 * @fires attn-change  detail: {state, result}
 */
export class AttnWorld extends AttnWidget<WorldState, WorldResult> {
  static override readonly spec: Spec<WorldState, WorldResult> = {
    tag: 'attn-world',
    title: '一句话里，一个词元看别的词元',
    hint: '换一个词元，再一步步往后走：同一句话，它先看见谁？',
    schema,
    compute,
    view,
    says,
    table,
    steps,
  };

  protected override controls(state: WorldState, {rows}: WorldResult): TemplateResult {
    return html`${tabs({
        label: '走到哪一步',
        name: 'stage',
        choices: STAGES.map(({stage, name}) => [stage, name] as const),
        chosen: state.stage,
        choose: (stage) => this.change({stage}),
      })}
      <div class="row" role="group" aria-label="从哪个词元看">
        <span>起点</span>${rows.map(
          ({token}) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${state.token === token ? 'true' : 'false'}
              @click=${() => this.change({token})}
            >
              ${token}
            </button>`,
        )}
      </div>`;
  }
}
