// Everything that authors write besides Markdown, evaluated: numbers, questions, timeline, data
// flow.

import {readdirSync, readFileSync} from 'node:fs';
import type {Cache} from '../cache.js';
import type {Core} from '../core.js';
import type {Scaling} from '../scaling.js';
import type {Sequence} from '../sequence.js';
import type {
  DataflowContent,
  FormulaContent,
  LessonLink,
  QuestionContent,
  TimelineNode,
} from '../shared/content.js';
import type {Resources} from '../shared/runtime.js';
import type {TeachingWorld} from '../shared/world.js';
import {BuildError, lineOf} from './build-error.js';
import {CasePages, type CasePart} from './case-pages.js';
import type {ChapterLesson, ChapterSource} from './chapter.js';
import {readData, requireMatrix, valueAt} from './data-files.js';
import type {DataflowSource} from './dataflow.js';
import {thingsOf} from './flow-path.js';
import type {FormulaSource} from './formula.js';
import {MODELS_FOLDER, modelFile, readModel} from './model-files.js';
import {modelNumbers, type Model} from './model-numbers.js';
import {
  format,
  numberContext,
  type ModelFile,
  type NumberContext,
  type NumbersModule,
  type NumberSpec,
} from './numbers.js';
import {lessonExists, lessonFolder} from './paths.js';
import type {QuestionSource, QuestionsModule} from './questions.js';
import {richText} from './rich-text.js';
import {shapesOf} from './thumbs.js';
import type {LinkSource, TimelineSource} from './timeline.js';

const numbersModules = import.meta.glob<{default: NumbersModule}>('../../lessons/**/numbers.ts', {
  eager: true,
});
const questionsModules = import.meta.glob<{default: QuestionsModule}>(
  '../../lessons/**/questions.ts',
  {eager: true},
);
const timelines = import.meta.glob<{default: TimelineSource[]}>('../../lessons/*/timeline.ts', {
  eager: true,
});
const formulas = import.meta.glob<{default: FormulaSource}>('../../lessons/*/formula.ts', {
  eager: true,
});
const dataflows = import.meta.glob<{default: DataflowSource}>('../../lessons/*/dataflow.ts', {
  eager: true,
});
const chapters = import.meta.glob<{default: ChapterSource}>('../../lessons/*/chapter.ts', {
  eager: true,
});

const casePages = import.meta.glob<{default: CasePart[]}>('../../lessons/case/pages.ts', {
  eager: true,
});

const WORLD_FILE = 'lessons/data/teaching-world.json';

/** "../../lessons/c3/l03/numbers.ts" → "c3/l03" */
const folderOf = (path: string) => path.replace('../../lessons/', '').replace(/\/?[^/]+$/, '');
const sourcePath = (path: string) => path.replace('../../', '');
/** The numbers of all models; its folder has no numbers.ts. */
const MODELS = 'models';

export class Course {
  readonly core: Core;
  readonly cache: Cache;
  readonly scaling: Scaling;
  readonly sequence: Sequence;
  readonly world: TeachingWorld;
  readonly chapters: ChapterSource[];
  /** The lessons of all chapters, in order. */
  readonly lessons: ChapterLesson[];
  readonly casePages: CasePages;
  readonly #numbers = new Map<string, Record<string, NumberSpec>>();
  readonly #questions = new Map<string, ReadonlyMap<string, QuestionContent>>();
  #readModels: Model[] | undefined;
  readonly #modelsFolder: string;
  readonly #models = new Map<string, ModelFile>();

  constructor(
    {core, cache, scaling, sequence}: Omit<Resources, 'world'>,
    modelsFolder = MODELS_FOLDER,
  ) {
    this.#modelsFolder = modelsFolder;
    this.core = core;
    this.cache = cache;
    this.scaling = scaling;
    this.sequence = sequence;
    const world = readData(WORLD_FILE, '每一课');
    for (const key of [
      'tokens',
      'd_model',
      'n_heads',
      'd_head',
      'feature_names',
      'embeddings',
      'W_Q',
      'W_K',
      'W_V',
      'W_O',
    ])
      valueAt(world, [key], '每一课');
    this.world = world.value as TeachingWorld;
    const {tokens, d_model} = this.world;
    requireMatrix(world, 'embeddings', tokens.length, d_model, '每一课');
    for (const key of ['W_Q', 'W_K', 'W_V', 'W_O'])
      requireMatrix(world, key, d_model, d_model, '每一课');
    this.chapters = Object.values(chapters).map((module) => module.default);
    this.lessons = this.chapters.flatMap((chapter) => chapter.lessons);
    this.casePages = new CasePages(Object.values(casePages).flatMap((module) => module.default));
  }

  /** Evaluates all that is otherwise evaluated when a page needs it. Throws BuildError. */
  evaluate(): void {
    for (const path of Object.keys(numbersModules)) this.#ownNumbers(folderOf(path));
    this.#ownNumbers(MODELS);
    this.questions();
  }

  /** Every file of lessons/models, by name. */
  get models(): Model[] {
    return (this.#readModels ??= readdirSync(this.#modelsFolder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => name.replace(/\.json$/, ''))
      .map((id) => readModel(this.cache, this.#model(id, 'models/'), 'models/')));
  }

  /** A folder's own numbers and those of the folders above it. */
  numbersFor(folder: string): Record<string, NumberSpec> {
    const parts = folder.split('/').filter(Boolean);
    const merged: Record<string, NumberSpec> = {};
    for (let i = 0; i <= parts.length; i++) {
      const own = this.#ownNumbers(parts.slice(0, i).join('/'));
      for (const [id, spec] of Object.entries(own)) {
        if (merged[id] && merged[id] !== spec)
          throw new BuildError(
            `lessons/${parts.slice(0, i).join('/')}/numbers.ts`,
            1,
            `数字「${id}」在上一级已经有了，换一个名字`,
          );
        merged[id] = spec;
      }
    }
    return merged;
  }

  #ownNumbers(folder: string): Record<string, NumberSpec> {
    const known = this.#numbers.get(folder);
    if (known) return known;
    const numbers = this.#evaluatedNumbers(folder);
    this.#numbers.set(folder, numbers);
    return numbers;
  }

  #evaluatedNumbers(folder: string): Record<string, NumberSpec> {
    if (folder === MODELS)
      return Object.assign({}, ...this.models.map((model) => modelNumbers(this.cache, model)));
    const [path, module] = modulesIn(numbersModules, folder)[0] ?? [];
    if (!path || !module) return {};
    const file = sourcePath(path);
    return this.#guard(file, () => module.default(this.#context(file)));
  }

  /** Throws BuildError for an id that no numbers.ts of the folder or above has. */
  finder(folder: string, path: string): (id: string) => NumberSpec {
    const numbers = this.numbersFor(folder);
    return (id) => {
      const spec = numbers[id];
      if (!spec)
        throw new BuildError(
          path,
          lineOf(readFileSync(path, 'utf8'), `{num ${id}}`),
          `没有叫「${id}」的数字；它该写在 lessons/${folder ? `${folder}/` : ''}numbers.ts 里`,
        );
      return spec;
    };
  }

  /** The questions of all folders by name: "c3-l03/share-negative". */
  questions(): Map<string, QuestionContent> {
    const folders = Object.keys(questionsModules).map(folderOf);
    return new Map(folders.flatMap((folder) => [...this.questionsIn(folder)]));
  }

  /** The questions of one folder of lessons/, by name. */
  questionsIn(folder: string): ReadonlyMap<string, QuestionContent> {
    const known = this.#questions.get(folder);
    if (known) return known;
    const questions = new Map<string, QuestionContent>();
    for (const [path, module] of modulesIn(questionsModules, folder)) {
      const file = sourcePath(path);
      const numbers = this.numbersFor(folder);
      const find = this.finder(folder, file);
      const sources = this.#guard(file, () => module.default({...this.#context(file), numbers}));
      for (const [name, source] of Object.entries(sources)) {
        const id = `${folder.replaceAll('/', '-')}/${name}`;
        const options = (source.options ?? []).map((option) => richText(option, find));
        if (source.kind === 'choice' && !options[source.answer])
          throw new BuildError(
            file,
            lineOf(readFileSync(file, 'utf8'), name),
            `「${name}」的答案 ${source.answer} 不是任何一个选项`,
          );
        questions.set(id, {
          id,
          kind: source.kind,
          prompt: richText(source.prompt, find),
          options,
          answer: source.answer,
          tolerance: source.tolerance ?? 0,
          answerText: answerText(source),
          explain: richText(source.explain, find),
          ...(source.unit && {unit: source.unit}),
          ...(source.quiz && {quiz: true}),
        });
      }
    }
    this.#questions.set(folder, questions);
    return questions;
  }

  timeline(): TimelineNode[] {
    return Object.entries(timelines).flatMap(([path, module]) => {
      const find = this.finder(folderOf(path), sourcePath(path));
      return module.default.map(({wall, ...node}) => ({
        ...node,
        branch: node.branch ?? false,
        links: node.links.map(linkOf),
        solved: richText(node.solved, find),
        stuck: richText(node.stuck, find),
        picture: shapesOf(node.picture),
        ...(wall !== undefined && {wall: richText(wall, find)}),
      }));
    });
  }

  formula(): FormulaContent {
    const [entry] = Object.entries(formulas);
    if (!entry) throw new BuildError('lessons/c3/formula.ts', 1, '没有公式的说明');
    const [path, module] = entry;
    const find = this.finder(folderOf(path), sourcePath(path));
    const parts = Object.entries(module.default.parts).map(([id, {name, what, why}]) => [
      id,
      {name, what: richText(what, find), why: richText(why, find)},
    ]);
    return {...module.default, parts: Object.fromEntries(parts) as FormulaContent['parts']};
  }

  dataflow(): DataflowContent {
    const [entry] = Object.entries(dataflows);
    if (!entry) throw new BuildError('lessons/c3/dataflow.ts', 1, '没有数据流图');
    const [path, module] = entry;
    const find = this.finder(folderOf(path), sourcePath(path));
    return {
      frame: module.default.frame,
      steps: module.default.steps.map((step) => ({
        ...step,
        shapeIn: richText(step.shapeIn, find),
        shapeOut: richText(step.shapeOut, find),
        parameters: richText(step.parameters, find),
        note: richText(step.note, find),
        link: linkOf({label: this.labelOf(step.lesson), lesson: step.lesson}),
        things: thingsOf(step.lesson).join(' '),
      })),
    };
  }

  /** 第3课 for "c3-l03". */
  labelOf(lesson: string): string {
    return this.lessons.find((entry) => entry.id === lesson)?.label ?? lesson;
  }

  #context(neededBy: string): NumberContext {
    const model = (id: string) => this.#model(id, neededBy);
    return numberContext(
      {
        core: this.core,
        cache: this.cache,
        scaling: this.scaling,
        sequence: this.sequence,
        world: this.world,
        model,
      },
      neededBy,
    );
  }

  #model(id: string, neededBy: string): ModelFile {
    const known = this.#models.get(id);
    if (known) return known;
    const model = modelFile(id, neededBy, this.#modelsFolder);
    this.#models.set(id, model);
    return model;
  }

  /**
   * Reports a mistake inside an author's module with the module's path, except a mistake that comes
   * from a model's unreadable config.
   */
  #guard<T>(path: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (error instanceof BuildError) throw error;
      if (!(error instanceof Error)) throw error;
      for (const model of this.#models.values()) readModel(this.cache, model, path);
      const line = Number(
        new RegExp(`${path.replaceAll('.', '\\.')}:(\\d+)`).exec(error.stack ?? '')?.[1] ?? 1,
      );
      throw new BuildError(path, line, error.message);
    }
  }
}

/** The modules of a folder of lessons/ by their paths; there is at most one of each kind. */
function modulesIn<T>(modules: Record<string, T>, folder: string): [path: string, module: T][] {
  return Object.entries(modules).filter(([path]) => folderOf(path) === folder);
}

/** The answer as pages print numbers. */
function answerText({answer, unit = ''}: QuestionSource): string {
  return unit === '%' ? format.percent()(answer / 100) : `${format.general(4)(answer)}${unit}`;
}

function linkOf(link: LinkSource): LessonLink {
  if (link.lesson && lessonExists(link.lesson))
    return {label: link.label, href: `${lessonFolder(link.lesson)}index.html`};
  return {label: link.label};
}
