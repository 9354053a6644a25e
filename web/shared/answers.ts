// The reader's answers and finished lessons, stored in this browser only.

export interface Answer {
  guess: number | null;
  /** The reader has opened the answer. */
  shown: boolean;
}

const KEY = 'attn-lessons/answers';

/**
 * All stored entries, by question or lesson. Refused storage, or storage with other data, counts as
 * empty.
 */
export function keptAll(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? {...kept} : {};
  } catch {
    return {};
  }
}

/** False if the storage is refused or full; the entry then lasts as long as the page. */
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

/** An entry without a guess and without an opened answer is removed. */
export function keepAnswer(question: string, {guess, shown}: Answer): void {
  const {[question]: _, ...others} = keptAll();
  keepAll(guess === null && !shown ? others : {...others, [question]: {guess, shown}});
}
