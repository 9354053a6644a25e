// Veils what follows a prediction until the reader answers it, skips it, or reaches the hidden text
// by a link or by the browser's search. Without scripts and in print nothing is veiled. An entry of
// the question in the storage (see shared/answers.ts, which this script cannot import) keeps the
// veil open.

import type {CheckState} from '../elements/attn-check.js';

const KEY = 'attn-lessons/answers';

function kept(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

class LessonVeil extends HTMLElement {
  /** The parser calls this before it reads the content, so the content is never painted. */
  connectedCallback(): void {
    if (!kept()[this.question])
      this.setAttribute('hidden', 'onbeforematch' in this ? 'until-found' : '');
  }

  get question(): string {
    return this.dataset['question'] ?? '';
  }
}

function open(question: string): void {
  for (const veil of document.querySelectorAll<LessonVeil>('lesson-veil'))
    if (veil.question === question) veil.removeAttribute('hidden');
}

function skip({question}: LessonVeil): void {
  open(question);
  try {
    const entries = kept();
    entries[question] ??= {guess: null, shown: false};
    localStorage.setItem(KEY, JSON.stringify(entries));
  } catch {
    // Storage is refused: the text stays open until the page is closed.
  }
}

/** Opens the veils around the element that the address names, and scrolls there again. */
function openTarget(): void {
  const [id = ''] = location.hash.slice(1).split('?');
  const target = document.getElementById(id);
  let veil = target?.closest<LessonVeil>('lesson-veil');
  if (veil) requestAnimationFrame(() => target?.scrollIntoView());
  for (; veil; veil = veil.parentElement?.closest('lesson-veil')) skip(veil);
}

customElements.define('lesson-veil', LessonVeil);
addEventListener('hashchange', openTarget);
addEventListener('DOMContentLoaded', openTarget);
addEventListener('beforematch', ({target}) => skip(target as LessonVeil));
addEventListener('attn-change', (event) => {
  const {question, guess, shown} = (event as CustomEvent<{state: Partial<CheckState>}>).detail
    .state;
  if (question !== undefined && (guess !== null || shown)) open(question);
});
addEventListener('click', ({target}) => {
  const veil = (target as Element).closest('.unveil button')?.parentElement?.nextElementSibling;
  if (!veil) return;
  skip(veil as LessonVeil);
  // The button is gone, so the focus moves to the text.
  (veil as LessonVeil).tabIndex = -1;
  (veil as LessonVeil).focus({preventScroll: true});
});
