// Moments of a recorded run: what the model writes after some steps, and how its heads attend.

/** The model after some steps of a recorded run. */
export interface Moment {
  steps: number;
  /** The poem from the prompt, at temperature 1 with the seed of the run. */
  poem: string;
  /** The weights of each head on the text, in thousandths: row by row, each up to its own place. */
  maps: {layer: number; head: number; weights: number[]}[];
}

/** The moments of a run, which a page shows in turn. */
export interface Moments {
  /** The text that the maps are about. */
  text: string;
  prompt: string;
  moments: Moment[];
}

/** The rows of a map, as shares of 1. */
export function rowsOfMap(weights: readonly number[]): number[][] {
  const rows: number[][] = [];
  for (let start = 0; start < weights.length; start += rows.length)
    rows.push(weights.slice(start, start + rows.length + 1).map((each) => each / 1000));
  return rows;
}
