// <attn-heads>: one softmax for all columns, or one for each half of them; or the heads of the
// trained model, whose part is a file of its own.

import {html, type PropertyValues, type TemplateResult} from 'lit';
import {InputError} from '../shared/input.js';
import {readFields} from '../shared/link.js';
import type {Resources} from '../shared/runtime.js';
import {tabs} from '../shared/tabs.js';
import {
  HEADS,
  type HeadsResult,
  type HeadsState,
  NAMES,
  schema,
  SOURCES,
} from './attn-heads/state.js';
import type {Loading} from './attn-heads/trained-controls.js';
import {work, workedSays, workedSteps, workedTable, workedView} from './attn-heads/worked.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec, Table} from './attn-widget/spec.js';

type Trained = typeof import('./attn-heads/trained.js');

let trained: Trained | undefined;

async function bringTrained(): Promise<void> {
  trained = await import('./attn-heads/trained.js');
}

if (import.meta.env.SSR) await bringTrained();

/** The part for a state of the trained model; undefined while it is loading. */
function part(): Trained {
  if (!trained) throw new InputError('no-model', '正在载入模型，图仍是上一次的。');
  return trained;
}

function compute(resources: Resources, state: HeadsState): HeadsResult {
  return state.source === 'trained'
    ? part().compute(resources, state)
    : work(resources, state, state.source);
}

function view(state: HeadsState, result: HeadsResult): TemplateResult {
  return result.source === 'trained' ? part().view(state, result) : workedView(state, result);
}

function says(state: HeadsState, result: HeadsResult): string {
  return result.source === 'trained' ? part().says(state, result) : workedSays(result);
}

function table(state: HeadsState, result: HeadsResult): Table {
  return result.source === 'trained' ? part().table(state, result) : workedTable(result);
}

function steps(state: HeadsState, result: HeadsResult): TemplateResult {
  return result.source === 'trained' ? part().steps(state, result) : workedSteps(result);
}

const spec: Spec<HeadsState, HeadsResult> = {
  tag: 'attn-heads',
  hint: '换一个词元来问：切开之后，两份100 %各给了谁？',
  title: (_state, {source}) => (source === 'trained' ? part().title : '一个头与两个头'),
  // The model is half a megabyte, so a page that shows it carries the result of the build.
  slow: ({source}) => source === 'trained',
  schema,
  compute,
  view,
  says,
  table,
  steps,
};

/**
 * Worked examples of multi-head attention with a causal mask, or the heads of a trained model.
 *
 * @name 多个头
 * @summary 同一行里，一个头和几个头各看哪里；也看训练好的模型。
 * @attr source row head layer text temperature topk seed
 * @fires attn-change  detail: {state, result}
 */
export class AttnHeads extends AttnWidget<HeadsState, HeadsResult> {
  static override readonly spec = spec;

  static override readonly prepare = async (): Promise<void> => {
    if (globalThis.document?.querySelector('attn-heads[source=trained]')) await bringTrained();
  };

  #loading: Loading = 'no';

  protected override get spec(): Spec<HeadsState, HeadsResult> {
    return trained && this.getAttribute('source') === 'trained'
      ? {...spec, hint: trained.hint}
      : spec;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.#loading !== 'no') return;
    // This starts after the first drawing, which must equal the build's without a fetched model.
    if (trained?.ready()) this.#show('there');
    // The trained model is selected by an attribute, on a page without the build's drawing.
    else if (this.getAttribute('source') === 'trained' && this.state.source !== 'trained')
      this.change(readFields(schema, (key) => this.getAttribute(key)).state);
  }

  /** A change that needs the trained model is applied once the model is loaded. */
  protected override change(patch: Partial<HeadsState>): void {
    const trainedSource = (patch.source ?? this.state.source) === 'trained';
    if (!trainedSource || trained?.ready()) super.change(patch);
    else void this.#load().then(() => super.change(patch));
  }

  async #load(): Promise<void> {
    this.#show('busy');
    try {
      if (!trained) await bringTrained();
      await part().bringModel();
      this.#show('there');
    } catch (error) {
      console.warn('attn-heads: the model did not load', error);
      this.#show('failed');
    }
  }

  #show(loading: Loading): void {
    this.#loading = loading;
    this.requestUpdate();
  }

  protected override body(state: HeadsState, result: HeadsResult): TemplateResult {
    if (result.source !== 'trained') return super.body(state, result);
    return html`<div class="controls live">${this.controls(state, result)}</div>
      <div class="view">
        ${part().view(state, result, ({layer, head}) => this.change({layer, head}))}
      </div>`;
  }

  protected override controls(state: HeadsState, result: HeadsResult): TemplateResult {
    if (result.source === 'trained') {
      return part().controls(
        {
          drafts: this.drafts,
          requestUpdate: () => this.requestUpdate(),
          change: (patch) => this.change(patch),
          loading: this.#loading,
          load: () => void this.#load(),
        },
        state,
        result,
      );
    }
    const {source, head} = state;
    const {tokens, row} = result;
    return html`${tabs({
        label: '例子',
        name: 'source',
        choices: SOURCES.map((each) => [each.source, each.name] as const),
        chosen: source,
        choose: (chosen) => this.change({source: chosen, row: 0}),
      })}
      <div class="row" role="group" aria-label="谁在问">
        <span>谁在问</span>${tokens.map(
          (token, i) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${i === row ? 'true' : 'false'}
              @click=${() => this.change({row: i + 1})}
            >
              ${token}
            </button>`,
        )}
      </div>
      <div class="row" role="group" aria-label="热图画哪一个">
        <span>热图画</span>${NAMES.map(
          (name, i) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${i === Math.min(head, HEADS) ? 'true' : 'false'}
              @click=${() => this.change({head: i})}
            >
              ${name}
            </button>`,
        )}
      </div>`;
  }
}
