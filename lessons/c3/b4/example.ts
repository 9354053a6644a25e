// Rows chosen for branch B4.

/** How far the row of 苹果 is moved down, to ask whether low scores take less. */
export const LOWER = -10;

/** A row that has found what it looks for, beside two tokens that have nothing to say. */
export const MATCH = [5, 0, 0];

/** A row as trained models make it: the first token takes the rest, which is then thrown away. */
export const DUMP = {first: 5, others: 8};

/** An output gate that is almost closed. */
export const GATE = 0.2;
