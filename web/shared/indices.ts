// Letters with an index in running text: d_k, q_i, W_Q, d_model. Names of config keys stay as they
// are.

const INDEX = /(?<=(?<![A-Za-z_])[A-Za-z])_([A-Za-z]|model)(?![A-Za-z_])/;

/** Text and index by turns: "√d_k。" → ["√d", "k", "。"]. */
export function indices(text: string): string[] {
  return text.split(INDEX);
}
