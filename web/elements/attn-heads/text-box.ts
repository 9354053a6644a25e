// The box for a text that the trained model reads.

import {html, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import {integer} from '../../shared/format.js';
import type {BoxHost} from '../../shared/number-box.js';

/** One line for each sentence, so that verse looks like verse; the model gets no line breaks. */
const asLines = (text: string): string => text.replace(/([。！？])(?=.)/gu, '$1\n');

export interface TextBox {
  text: string;
  label: string;
  /** The most characters. */
  most: number;
  rows: number;
}

export interface TextHost extends BoxHost {
  change: (patch: {text: string}) => void;
}

export function textBox(host: TextHost, {text, label, most, rows}: TextBox): TemplateResult {
  const draft = host.drafts.get('text');
  const take = (typed: string) => {
    const clean = typed.replace(/\s*\n\s*/g, '').trim();
    const count = [...clean].length;
    const problem =
      clean === ''
        ? `${label}：这里还空着，图仍按上一次的画。`
        : count > most
          ? `${label}：最多${integer(most)}个字，这里有${integer(count)}个。`
          : null;
    host.drafts.set('text', {text: typed, problem});
    if (problem === null) host.change({text: clean});
    host.requestUpdate();
  };
  return html`<label
    >${label}<textarea
      rows=${rows}
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${draft?.problem ? 'true' : 'false'}
      aria-describedby="trouble"
      .value=${live(draft?.text ?? asLines(text))}
      @input=${(event: InputEvent) => {
        if (!event.isComposing) take((event.target as HTMLTextAreaElement).value);
      }}
      @compositionend=${(event: CompositionEvent) =>
        take((event.target as HTMLTextAreaElement).value)}
      @blur=${() => {
        host.drafts.delete('text');
        host.requestUpdate();
      }}
    ></textarea>
  </label>`;
}
