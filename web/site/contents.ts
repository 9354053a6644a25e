// The authors' texts as widgets show them, by the names that tags use.

import {assumedWords, doubtWords, refusalWords, variantWords} from '../shared/course-data.js';
import type {ConfigsContent, ModelsContent} from '../shared/content.js';
import {caseContents} from './case-records.js';
import {widthsContent} from './case-widths.js';
import type {Course} from './course.js';
import {readData, valueAt} from './data-files.js';
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

/** A model of the case as a config: GPT-2's layout, without terms in the attention. */
function caseModel(id: 'small' | 'large', name: string): ConfigsContent['models'][number] {
  const path = `lessons/case/${id}-scaled.json`;
  const file = readData(path, 'attn-params');
  const of = (key: string) => valueAt(file, ['config', key], 'attn-params');
  const config = {
    model_type: 'gpt2',
    n_layer: of('nLayers'),
    n_head: of('nHeads'),
    n_embd: of('dModel'),
    n_inner: of('dFf'),
    n_positions: of('blockSize'),
    vocab_size: of('vocabSize'),
    attention_bias: false,
  };
  return {id, name, config};
}

function configsContent({cache, models}: Course): ConfigsContent {
  const counted = models.filter(({file}) => !('refused' in cache.readParameters(file.config)));
  return {
    models: [
      caseModel('small', '本站的小模型'),
      caseModel('large', '本站的大模型'),
      ...counted.map(({id, model, file}) => ({id, name: model, config: file.config})),
    ],
    refused: refusalWords,
  };
}

const single: Record<string, (course: Course) => unknown> = {
  timeline: (course) => course.timeline(),
  dataflow: (course) => course.dataflow(),
  formula: (course) => course.formula(),
  models: modelsContent,
  configs: configsContent,
  failures: failuresContent,
  widths: widthsContent,
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
