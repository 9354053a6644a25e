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
  /** Keeps keys and values beside the main line. */
  aside?: boolean;
}

export interface DataflowSource {
  /** The frame that the steps stand in. */
  frame: string;
  /** In the order in which data passes them; lessons are learnt in the order of their ids. */
  steps: DataflowStepSource[];
}

/** What `dataflow.ts` of a chapter exports. */
export function defineDataflow(map: DataflowSource): DataflowSource {
  return map;
}
