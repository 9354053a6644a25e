// The authors' texts as widgets show them, by the names that tags use.

import {assumedWords, doubtWords, refusalWords, variantWords} from '../shared/course-data.js';
import type {ModelsContent} from '../shared/content.js';
import {caseContents} from './case-records.js';
import type {Course} from './course.js';
import {failuresContent} from './failures.js';

/** By name: "timeline", "questions/c3-l03/ratio-two" … */
export function contentsOf(course: Course): Map<string, unknown> {
  const models: ModelsContent = {
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
  return new Map<string, unknown>([
    ...[...course.questions()].map(([id, question]) => [`questions/${id}`, question] as const),
    ['timeline', course.timeline()],
    ['dataflow', course.dataflow()],
    ['formula', course.formula()],
    ['models', models],
    ...caseContents(),
    ['failures', failuresContent()],
  ]);
}
