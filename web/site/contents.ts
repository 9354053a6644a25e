// The authors' texts as widgets show them, by the names that tags use.

import {assumedWords, doubtWords, refusalWords, variantWords} from '../shared/course-data.js';
import type {ModelsContent} from '../shared/content.js';
import {caseContents} from './case-records.js';
import type {Course} from './course.js';
import {failuresContent} from './failures.js';

function modelsContent(course: Course): ModelsContent {
  return {
    models: course.models.map(({id, model, cache, parameters}) => ({
      id,
      model,
      cache,
      ...(parameters && {parameters}),
    })),
    assumed: assumedWords,
    variants: variantWords,
    refused: refusalWords,
    doubts: doubtWords,
  };
}

const single: Record<string, (course: Course) => unknown> = {
  timeline: (course) => course.timeline(),
  dataflow: (course) => course.dataflow(),
  formula: (course) => course.formula(),
  models: modelsContent,
  failures: failuresContent,
};

/** Texts by name: "timeline", "questions/c3-l03/ratio-two" … Each is made when first asked for. */
export class Contents {
  readonly #course: Course;
  readonly #made = new Map<string, unknown>();
  #cases: ReadonlyMap<string, unknown> | undefined;

  constructor(course: Course) {
    this.#course = course;
  }

  /** undefined for a name that no text has. */
  get(name: string): unknown {
    if (!this.#made.has(name)) this.#made.set(name, this.#make(name));
    return this.#made.get(name);
  }

  /** Every text by its name. */
  all(): Map<string, unknown> {
    const questions = [...this.#course.questions().keys()].map((id) => `questions/${id}`);
    const names = [...questions, ...Object.keys(single), ...this.#caseContents().keys()];
    return new Map(names.map((name) => [name, this.get(name)]));
  }

  #make(name: string): unknown {
    const [kind, folder = '', question = ''] = name.split('/');
    if (kind === 'questions')
      return this.#course.questionsIn(folder.replaceAll('-', '/')).get(`${folder}/${question}`);
    return single[name]?.(this.#course) ?? this.#caseContents().get(name);
  }

  #caseContents(): ReadonlyMap<string, unknown> {
    return (this.#cases ??= caseContents());
  }
}
