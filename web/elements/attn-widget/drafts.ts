// What is being typed into a widget's boxes, until it can be used or the box is left.

export interface Draft {
  text: string;
  /** A sentence for the reader where the text can't be used. */
  problem: string | null;
}

/** By the key of the box. */
export class Drafts extends Map<string, Draft> {
  /** The first problem of all boxes. */
  get problem(): string | null {
    return [...this.values()].find((draft) => draft.problem)?.problem ?? null;
  }
}
