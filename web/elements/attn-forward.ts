// <attn-forward>: one forward pass of the trained model, from a typed line to the next character.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {shown} from './attn-heads/character.js';
import {Playhead} from '../shared/playhead.js';
import {runtime, type Need} from '../shared/runtime.js';
import {compute} from './attn-forward/compute.js';
import {detail, type DetailTouch} from './attn-forward/detail.js';
import {map, type MapTouch} from './attn-forward/map.js';
import {
  columnOf,
  EXAMPLES,
  type ForwardResult,
  type ForwardState,
  MOST,
  rounded,
  rowOf,
  schema,
  shownStep,
  STEPS,
  stepOf,
  STOPS,
} from './attn-forward/state.js';
import {Pointer} from './attn-forward/touch.js';
import {doesOf, nameOf, says, table, unknownNote} from './attn-forward/words.js';
import {textBox} from './attn-heads/text-box.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** The values of the shown step, with a sentence on how they come about. */
function values(state: ForwardState, result: ForwardResult, touch?: DetailTouch): TemplateResult {
  return html`${detail(state, result, touch)}
    <p class="reading">${doesOf(state, result)}</p>`;
}

const view = (state: ForwardState, result: ForwardResult) =>
  html`${map(state, result)}${values(state, result)}`;

/**
 * One forward pass of the trained model, step by step, with every number.
 *
 * @name 从一行字到下一个字
 * @summary 写一行诗，按▶看它怎样一步步变成下一个字：每一步的形状和每一个数。
 * @attr text at row dim head
 * @fires attn-change  detail: {state, result}
 */
export class AttnForward extends AttnWidget<ForwardState, ForwardResult> {
  static override readonly needs: readonly Need[] = ['model'];

  static override readonly spec: Spec<ForwardState, ForwardResult> = {
    tag: 'attn-forward',
    title: '从一行字到下一个字',
    hint: '按▶走一遍，或者拖到任何一步停下；在数上指一指，读出每一个数。',
    schema,
    compute,
    view,
    says,
    table,
  };

  readonly #walk = new Playhead(this, {
    seconds: 36,
    stops: () => STOPS,
    at: () => this.state.at,
    show: (at) => this.preview({at: rounded(at)}),
    settle: () => this.change({}),
  });

  readonly #pointer = new Pointer({
    rows: () => {
      const {state, result} = this;
      if (!result) return [];
      return stepOf(state).stage === 'logits'
        ? [rowOf(state, result)]
        : result.ids.map((_, i) => i);
    },
    columns: () => this.result?.values[0]?.length ?? 1,
    chosen: () => {
      const {state, result} = this;
      return result
        ? {row: rowOf(state, result), column: columnOf(state, result)}
        : {row: 0, column: 0};
    },
    choose: ({row, column}) => this.preview({row: row + 1, dim: column + 1}),
    done: () => this.change({}),
    redraw: () => this.requestUpdate(),
  });

  /** True once the model is there; the first drawing equals the build's, which has the note. */
  #ready = false;

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!this.#traditional && this.result?.characters.includes('<unk>'))
      this.#bring().catch(console.warn);
    if (this.#ready || !runtime.model) return;
    this.#ready = true;
    this.requestUpdate();
  }

  /** The table of simplified characters, which is fetched for the first unknown character. */
  #traditional: typeof import('./attn-heads/traditional.js') | undefined;

  async #bring(): Promise<void> {
    this.#traditional = await import('./attn-heads/traditional.js');
    this.requestUpdate();
  }

  protected override body(state: ForwardState, result: ForwardResult): TemplateResult {
    const step = shownStep(state.at);
    const touch: MapTouch = {choose: (row) => this.change({row: row + 1})};
    return html`<div class="controls live">${this.controls(state, result)}</div>
      ${unknownNote(result)}
      <div class="view">${map(state, result, touch)}</div>
      ${this.#walk.bar('走到哪一步', `第${step + 1}步，共${STEPS.length}步，${nameOf(state)}`)}
      <div class="view">${values(state, result, this.#pointer.touch())}</div>`;
  }

  protected override controls(state: ForwardState, result: ForwardResult): TemplateResult {
    const chosen = rowOf(state, result);
    const chip = (content: unknown, pressed: boolean, patch: Partial<ForwardState>) =>
      html`<button
        type="button"
        class="chip"
        aria-pressed=${pressed ? 'true' : 'false'}
        @click=${() => this.#take(patch)}
      >
        ${content}
      </button>`;
    const forms = this.#traditional;
    const simple = result.typed.filter(
      (character, i) =>
        result.characters[i] === '<unk>' && forms?.traditionalOf(character) !== undefined,
    );
    return html`${textBox(
        {
          drafts: this.drafts,
          requestUpdate: () => this.requestUpdate(),
          change: ({text}) => this.change({text, row: 0}),
        },
        {text: state.text, label: '一行字', most: MOST, rows: 1},
      )}
      <div class="row" role="group" aria-label="样例">
        <span>样例</span
        >${EXAMPLES.map((text) => chip(text, text === state.text, {text, row: 0}))}${
          !forms || simple.length === 0
            ? nothing
            : html`<button
                type="button"
                class="chip"
                @click=${() => this.#take({text: forms.inTraditional(state.text)})}
              >
                换成繁体（${simple.map((each) => `${each}→${forms.traditionalOf(each)}`).join('，')}）
              </button>`
        }
      </div>
      <div class="dials">
        <div class="row" role="group" aria-label="看哪个字">
          <span>看哪个字</span>${result.characters.map((character, i) =>
            chip(shown(character), i === chosen, {row: i + 1}),
          )}
        </div>
        <div class="row" role="group" aria-label="画哪个头">
          <span>画哪个头</span>${Array.from({length: result.heads}, (_, head) =>
            chip(`头${head}`, head === state.head, {head}),
          )}
        </div>
      </div>
      ${
        this.#ready ? nothing : html`<p class="reading">图是构建时画好的；一动手，先载入模型。</p>`
      }`;
  }

  #take(patch: Partial<ForwardState>): void {
    this.drafts.clear();
    this.change(patch);
  }
}
