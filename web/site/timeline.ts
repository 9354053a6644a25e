// The evolution of attention, as an author writes it.

export interface LinkSource {
  label: string;
  /** A lesson of this course; linked where its page exists. */
  lesson?: string;
  /** A course that is only named. */
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
  /** The lesson, or lessons, that this node is; their pages open the timeline here. */
  lesson?: string | string[];
  /** Hangs off the track instead of standing on it. */
  branch?: boolean;
}

/** What `timeline.ts` of a chapter exports. */
export function defineTimeline(nodes: TimelineSource[]): TimelineSource[] {
  return nodes;
}
