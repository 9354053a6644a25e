// The reader's answers, kept in this browser and nowhere else.

export interface Answer {
  guess: number | null;
  /** The answer has been asked for. */
  shown: boolean;
}

const KEY = 'attn-lessons/answers';

/** A refused storage, or one that holds something else, counts as empty. */
function readAll(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? {...kept} : {};
  } catch {
    return {};
  }
}

export function keptAnswer(question: string): Answer | undefined {
  const {guess, shown} = (readAll()[question] ?? {}) as Record<string, unknown>;
  return (guess === null || typeof guess === 'number') && typeof shown === 'boolean' ? {guess, shown} : undefined;
}

/** Nothing guessed and nothing shown is forgotten. */
export function keepAnswer(question: string, {guess, shown}: Answer): void {
  const {[question]: _, ...others} = readAll();
  const all = guess === null && !shown ? others : {...others, [question]: {guess, shown}};
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // Refused or full: the answer then lasts as long as the page.
  }
}
