// Eleventy, set up for the course: Markdown as lessons use it, pages that the build makes itself,
// filters of the layout, and the checks before a page is rendered.

import {existsSync, readFileSync} from 'node:fs';
import Eleventy from '@11ty/eleventy';
import type MarkdownIt from 'markdown-it';
import type {ClientAssets} from './assets.js';
import {BuildError} from './build-error.js';
import type {Course} from './course.js';
import {flowPath} from './flow-path.js';
import {headingHtml} from './headings.js';
import {lessonPicture} from './lesson-pictures.js';
import {checkBoxes, checkFrame, checkHead} from './frame.js';
import {BOX_NAMES} from './markdown.js';
import {modelsTable} from './models.js';
import {BASE, lessonExists, lessonFolder, type MadePage, type PageEnv} from './paths.js';

interface PageData {
  page: {inputPath: string; url: string};
  id?: string;
}

export interface Setup {
  course: Course;
  md: MarkdownIt;
  assets: ClientAssets;
  out: string;
  made: readonly MadePage[];
  /** Turns a rendered page into the published one. */
  finish: (html: string, page: PageData['page']) => Promise<string>;
}

export function setUpEleventy({course, md, assets, out, made, finish}: Setup): Eleventy {
  const {lessons} = course;
  const eleventy = new Eleventy('lessons', out, {
    quietMode: true,
    config(config) {
      config.setIncludesDirectory('../web/site/layouts');
      config.setTemplateFormats(['md']);
      // Programs that a page offers for download stand beside it.
      config.addPassthroughCopy('lessons/case/**/*.py');
      // Redrawing a page reads its template again.
      config.setUseTemplateCache(false);
      config.setLibrary('md', md);
      config.addGlobalData('layout', 'page.njk');
      config.addGlobalData('assets', assets);
      config.addGlobalData('chapters', course.chapters);
      config.addGlobalData('base', BASE);
      config.addFilter('inline', function (this: {page: PageEnv['page']}, text: string) {
        return md.renderInline(text, {page: this.page});
      });
      config.addFilter('heading', headingHtml);
      config.addFilter('caseFrame', (url: string) =>
        course.casePages.frame(url.replace(/^\/|\/$/g, '')),
      );
      for (const [name, filter] of Object.entries(lessonFilters(course)))
        config.addFilter(name, filter);
      config.addPreprocessor('frame', 'md', (data: PageData, content: string) => {
        checkPage(data, content, lessons);
        return content;
      });
      for (const {path, markdown, data} of made) config.addTemplate(path, markdown, data);
      config.addPreprocessor('models', 'md', (_data: PageData, content: string) =>
        content.replace('{models}', () => modelsTable(course.models, course.numbersFor('models'))),
      );
      config.addTransform('finish', function (this: {page: PageData['page']}, content: string) {
        return finish(fillCase(course, md, content), this.page);
      });
      return {markdownTemplateEngine: false, htmlTemplateEngine: false};
    },
  });
  eleventy.disableLogger();
  return eleventy;
}

/** Puts the lists of the case in the places of a page that ask for them. */
function fillCase(course: Course, md: MarkdownIt, html: string): string {
  const {casePages} = course;
  const render = (markdown: string, folder: string) =>
    md.render(markdown, {page: {inputPath: `lessons/${folder}/index.md`}});
  return html
    .replace('<!--case-map-->', () => casePages.map((lesson) => course.labelOf(lesson)))
    .replace('<!--case-list-->', () => casePages.list())
    .replace('<!--thinks-->', () => casePages.thinks(render));
}

/** The layout's filters, which find a lesson by its id. */
function lessonFilters(course: Course): Record<string, (lesson: string) => unknown> {
  const {lessons} = course;
  const entry = (lesson: string) => lessons.find(({id}) => id === lesson);
  return {
    label: (lesson) => course.labelOf(lesson),
    picture: (lesson) => lessonPicture(lesson),
    flow: (lesson) => flowPath(lesson),
    minutes: (lesson) => entry(lesson)?.minutes ?? '',
    topic: (lesson) => entry(lesson)?.topic ?? '',
    quiz: (lesson) =>
      [...course.questionsIn(lessonFolder(lesson).replace(/\/$/, '')).values()]
        .filter(({quiz}) => quiz)
        .map(({id}) => id)
        .join(' '),
    written: lessonExists,
    notes: (lesson) => existsSync(`lessons/${lessonFolder(lesson)}notes.md`),
    lessonHref: (lesson) => `${BASE}${lessonFolder(lesson)}index.html`,
  };
}

/** Throws BuildError where a page lacks a part that it must have before it is rendered. */
function checkPage(data: PageData, content: string, lessons: Course['lessons']): void {
  const path = data.page.inputPath.replace(/^\.\//, '');
  // Pages made by the build have no file.
  const text = existsSync(path) ? readFileSync(path, 'utf8') : content;
  const ids = lessons.map(({id}) => id);
  checkHead(path, text, {...data}, ids);
  checkBoxes(path, text, BOX_NAMES);
  if (data.id) checkFrame(path, text);
}

/** Eleventy wraps an author's mistake in errors of its own; only the innermost one is useful. */
export async function unwrapped<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    let inner = error;
    let path: string | undefined;
    while (inner instanceof Error && 'originalError' in inner && inner.originalError) {
      path ??= /lessons\/[\w./-]+\.md/.exec(inner.message)?.[0];
      inner = inner.originalError;
    }
    throw path && inner instanceof Error && inner.name === 'YAMLException'
      ? headMistake(path, inner)
      : inner;
  }
}

/** The YAML parser counts lines from 0, beginning with the file's first line. */
function headMistake(
  path: string,
  error: Error & {mark?: {line: number}; reason?: string},
): BuildError {
  const reason = error.reason ?? error.message;
  return new BuildError(
    path,
    (error.mark?.line ?? 0) + 1,
    `开头的两行「---」之间写错了：${reason}`,
  );
}
