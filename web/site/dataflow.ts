// The cumulative data-flow map, as an author writes it.

export interface DataflowStepSource {
  id: string;
  lesson: string;
  title: string;
  /** This and the next three may hold `{num id}` of the chapter's numbers. */
  shapeIn: string;
  shapeOut: string;
  parameters: string;
  note: string;
  /** The step keeps keys and values beside the main line. */
  aside?: boolean;
}

export interface DataflowSource {
  /** The frame around the steps. */
  frame: string;
  /** In the order in which data passes them; lessons are learnt in the order of their ids. */
  steps: DataflowStepSource[];
}

/** Types the export of a chapter's `dataflow.ts`. */
export function defineDataflow(map: DataflowSource): DataflowSource {
  return map;
}
