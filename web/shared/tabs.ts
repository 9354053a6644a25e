// A row of tabs of which one is chosen: radio buttons, with their keys and their names.

import {html, type TemplateResult} from 'lit';

export interface Tabs<Value extends string> {
  /** Name of the group, for screen readers. */
  label: string;
  /** Unique within the widget. */
  name: string;
  choices: readonly (readonly [value: Value, text: string])[];
  chosen: Value;
  choose: (value: Value) => void;
}

export function tabs<Value extends string>(of: Tabs<Value>): TemplateResult {
  return html`<fieldset class="tabs">
    <legend>${of.label}</legend>
    ${of.choices.map(
      ([value, text]) =>
        html`<label>
          <input
            type="radio"
            name=${of.name}
            value=${value}
            ?checked=${value === of.chosen}
            @change=${() => of.choose(value)}
          /><span>${text}</span></label
        >`,
    )}
  </fieldset>`;
}
