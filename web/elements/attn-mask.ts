// <attn-mask>: visibility of keys: causal, padded, packed, with a window; and the effects of
// mistakes.

import {html, nothing, type TemplateResult} from 'lit';
import {listBox, numberBox} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import {tabs} from '../shared/tabs.js';
import {compute, isMasking} from './attn-mask/compute.js';
import {orderOf, rounded, shownRow, stopsOf} from './attn-mask/moment.js';
import {
  codeOf,
  EMPTY,
  KINDS,
  type MaskResult,
  type MaskState,
  MISTAKES,
  MOST,
  type Row,
  schema,
} from './attn-mask/state.js';
import {Painter} from './attn-mask/touch.js';
import {view} from './attn-mask/view.js';
import {beatWords, says, table} from './attn-mask/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** A board with at most so many columns has cells for a finger on a phone. */
const LARGE = 5;

/** Rows and cells are counted anew in a board of another shape. */
const AFRESH: Partial<MaskState> = {step: 0, painted: [], at: 1};

/**
 * Attention masks step by step, correct ones and mistaken ones.
 *
 * @name 谁可以看谁
 * @summary 一行一行地遮，看被遮住的份额归了谁；写错的做法也在。
 * @attr kind tokens lengths window step mistake empty painted at
 * @fires attn-change  detail: {state, result}
 */
export class AttnMask extends AttnWidget<MaskState, MaskResult> {
  static override readonly spec: Spec<MaskState, MaskResult> = {
    tag: 'attn-mask',
    title: '谁可以看谁',
    hint: '按▶一行一行走，再换种写法。点一行看怎样算；在格子上横着拖，自己画掩码。',
    schema,
    compute,
    view,
    says,
    table,
  };

  readonly #painter = new Painter({
    rows: () => this.#rows().length,
    columns: () => this.#rows()[0]?.cells.length ?? 1,
    chosen: () => this.#chosen(),
    masked: (row, column) => this.#rows()[row]?.cells[column]?.masked ?? false,
    choose: (row) => this.change({step: row + 1, at: 1}),
    paint: (codes, hide, row) => this.#paint(codes, hide, row),
    done: () => this.change({}),
    focus: (code) =>
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector<SVGGElement>(`[data-cell="${code}"]`)?.focus(),
      ),
  });

  readonly #walk = new Playhead(this, {
    seconds: 24,
    stops: () => stopsOf(this.result as MaskResult),
    at: () => this.state.at,
    show: (at) => this.preview({at: rounded(at)}),
    settle: () => this.change({}),
  });

  protected override body(state: MaskState, result: MaskResult): TemplateResult {
    const {row, place} = shownRow(state, result);
    const spoken =
      state.at === 1 ? '全部' : `「${row.label}」，${beatWords(orderOf(state.mistake), place)}`;
    return html`<div class="controls live">${this.controls(state, result)}</div>
      <div class="view">${view(state, result, this.#painter.touch())}</div>
      <div class="walk live">
        ${this.#walk.bar('走到哪一行哪一拍', spoken)}<button
          type="button"
          class="chip"
          ?disabled=${state.painted.length === 0}
          @click=${() => this.change({painted: []})}
        >
          擦掉涂改
        </button>
      </div>
      ${this.#buttons()}`;
  }

  /** The same presses as on the board, where its cells are small for a finger. */
  #buttons(): TemplateResult | typeof nothing {
    const rows = this.#rows();
    const chosen = this.#chosen();
    const row = rows[chosen];
    const columns = row?.cells.length ?? 0;
    if (!row || columns <= LARGE) return nothing;
    const block = chosen - (chosen % columns);
    return html`<details class="exact live">
      <summary>格子太小时，用按钮</summary>
      <div class="row" role="group" aria-label="看哪一行">
        <span>看哪一行</span>${rows.map(({label}, i) =>
          this.#choice('chip', i === chosen, {step: i + 1, at: 1}, label),
        )}
      </div>
      <div class="row" role="group" aria-label="遮住谁">
        <span>遮住谁</span>${row.cells.map(
          ({masked}, j) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${masked ? 'true' : 'false'}
              @click=${() => {
                this.#paint([codeOf(chosen, j)], !masked, chosen);
                this.change({});
              }}
            >
              ${rows[block + j]?.label}
            </button>`,
        )}
      </div>
    </details>`;
  }

  #rows(): Row[] {
    return this.result?.blocks.flat() ?? [];
  }

  #chosen(): number {
    return this.result ? this.#rows().indexOf(shownRow(this.state, this.result).row) : 0;
  }

  /** Painting in another row than the explained one ends the walk. */
  #paint(codes: readonly number[], hide: boolean, row: number): void {
    const {painted, at} = this.state;
    const rows = this.#rows();
    const turned = codes.filter((code) => {
      const cell = rows[Math.floor(code / 100) - 1]?.cells[(code % 100) - 1];
      return cell !== undefined && cell.masked !== hide;
    });
    const kept = painted.filter((code) => !turned.includes(code));
    const added = turned.filter((code) => !painted.includes(code));
    this.preview({
      painted: [...kept, ...added].sort((a, b) => a - b),
      step: row + 1,
      at: row === this.#chosen() ? at : 1,
    });
  }

  protected override controls(state: MaskState, {emptyRows}: MaskResult): TemplateResult {
    const {kind} = state;
    const batch = kind !== 'causal' && kind !== 'window';
    return html`${tabs({
        label: '掩码',
        name: 'kind',
        choices: KINDS.map((option) => [option.kind, option.name] as const),
        chosen: kind,
        choose: (chosen) =>
          this.#take({
            kind: chosen,
            mistake: 'none',
            ...(chosen === 'window' && state.window === 0 ? {window: 3} : {}),
          }),
      })}
      <div class="ways" role="group" aria-label="写法">
        ${MISTAKES.filter(({kinds}) => kinds?.includes(kind) ?? true).map(({id, name, code}) =>
          this.#choice(id === 'none' ? 'way' : 'way bad', state.mistake === id, {mistake: id}, [
            name,
            html`<code>${code}</code>`,
          ]),
        )}
      </div>
      ${
        emptyRows > 0 && !isMasking(state.mistake)
          ? html`<div class="row" role="group" aria-label="空行">
              <span>空行</span>${EMPTY.map(({id, name}) =>
                this.#choice('chip', state.empty === id, {empty: id}, name),
              )}
            </div>`
          : nothing
      }
      <div class="dials">
        ${
          kind === 'causal'
            ? nothing
            : numberBox(this, {
                key: 'window',
                label: batch ? '一行几格（0：按最长）' : '看几个（0：全部）',
                value: state.window,
                min: 0,
                max: MOST,
                integer: true,
                set: (window) => this.change({...AFRESH, window}),
              })
        }
        ${
          batch
            ? listBox(this, {
                key: 'lengths',
                label: '各句长度',
                values: state.lengths,
                read: schema.lengths.read,
                set: (lengths) => this.change({...AFRESH, lengths}),
              })
            : nothing
        }
      </div>`;
  }

  #choice(
    style: string,
    chosen: boolean,
    patch: Partial<MaskState>,
    content: unknown,
  ): TemplateResult {
    return html`<button
      type="button"
      class=${style}
      aria-pressed=${chosen ? 'true' : 'false'}
      @click=${() => this.change(patch)}
    >
      ${content}
    </button>`;
  }

  #take(patch: Partial<MaskState>): void {
    this.drafts.clear();
    this.change({...AFRESH, ...patch});
  }
}
