// The evolution of attention, as an author writes it.
import type {ThumbName} from './thumbs.js';

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
  /** The number that it is stuck on, in a few characters, for the arrow that leaves it. */
  wall?: string;
  /** A few characters, for the picture. */
  name: string;
  /** As the axis prints it; left out for what has no year. */
  year?: string;
  /** Said once beside the year, where several nodes share it. */
  yearNote?: string;
  /** Place on the axis of the years, counted from 0. */
  column: number;
  picture: ThumbName;
  /** The node that takes up what this one is stuck on; without it, the next one of the track. */
  next?: string;
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
