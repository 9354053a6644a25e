// <attn-failures>: mistakes in attention that raise no error, each in a recorded run beside the
// correct one, and a diagnosis of three readings of the reader's own model.

import {html, nothing, type TemplateResult} from 'lit';
import type {FailuresContent} from '../shared/content.js';
import {integer} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {pageAddress} from '../shared/files.js';
import type {Need} from '../shared/runtime.js';
import {tabs} from '../shared/tabs.js';
import {compute} from './attn-failures/compute.js';
import {diagnosis} from './attn-failures/diagnosis-view.js';
import {gallery} from './attn-failures/gallery.js';
import {type Readings, SYMPTOMS} from './attn-failures/rules.js';
import {
  type FailuresResult,
  type FailuresState,
  type Part,
  PARTS,
  RANGES,
  schema,
} from './attn-failures/state.js';
import {VARIANTS} from './attn-failures/variants.js';
import {says, table} from './attn-failures/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

function view(state: FailuresState, result: FailuresResult): TemplateResult {
  return state.part === 'gallery' ? gallery(state, result) : diagnosis(state, result);
}

/**
 * Four recorded mistakes in attention that raise no error, and a diagnosis of the reader's own
 * numbers.
 *
 * @name 四种写错
 * @summary 四处不会报错的错，在训练曲线上各是什么样。
 * @attr part variant entropy deviation jacobian symptom
 * @fires attn-change  detail: {state, result}
 */
export class AttnFailures extends AttnWidget<FailuresState, FailuresResult, FailuresContent> {
  static override readonly needs: readonly Need[] = ['scaling'];

  static override readonly spec: Spec<FailuresState, FailuresResult, FailuresContent> = {
    tag: 'attn-failures',
    title: ({part}) => PARTS.find((each) => each.part === part)?.title ?? '',
    hint: '换一种写错，看它露出什么；或者填上自己的三个读数，看先查哪里。',
    schema,
    content: () => 'failures',
    compute,
    view,
    says,
    table,
  };

  protected override controls(state: FailuresState, {content}: FailuresResult): TemplateResult {
    return html`${tabs({
      label: '看哪一部分',
      name: 'part',
      choices: PARTS.map(({part, name}) => [part, name] as const),
      chosen: state.part,
      choose: (part) => this.#show(part),
    })}
    ${state.part === 'gallery' ? this.#variants(state, content) : this.#readings(state)}`;
  }

  #show(part: Part): void {
    this.drafts.clear();
    this.change({part});
  }

  #variants({variant}: FailuresState, {seed, steps, trainable}: FailuresContent): TemplateResult {
    const href = pageAddress('case/training/index.html');
    const run = new URLSearchParams({
      attention: variant,
      steps: String(steps),
      seed: String(seed),
    }).toString();
    return html`<div class="row" role="group" aria-label="哪一种写错">
        <span>哪一种</span>${VARIANTS.map(
          ({id, mark, name}) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${id === variant ? 'true' : 'false'}
              @click=${() => this.change({variant: id})}
            >
              ${mark} ${name}
            </button>`,
        )}
      </div>
      ${
        trainable && href
          ? html`<div class="row">
              <a href="${href}#w-train?${run}">在训练页里亲手跑这一种（${integer(steps)}步）</a>
            </div>`
          : nothing
      }`;
  }

  #readings({entropy, deviation, jacobian, symptom}: FailuresState): TemplateResult {
    const box = (key: keyof Readings, label: string, value: number | null, by: number) =>
      numberBox(this, {
        key,
        label,
        value,
        ...RANGES[key],
        by,
        set: (reading) => this.change({[key]: reading}),
        clear: () => this.change({[key]: null}),
      });
    return html`<div class="dials">
        ${box('entropy', '熵H', entropy, 0.05)}${box('deviation', '分数的标准差', deviation, 0.5)}${box(
          'jacobian',
          '‖J‖',
          jacobian,
          0.05,
        )}
      </div>
      <div class="row">
        <label
          >症状
          <select
            @change=${(event: Event) =>
              this.change({
                symptom: (event.target as HTMLSelectElement).value as FailuresState['symptom'],
              })}
          >
            <option value="none" ?selected=${symptom === 'none'}>还没有，只看读数</option>
            ${SYMPTOMS.map(
              ({id, name}) =>
                html`<option value=${id} ?selected=${symptom === id}>${name}</option>`,
            )}
          </select></label
        >
      </div>`;
  }
}
