// The reader's answers, kept in this browser and nowhere else.

export interface Answer {
  guess: number | null;
  /** The answer has been asked for. */
  shown: boolean;
}

const KEY = 'attn-lessons/answers';

/** Whatever is there but no record of answers counts as none; so does a refused storage. */
function readAll(): Record<string, Answer> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, Answer>) : {};
  } catch {
    return {};
  }
}

export function keptAnswer(question: string): Answer | undefined {
  return readAll()[question];
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
