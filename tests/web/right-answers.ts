// The right answers of a lesson's questions, for tests.

import type {QuestionSource} from '../../web/site/questions.js';

/** The text of the right option, or the number. */
export function rightAnswers(questions: Record<string, QuestionSource>) {
  return (name: string): string | number | undefined => {
    const question = questions[name];
    if (!question) throw new Error(`no question ${name}`);
    return question.kind === 'choice' ? question.options?.[question.answer] : question.answer;
  };
}
