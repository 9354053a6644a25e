// The types of authors' texts for widgets: written in lessons/, with numbers filled in by the
// build.

import type {ModelCache, Refusal} from '../cache.js';
import type {RefusalWords} from './cache-json.js';
import type {AttentionKind} from '../train.js';
import type {RichText} from './rich-text.js';
import type {Shape} from './thumb.js';

/** Recorded runs of models with one head of growing width, with and without ÷√d. */
export interface WidthsContent {
  /** Steps of each run. */
  steps: number;
  /** SHA-256 of the text. */
  corpus: string;
  /** The command that made the first of them. */
  command: string;
  seeds: {
    seed: number;
    runs: {width: number; attention: 'scaled' | 'unscaled'; loss: number | null}[];
  }[];
}

export interface LessonLink {
  label: string;
  /** Address relative to the site's root, if the page exists. */
  href?: string;
}

export interface QuestionContent {
  id: string;
  kind: 'choice' | 'number';
  prompt: RichText;
  options: RichText[];
  /** Index of the right option, or the value. */
  answer: number;
  /** number: the tolerance of a correct answer. */
  tolerance: number;
  /** number: the answer as the page prints it. */
  answerText: string;
  explain: RichText;
  /** number: the unit behind the box. */
  unit?: string;
  /** True if the question comes after the reading, not before it. */
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
  wall?: RichText;
  name: string;
  year?: string;
  yearNote?: string;
  column: number;
  picture: Shape[];
  next?: string;
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
  /** Names that marks of these things have on a page (data-thing), separated by spaces. */
  things: string;
  /** True for a step that keeps keys and values beside the main line. */
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

/** The contents of a file of lessons/models. */
export interface ModelEntry {
  /** The file's name without its ending. */
  id: string;
  model: string;
  cache: ModelCache | {refused: Refusal};
  /** Left out where the config does not give it. */
  parameters?: number;
}

export interface ModelsContent {
  models: ModelEntry[];
  /** The texts for the codes of the config reader. */
  assumed: Record<string, string>;
  variants: Record<string, string>;
  refused: Record<string, RefusalWords>;
  doubts: Record<string, string>;
}

/** Published configs whose parameters are counted, and the case's two models. */
export interface ConfigsContent {
  models: {id: string; name: string; config: unknown}[];
  refused: Record<string, RefusalWords>;
}

/** One recorded run with a mistake in its attention, or without. */
export interface FailureRecord {
  attention: AttentionKind;
  /** Mean loss of the last 50 steps. */
  finalLoss: number;
  validationLoss: number;
  /** [step, value] */
  losses: [number, number][];
  gradientNorms: [number, number][];
  /** Diagnostics of layer 0. */
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
  /** True if the site has a page that can repeat the runs. */
  trainable: boolean;
  /** The correct run first. */
  records: FailureRecord[];
}
