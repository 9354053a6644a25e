// <attn-kv-cache>: the size of a model's KV cache, computed from its config.json, with the reasons.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import {formatName, FORMATS} from '../shared/value-formats.js';
import type {ModelsContent} from '../shared/content.js';
import {binary, integer} from '../shared/format.js';
import type {GrowthTouch} from '../shared/growth-plot.js';
import {numberBox} from '../shared/number-box.js';
import type {Need} from '../shared/runtime.js';
import {compute} from './attn-kv-cache/late.js';
import {
  ENGINES,
  isServed,
  type KvCacheResult,
  type KvCacheState,
  RANGES,
  schema,
} from './attn-kv-cache/state.js';
import {ENGINE_TITLES} from './attn-kv-cache/serving-words.js';
import {details, picture, view} from './attn-kv-cache/view.js';
import {says, sequencesText, steps, table} from './attn-kv-cache/words.js';
import {ConfigInput} from '../shared/config-input.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

// cache-start.ts imports it from here, which keeps what both share in one chunk with the widget.
export {provideCompute} from './attn-kv-cache/late.js';

/** Memory of usual cards, in GiB. */
const CARDS = [24, 48, 80, 141, 192];

const FILE = {config: '照文件'};
const WEIGHTS = {none: '不算', size: '填大小'};
const ENGINE_NAMES = {none: '不指定', ...ENGINE_TITLES};

/** At most this many keys in doubt have a button. */
const MOST_BUTTONS = 12;

/**
 * KV-cache calculator.
 *
 * @name KV缓存计算器
 * @summary 贴上一份config.json，看缓存有多大，怎样随上下文长大。
 * @attr model context batch dtype compare memory config ignore cards weights size engine prefix
 * @fires attn-change  detail: {state, result}
 */
export class AttnKvCache extends AttnWidget<KvCacheState, KvCacheResult, ModelsContent> {
  static override readonly needs: readonly Need[] = ['cache'];
  static override readonly spec: Spec<KvCacheState, KvCacheResult, ModelsContent> = {
    tag: 'attn-kv-cache',
    title: (_state, {name}) => `KV缓存有多大：${name}`,
    hint: '左右拖动横轴上的圆点，看缓存怎样装满显卡。换模型、换显卡，或粘贴你自己的config.json。',
    schema,
    content: () => 'models',
    slow: true,
    compute,
    view,
    says,
    table,
    steps,
  };

  /** The context at which a drag began. */
  #held: number | null = null;

  readonly #input = new ConfigInput({
    drafts: this.drafts,
    change: (config) => this.change({config}),
    requestUpdate: () => this.requestUpdate(),
    refused: () => this.content?.refused ?? {},
    current: () => this.state.config,
  });

  protected override body(state: KvCacheState, result: KvCacheResult): TemplateResult {
    return html`<div
      @dragover=${(event: DragEvent) => event.preventDefault()}
      @drop=${this.#input.drop}
    >
      <div class="controls live">${this.#choices(state)}${this.#cards(state)}</div>
      <div class="view">${picture(state, result, this.#touch(state, result))}</div>
      <div class="controls live">${this.#dials(state)}</div>
      <div class="view">${details(state, result)}</div>
    </div>`;
  }

  #touch(state: KvCacheState, result: KvCacheResult): GrowthTouch {
    return {
      held: this.#held,
      spoken:
        `${integer(state.context)}个词元，缓存${binary(result.total)}，` +
        sequencesText(state, result),
      move: (context) => {
        this.#held ??= state.context;
        this.drafts.delete('context');
        this.preview({context});
      },
      done: () => {
        this.#held = null;
        this.change({});
        this.requestUpdate();
      },
    };
  }

  #choices(state: KvCacheState): TemplateResult {
    return html`<div class="dials">
        <label class="number"
          ><span>模型</span>${this.#picker(
            state.config ? '' : state.model,
            state.config ? '粘贴的配置' : null,
            (model) => this.#take({model, config: ''}),
          )}</label
        >
        <label class="chip file"
          >打开config.json<input
            type="file"
            accept=".json,application/json"
            @change=${this.#input.open}
        /></label>
      </div>
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
      </details>
      ${this.#doubts(state)}`;
  }

  /** Cards of usual sizes. */
  #cards({memory}: KvCacheState): TemplateResult {
    return html`<div class="row" role="group" aria-label="显卡">
      <span>显卡</span>${CARDS.map(
        (size) =>
          html`<button
            type="button"
            class="chip"
            aria-pressed=${size === memory ? 'true' : 'false'}
            @click=${() => this.#resize(size)}
          >
            ${size} GiB
          </button>`,
      )}
    </div>`;
  }

  #resize(memory: number): void {
    this.drafts.delete('memory');
    this.change({memory});
  }

  #dials(state: KvCacheState): TemplateResult {
    const beside = state.compare;
    return html`<div class="dials">
        <span class="long"
          >${numberBox(this, {
            key: 'context',
            label: '上下文',
            value: state.context,
            ...RANGES.context,
            unit: '词元',
            set: (context) => this.change({context}),
          })}</span
        >
        ${numberBox(this, {
          key: 'batch',
          label: '批量',
          value: state.batch,
          ...RANGES.batch,
          set: (batch) => this.change({batch}),
        })}
        ${this.#select('格式', state.dtype, ['config', ...FORMATS], FILE, (dtype) =>
          this.change({dtype}),
        )}
        ${numberBox(this, {
          key: 'memory',
          label: '显存',
          value: state.memory,
          ...RANGES.memory,
          unit: 'GiB',
          set: (memory) => this.change({memory}),
        })}
      </div>
      ${this.#servingFold(state)}
      <details class="exact">
        <summary>并排画别的模型</summary>
        <div class="dials" role="group" aria-label="并排画">
          ${[0, 1, 2].map((i) =>
            this.#picker(beside[i] ?? '', '不画', (id) => this.#beside(i, id), `第${i + 2}条线`),
          )}
        </div>
      </details>`;
  }

  #servingFold(state: KvCacheState): TemplateResult {
    return html`<details class="exact" ?open=${isServed(state)}>
      <summary>再算上几张卡、权重、引擎、共用的开头</summary>
      <div class="dials">
        ${numberBox(this, {
          key: 'cards',
          label: '卡数',
          value: state.cards,
          ...RANGES.cards,
          set: (cards) => this.change({cards}),
        })}
        ${this.#select('权重', state.weights, ['none', 'size', ...FORMATS], WEIGHTS, (weights) =>
          this.change({weights}),
        )}
        ${
          state.weights === 'size'
            ? numberBox(this, {
                key: 'size',
                label: '权重的大小',
                value: state.size,
                ...RANGES.size,
                unit: 'GiB',
                set: (size) => this.change({size}),
              })
            : nothing
        }
        ${this.#select('引擎', state.engine, ['none', ...ENGINES], ENGINE_NAMES, (engine) =>
          this.change({engine}),
        )}
        <span class="long"
          >${numberBox(this, {
            key: 'prefix',
            label: '共用的开头',
            value: state.prefix,
            ...RANGES.prefix,
            unit: '词元',
            set: (prefix) => this.change({prefix}),
          })}</span
        >
      </div>
    </details>`;
  }

  /** Names of values that are not formats are given. */
  #select<Value extends string>(
    label: string,
    value: Value,
    values: readonly Value[],
    names: Readonly<Record<string, string>>,
    set: (value: Value) => void,
  ): TemplateResult {
    return html`<label class="number"
      ><span>${label}</span
      ><select @change=${(event: Event) => set((event.target as HTMLSelectElement).value as Value)}>
        ${values.map(
          (each) =>
            html`<option value=${each} ?selected=${each === value}>
              ${names[each] ?? formatName(each)}
            </option>`,
        )}
      </select></label
    >`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // A select that the reader used no longer follows its options, so its value is set from the
    // state.
    for (const select of this.renderRoot.querySelectorAll('select'))
      select.value = select.querySelector<HTMLOptionElement>('option[selected]')?.value ?? '';
  }

  /** `none` is the label of the empty option, if there is one. */
  #picker(
    id: string,
    none: string | null,
    set: (id: string) => void,
    label?: string,
  ): TemplateResult {
    return html`<select
      aria-label=${label ?? nothing}
      @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}
    >
      ${none === null ? nothing : html`<option value="" ?selected=${id === ''}>${none}</option>`}
      ${this.content?.models.map(
        (entry) =>
          html`<option value=${entry.id} ?selected=${entry.id === id}>
            ${entry.model}${'refused' in entry.cache ? '（不会算）' : ''}
          </option>`,
      )}
    </select>`;
  }

  /** A button for each key in doubt, and one for taking all of them back. */
  #doubts({ignore}: KvCacheState): unknown {
    const fields = this.result?.doubts.map(({field}) => field) ?? [];
    if (fields.length === 0 && ignore.length === 0) return nothing;
    return html`<div class="dials" role="group" aria-label="不理会的键">
      ${fields
        .slice(0, MOST_BUTTONS)
        .map(
          (field) =>
            html`<button
              type="button"
              class="chip"
              @click=${() => this.#take({ignore: [...ignore, field]})}
            >
              不理会这一项：${field}
            </button>`,
        )}
      ${
        ignore.length > 0
          ? html`<button type="button" class="chip" @click=${() => this.#take({ignore: []})}>
              都算进来（${ignore.length}）
            </button>`
          : nothing
      }
    </div>`;
  }

  #beside(i: number, id: string): void {
    const compare = [...this.state.compare];
    compare[i] = id;
    this.change({compare: compare.filter((each) => each)});
    this.requestUpdate();
  }

  #take(patch: Partial<KvCacheState>): void {
    this.drafts.delete('config');
    this.change(patch);
    this.requestUpdate();
  }
}
