// The evolution of attention, as an author writes it.

export interface LinkSource {
  label: string;
  /** A lesson of this course; a link where its page exists. */
  lesson?: string;
  /** A course that is named without a link. */
  course?: string;
}

export interface TimelineSource {
  id: string;
  track: 'train' | 'generate';
  label: string;
  title: string;
  source: string;
  /** Texts may hold `{num id}` of the chapter's numbers. */
  solved: string;
  stuck: string;
  links: LinkSource[];
  /** The lesson, or lessons, that this node stands for; their pages open the timeline at it. */
  lesson?: string | string[];
  /** The node is drawn beside the track. */
  branch?: boolean;
}

/** Types the export of a chapter's `timeline.ts`. */
export function defineTimeline(nodes: TimelineSource[]): TimelineSource[] {
  return nodes;
}
