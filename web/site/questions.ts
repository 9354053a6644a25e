// Stop-and-think points and quiz questions: the text is the author's, the answer is computed.

import type {NumberContext, NumberSpec} from './numbers.js';

export interface QuestionSource {
  kind: 'choice' | 'number';
  prompt: string;
  options?: string[];
  /** choice: index of the right option; number: the value. The core computes it. */
  answer: number;
  tolerance?: number;
  explain: string;
  /** number: the text behind the box, e.g. "%". */
  unit?: string;
  /** The question stands after the text of the lesson. */
  quiz?: boolean;
}

export type QuestionsModule = (
  context: NumberContext & {numbers: Record<string, NumberSpec>},
) => Record<string, QuestionSource>;

/** Types the export of a `questions.ts`. Texts may hold `{num id}` and `**strong**`. */
export function defineQuestions(make: QuestionsModule): QuestionsModule {
  return make;
}

/** The index of the option whose condition holds; throws unless exactly one holds. */
export function rightOption(...conditions: boolean[]): number {
  const right = conditions.indexOf(true);
  if (right < 0 || right !== conditions.lastIndexOf(true)) {
    throw new Error(`exactly one option must hold, got ${conditions.join(', ')}`);
  }
  return right;
}

/** Equal up to the rounding of a few operations on numbers of this size. */
export function same(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-12 * Math.max(1, Math.abs(a));
}
