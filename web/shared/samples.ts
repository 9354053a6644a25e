// A row of chips of which each sets a part of the state that is worth seeing.

import {html, type TemplateResult} from 'lit';

export interface Sample<State> {
  name: string;
  patch: Partial<State>;
}

/** The chip is pressed whose values are those of the state. */
export function samplesRow<State extends object>(of: {
  label: string;
  samples: readonly Sample<State>[];
  state: State;
  take: (patch: Partial<State>) => void;
}): TemplateResult {
  const chosen = (patch: Partial<State>) =>
    Object.entries(patch).every(
      ([key, value]) => String(value) === String(of.state[key as keyof State]),
    );
  return html`<div class="row" role="group" aria-label=${of.label}>
    <span>${of.label}</span>${of.samples.map(
      ({name, patch}) =>
        html`<button
          type="button"
          class="chip"
          aria-pressed=${chosen(patch) ? 'true' : 'false'}
          @click=${() => of.take(patch)}
        >
          ${name}
        </button>`,
    )}
  </div>`;
}
