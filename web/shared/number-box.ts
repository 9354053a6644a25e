// Number inputs: typed text stays in the box until it can be used, and a mistake only shows a
// message.

import {html, isServer, nothing, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import {plain} from './format.js';
import {
  holdsSeveral,
  InputError,
  isComposing,
  isGrouped,
  normalise,
  readNumber,
  readNumbers,
} from './input.js';
import type {NumberRange} from './schema.js';

/**
 * The type of a box before its widget is hydrated. Browsers lay out every text field after the page
 * is read, to offer to fill it in, even in parts that are out of sight.
 */
const BOX_TYPE = isServer ? 'button' : 'text';

/**
 * Chromium may leave a text box without a place, invisible and out of the accessibility tree, if it
 * was created while the part around it was skipped, as in a closed fold. Changing its type again
 * with a forced layout adds it.
 */
export function giveBoxesPlaces({shadowRoot}: Element): void {
  for (const box of shadowRoot?.querySelectorAll<HTMLInputElement>('.number input') ?? []) {
    if (!box.parentElement?.checkVisibility?.() || box.checkVisibility()) continue;
    for (const type of ['button', 'text']) {
      box.type = type;
      box.checkVisibility();
    }
  }
}

export interface BoxHost {
  readonly drafts: Map<string, {text: string; problem: string | null}>;
  requestUpdate(): void;
}

export interface NumberBox extends NumberRange {
  /** Unique within the widget. */
  key: string;
  label: string;
  /** Keep the label for screen readers only. */
  bare?: boolean;
  /** null: no value yet. */
  value: number | null;
  unit?: string;
  disabled?: boolean;
  /** The step of an arrow key, 1 when absent. */
  by?: number;
  set: (value: number) => void;
  /** Set if an empty box means "no number". */
  clear?: () => void;
  /** Set if the box accepts a pasted list: takes all of its numbers. */
  setSeveral?: (values: number[]) => void;
  /** The most numbers of a pasted list. */
  limit?: number;
}

/** A typed unit is dropped, since the box shows its own. */
function withoutUnit(text: string, unit = ''): string {
  const clean = normalise(text);
  return unit !== '' && clean.endsWith(unit) ? clean.slice(0, -unit.length).trim() : clean;
}

function typed(host: BoxHost, box: NumberBox, text: string): void {
  let problem: string | null = null;
  try {
    if (box.setSeveral && holdsSeveral(text) && !isGrouped(text)) {
      const values = readNumbers(text, box.limit ?? 256, box);
      host.drafts.delete(box.key);
      box.setSeveral(values);
      host.requestUpdate();
      return;
    }
    const bare = withoutUnit(text, box.unit);
    if (box.clear && bare === '') box.clear();
    else box.set(readNumber(bare, box));
    // Also a list of numbers of three digits looks like this.
    if (box.setSeveral && isGrouped(text))
      problem = `${box.label}：「${text.trim()}」读作一个数。要填几个数，请用空格隔开。`;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problem = `${box.label}：${error.message}`;
  }
  host.drafts.set(box.key, {text, problem});
  host.requestUpdate();
}

function stepped(host: BoxHost, box: NumberBox, by: number): void {
  // Twelve digits, so that 0.1 + 0.2 gives 0.3.
  const sum = Number(((box.value ?? 0) + by).toPrecision(12));
  const value = Math.min(box.max ?? Infinity, Math.max(box.min ?? -Infinity, sum));
  host.drafts.delete(box.key);
  box.set(value);
}

/** A text box for one number. Arrow keys step. */
export function numberBox(host: BoxHost, box: NumberBox): TemplateResult {
  const draft = host.drafts.get(box.key);
  const signedRange = box.min === undefined || box.min < 0;
  return html`<label class="number"
    >${box.bare ? nothing : html`<span>${box.label}</span>`}<input
      type=${BOX_TYPE}
      spellcheck="false"
      inputmode=${signedRange ? 'text' : 'decimal'}
      aria-label=${box.bare ? box.label : nothing}
      aria-invalid=${draft?.problem ? 'true' : 'false'}
      aria-describedby="trouble"
      ?disabled=${box.disabled ?? false}
      .value=${live(draft?.text ?? (box.value === null ? '' : plain(box.value)))}
      @input=${(event: InputEvent) => {
        if (!event.isComposing) typed(host, box, (event.target as HTMLInputElement).value);
      }}
      @compositionend=${(event: CompositionEvent) =>
        typed(host, box, (event.target as HTMLInputElement).value)}
      @keydown=${(event: KeyboardEvent) => {
        if (isComposing(event)) return;
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          const by = box.by ?? 1;
          stepped(host, box, event.key === 'ArrowUp' ? by : -by);
        }
      }}
      @blur=${() => {
        host.drafts.delete(box.key);
        host.requestUpdate();
      }}
    />${box.unit ? html`<span class="unit">${box.unit}</span>` : nothing}</label
  >`;
}

export interface Slider extends NumberBox {
  value: number;
  min: number;
  max: number;
  step: number;
  /** The slider's position for a value and back, if equal steps are not equal differences. */
  toTrack?: (value: number) => number;
  fromTrack?: (track: number) => number;
}

/** A range with a box beside it for the exact value. */
export function slider(host: BoxHost, options: Slider): TemplateResult {
  const to = options.toTrack ?? ((value) => value);
  const from = options.fromTrack ?? ((track) => track);
  return html`<span class="slider"
    ><span aria-hidden="true">${options.label}</span
    ><input
      type="range"
      aria-label=${options.label}
      min=${to(options.min)}
      max=${to(options.max)}
      step=${options.step}
      ?disabled=${options.disabled ?? false}
      aria-valuetext=${plain(options.value)}
      .value=${live(String(to(options.value)))}
      @input=${(event: InputEvent) => {
        host.drafts.delete(options.key);
        options.set(from(Number((event.target as HTMLInputElement).value)));
      }}
    />${numberBox(host, {...options, bare: true})}</span
  >`;
}

export interface ListBox {
  key: string;
  label: string;
  values: readonly number[];
  /** The reader of the field; throws InputError. */
  read: (text: string) => readonly number[];
  set: (values: readonly number[]) => void;
}

/** A text box for a row of numbers separated by commas. */
export function listBox(host: BoxHost, box: ListBox): TemplateResult {
  const draft = host.drafts.get(box.key);
  const take = (text: string) => {
    let problem: string | null = null;
    try {
      box.set(box.read(text));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problem = `${box.label}：${error.message}`;
    }
    host.drafts.set(box.key, {text, problem});
    host.requestUpdate();
  };
  return html`<label class="number list"
    ><span>${box.label}</span
    ><input
      type=${BOX_TYPE}
      spellcheck="false"
      aria-invalid=${draft?.problem ? 'true' : 'false'}
      aria-describedby="trouble"
      .value=${live(draft?.text ?? box.values.map(plain).join(', '))}
      @input=${(event: InputEvent) => {
        if (!event.isComposing) take((event.target as HTMLInputElement).value);
      }}
      @compositionend=${(event: CompositionEvent) => take((event.target as HTMLInputElement).value)}
      @blur=${() => {
        host.drafts.delete(box.key);
        host.requestUpdate();
      }}
  /></label>`;
}
