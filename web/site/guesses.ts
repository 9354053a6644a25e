// Draws the guess of a prediction as a ghost in the widget that shows the answer: its attribute
// `guessed` names the question, which asks for a percentage.

import type {CheckState} from '../elements/attn-check.js';
import {keptAnswer} from '../shared/answers.js';

/** A widget that can show a guess. */
interface Guessed extends HTMLElement {
  guess: number | null;
  updateComplete: Promise<unknown>;
}

export function showGuesses(): void {
  for (const widget of document.querySelectorAll<Guessed>('[guessed]')) {
    const question = widget.getAttribute('guessed') ?? '';
    const show = async (guess: number | null) => {
      // The first drawing must equal the build's.
      widget.removeAttribute('defer-hydration');
      await widget.updateComplete;
      widget.guess = guess === null ? null : Math.min(1, Math.max(0, guess / 100));
    };
    const kept = keptAnswer(question)?.guess ?? null;
    if (kept !== null) void show(kept);
    document.addEventListener('attn-change', (event) => {
      const {state} = (event as CustomEvent<{state: Partial<CheckState>}>).detail;
      if (state.question === question) void show(state.guess ?? null);
    });
  }
}
