// The text in a widget's boxes while it can't be used yet, or until the box loses the focus.

export interface Draft {
  text: string;
  /** A sentence for the reader if the text can't be used. */
  problem: string | null;
}

/** Drafts by the key of their box. */
export class Drafts extends Map<string, Draft> {
  /** The first problem of all boxes. */
  get problem(): string | null {
    return [...this.values()].find((draft) => draft.problem)?.problem ?? null;
  }
}
