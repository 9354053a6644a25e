// What the reader answered and read, kept in this browser and nowhere else.

export interface Answer {
  guess: number | null;
  /** The answer has been asked for. */
  shown: boolean;
}

const KEY = 'attn-lessons/answers';

/**
 * Everything kept, by question or lesson. A refused storage, or one that holds something else,
 * counts as empty.
 */
export function keptAll(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? {...kept} : {};
  } catch {
    return {};
  }
}

/**
 * False where the storage is refused or full: what was to be kept then lasts as long as the page.
 */
export function keepAll(all: Record<string, unknown>): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

export function keptAnswer(question: string): Answer | undefined {
  const {guess, shown} = (keptAll()[question] ?? {}) as Record<string, unknown>;
  return (guess === null || typeof guess === 'number') && typeof shown === 'boolean'
    ? {guess, shown}
    : undefined;
}

/** Nothing guessed and nothing shown is forgotten. */
export function keepAnswer(question: string, {guess, shown}: Answer): void {
  const {[question]: _, ...others} = keptAll();
  keepAll(guess === null && !shown ? others : {...others, [question]: {guess, shown}});
}
