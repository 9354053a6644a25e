// Authors' texts as widgets get them: written in lessons/, numbers filled in by the build.

import type {ModelCache, Refusal} from '../cache.js';
import type {RefusalWords} from './cache-json.js';
import type {AttentionKind} from '../train.js';
import type {RichText} from './rich-text.js';

export interface LessonLink {
  label: string;
  /** Relative to the site's root, where the page exists. */
  href?: string;
}

export interface QuestionContent {
  id: string;
  kind: 'choice' | 'number';
  prompt: RichText;
  options: RichText[];
  /** Index of the right option, or the value. */
  answer: number;
  /** number: how far off still counts. */
  tolerance: number;
  /** number: the answer as the page prints it. */
  answerText: string;
  explain: RichText;
  /** number: what stands behind the box. */
  unit?: string;
  /** Asked after the reading, not before it. */
  quiz?: boolean;
}

export interface TimelineNode {
  id: string;
  track: 'train' | 'generate';
  label: string;
  title: string;
  source: string;
  solved: RichText;
  stuck: RichText;
  links: LessonLink[];
  lesson?: string | string[];
  branch: boolean;
}

export interface DataflowStep {
  id: string;
  lesson: string;
  title: string;
  shapeIn: RichText;
  shapeOut: RichText;
  parameters: RichText;
  note: RichText;
  link: LessonLink;
  /** Keeps keys and values beside the main line. */
  aside?: boolean;
}

export interface DataflowContent {
  frame: string;
  steps: DataflowStep[];
}

export type FormulaPart = 'q' | 'k' | 'product' | 'divide' | 'sqrt' | 'softmax';

export interface FormulaContent {
  source: string[];
  note: string;
  parts: Record<FormulaPart, {name: string; what: RichText; why: RichText}>;
}

/** A file of lessons/models, read. */
export interface ModelEntry {
  /** The file's name without its ending. */
  id: string;
  model: string;
  cache: ModelCache | {refused: Refusal};
}

export interface ModelsContent {
  models: ModelEntry[];
  /** What the reader's codes mean. */
  assumed: Record<string, string>;
  variants: Record<string, string>;
  refused: Record<string, RefusalWords>;
  doubts: Record<string, string>;
}

/** One recorded run with a mistake in its attention, or without. */
export interface FailureRecord {
  attention: AttentionKind;
  /** Mean of the last 50 steps. */
  finalLoss: number;
  validationLoss: number;
  /** [step, value] */
  losses: [number, number][];
  gradientNorms: [number, number][];
  /** Of layer 0. */
  diagnostics: {
    step: number;
    entropy: number;
    logitDeviation: number;
    jacobianNorm: number;
    diagonal: number;
    largestRowSum: number;
  }[];
}

export interface FailuresContent {
  seed: number;
  steps: number;
  dModel: number;
  headDim: number;
  vocabSize: number;
  /** The site has a page on which they can be run. */
  trainable: boolean;
  /** The right one first. */
  records: FailureRecord[];
}
