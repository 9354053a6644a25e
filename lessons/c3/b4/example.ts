// Rows chosen for branch B4.

/** The constant that is subtracted from the row of 苹果. */
export const LOWER = -10;

/** A row with one matching token and two irrelevant ones. */
export const MATCH = [5, 0, 0];

/** A row with an attention sink: the first token takes most of the weight. */
export const DUMP = {first: 5, others: 8};

/** An output gate that is almost closed. */
export const GATE = 0.2;
