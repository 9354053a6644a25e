// <attn-params>: the parameters of a model, counted tensor by tensor from its config.json.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import type {ConfigsContent} from '../shared/content.js';
import {numberBox} from '../shared/number-box.js';
import type {Need} from '../shared/runtime.js';
import {compute, DIALS, type ParamsResult, type ParamsState, schema} from './attn-params/state.js';
import {view} from './attn-params/view.js';
import {says, steps, table} from './attn-params/words.js';
import {ConfigInput} from '../shared/config-input.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/**
 * Account of a model's parameters.
 *
 * @name 参数花在哪里
 * @summary 选一个模型，或贴上一份config.json，数它的参数：哪一份多大，是怎么乘出来的。
 * @attr model config part
 * @fires attn-change  detail: {state, result}
 */
export class AttnParams extends AttnWidget<ParamsState, ParamsResult, ConfigsContent> {
  static override readonly needs: readonly Need[] = ['cache'];
  static override readonly spec: Spec<ParamsState, ParamsResult, ConfigsContent> = {
    tag: 'attn-params',
    title: (_state, {name}) => `参数花在哪里：${name}`,
    hint: '按一份，看它是怎么乘出来的；换一个模型，改一个数，或粘贴你自己的config.json。',
    schema,
    content: () => 'configs',
    slow: true,
    compute,
    view,
    says,
    table,
    steps,
  };

  readonly #input = new ConfigInput({
    drafts: this.drafts,
    change: (config) => this.change({config}),
    requestUpdate: () => this.requestUpdate(),
    refused: () => this.content?.refused ?? {},
    current: () => this.state.config,
  });

  protected override body(state: ParamsState, result: ParamsResult): TemplateResult {
    return html`<div
      @dragover=${(event: DragEvent) => event.preventDefault()}
      @drop=${this.#input.drop}
    >
      <div class="controls live">${this.#choices(state)}</div>
      <div class="view">${view(state, result, (part) => this.change({part}))}</div>
    </div>`;
  }

  #choices(state: ParamsState): TemplateResult {
    return html`<div class="dials">
        <label class="number"
          ><span>模型</span
          ><select
            @change=${(event: Event) =>
              this.#take({model: (event.target as HTMLSelectElement).value, config: ''})}
          >
            ${
              state.config === ''
                ? nothing
                : html`<option value="" ?selected=${true}>粘贴的配置</option>`
            }
            ${this.content?.models.map(
              ({id, name}) =>
                html`<option value=${id} ?selected=${state.config === '' && id === state.model}>
                  ${name}
                </option>`,
            )}
          </select></label
        >
        <label class="chip file"
          >打开config.json<input
            type="file"
            accept=".json,application/json"
            @change=${this.#input.open}
        /></label>
      </div>
      <div class="dials">${this.#dials(state)}</div>
      <details class="paste" ?open=${state.config !== ''}>
        <summary>粘贴或拖入config.json</summary>
        <textarea
          rows="6"
          spellcheck="false"
          autocomplete="off"
          aria-label="config.json"
          aria-describedby="trouble"
          placeholder="{ … }"
          .value=${live(this.drafts.get('config')?.text ?? state.config)}
          @input=${this.#input.typed}
        ></textarea>
      </details>`;
  }

  /** The config as an object that the boxes may change; null while a pasted text is no object. */
  #current({config, model}: ParamsState): Record<string, unknown> | null {
    try {
      const value: unknown =
        config === ''
          ? this.content?.models.find(({id}) => id === model)?.config
          : JSON.parse(config);
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : null;
    } catch {
      return null;
    }
  }

  #dials(state: ParamsState): unknown {
    const config = this.#current(state);
    return DIALS.map(({label, keys, most}) => {
      const key = keys.find((each) => typeof config?.[each] === 'number');
      if (!config || key === undefined) return nothing;
      return numberBox(this, {
        key: keys[0]!,
        label,
        value: Number(config[key]),
        min: 1,
        max: most,
        integer: true,
        set: (value) => {
          this.drafts.delete('config');
          this.change({config: JSON.stringify({...config, [key]: value}, null, 1)});
          this.requestUpdate();
        },
      });
    });
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // A select that the reader used no longer follows its options, so its value is set from the
    // state.
    for (const select of this.renderRoot.querySelectorAll('select'))
      select.value = select.querySelector<HTMLOptionElement>('option[selected]')?.value ?? '';
  }

  #take(patch: Partial<ParamsState>): void {
    this.drafts.clear();
    this.change(patch);
    this.requestUpdate();
  }
}
