// The site: pages from lessons/, widgets drawn, numbers with sources, figures, search, all relative.

import {createHash} from 'node:crypto';
import {cpSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import Eleventy from '@11ty/eleventy';
import {loadCache} from '../cache.js';
import {loadSequence} from '../sequence.js';
import {loadCore} from '../core.js';
import {loadTrain} from '../train.js';
import {readFields} from '../shared/link.js';
import {defaults} from '../shared/schema.js';
import {runtime, type Need} from '../shared/runtime.js';
import type {AnyWidgetClass} from '../elements/attn-widget.js';
import {useModel} from '../elements/heads-trained.js';
import {register, TAGS, widgetClass} from '../elements/registry.js';
import {composeFigure} from '../shared/figure.js';
import {customElementsManifest, declarationOf} from './declarations.js';
import {BuildError} from './build-error.js';
import {contentsOf} from './contents.js';
import {Course, lessonExists, lessonFolder} from './course.js';
import {drawTemplate, drawWidgets} from './draw.js';
import {FormulaStyle} from './formula-style.js';
import {checkBoxes, checkFrame, checkHead} from './frame.js';
import {glossaryPage, linkTerms, readGlossary} from './glossary.js';
import {modelPages, modelsTable} from './models.js';
import {BASE, BOX_NAMES, escapeHtml, lessonMarkdown, pageFolder, type PageEnv} from './markdown.js';
import {EXAMPLES_FROM, framePage, galleryMarkdown, type Shown} from './widgets.js';
import {searchEntries, searchIndex, type SearchEntry} from './search-index.js';
import {numberRecord, printedNumbers, sourcesTable, type NumberRecord} from './sources.js';

/** Files of the client build that pages link to, relative to the site's root. */
export interface ClientAssets {
  script: string;
  styles: string[];
  /** For the pages that are no lesson. */
  listStyle: string;
  theme: string;
  widgetStyle: string;
  /** Script chunks that every page with widgets needs. */
  chunks: string[];
  /** Of the page with all widgets, and of the pages with one alone. */
  gallery: {script: string; styles: string[]};
  frame: {script: string; early: string; styles: string[]};
  /** Script chunks of a module that only some widgets need. */
  needs: Record<Need, string[]>;
}

export interface SiteOptions {
  out: string;
  /** Bytes of attn_core.wasm and so on. */
  core: Uint8Array;
  cache: Uint8Array;
  sequence: Uint8Array;
  train: Uint8Array;
  /** Of the trained model that pages show: lessons/case/small-scaled.weights. */
  weights: Uint8Array;
}

interface PageData {
  page: {inputPath: string; url: string; outputPath: string | false};
  id?: string;
}

/** What every tag may carry beside the fields of its state. */
const COMMON = ['id', 'class', 'theme', 'lang'];

/** A widget as its tag asks for it. */
interface Asked {
  spec: AnyWidgetClass['spec'];
  state: unknown;
  /** Name of the author's text that it shows. */
  content: string | undefined;
  result: unknown;
}

interface Drawn extends Asked {
  /** Of its file in figures/, without the ending. */
  name: string;
}

/** Way from a page to the site's root: "/c3/l03/" → "../../", "/" → "./". */
function wayUp(url: string): string {
  const depth = url.split('/').filter(Boolean).length - (url.endsWith('/') ? 0 : 1);
  return depth === 0 ? './' : '../'.repeat(depth);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, text);
}

export class Site {
  readonly course: Course;
  readonly #options: SiteOptions;
  /** None while only numbers or figures are wanted: no page is kept then. */
  #assets: ClientAssets = {
    script: '',
    styles: [],
    listStyle: '',
    theme: '',
    widgetStyle: '',
    chunks: [],
    gallery: {script: '', styles: []},
    frame: {script: '', early: '', styles: []},
    needs: {cache: [], sequence: []},
  };
  readonly #fonts = new Set<string>();
  readonly #records: NumberRecord[] = [];
  /** By page, since pages are finished in any order. */
  readonly #search = new Map<string, SearchEntry[]>();
  readonly #drawn: Drawn[] = [];
  readonly #content: ReadonlyMap<string, unknown>;

  private constructor(course: Course, options: SiteOptions) {
    this.course = course;
    this.#options = options;
    this.#content = contentsOf(course);
  }

  /** Loads the core, registers the widgets for drawing and evaluates the authors' modules. */
  static async open(options: SiteOptions): Promise<Site> {
    const core = await loadCore({wasmBinary: options.core});
    const cache = await loadCache({wasmBinary: options.cache});
    const sequence = await loadSequence({wasmBinary: options.sequence});
    const course = new Course({core, cache, sequence});
    Object.assign(runtime, {
      core,
      cache,
      sequence,
      world: course.world,
      contentBase: `${BASE}content/`,
    });
    await register(TAGS);
    useModel((await loadTrain({wasmBinary: options.train})).openTrained(options.weights));
    return new Site(course, options);
  }

  /** Writes the pages and everything made from them. Throws BuildError. */
  async build(assets: ClientAssets): Promise<void> {
    this.#assets = assets;
    runtime.stylesheets = [`${BASE}${assets.widgetStyle}`];
    await told((await this.#eleventy()).write());
    const {out} = this.#options;
    for (const font of this.#fonts) cpSync(font, join(out, 'assets/fonts', basename(font)));
    write(
      join(out, 'search-index.json'),
      searchIndex([...this.#search.keys()].sort().flatMap((page) => this.#search.get(page) ?? [])),
    );
    for (const [name, content] of this.#content)
      write(join(out, `content/${name}.json`), JSON.stringify(content));
    await this.#writeFrames(out);
    this.writeNumbers(out);
    await this.writeFigures(out);
  }

  /** Renders without writing pages, for the commands that only want numbers or figures. */
  async render(): Promise<void> {
    await told((await this.#eleventy()).toJSON());
  }

  writeNumbers(out: string): NumberRecord[] {
    this.#records.sort((a, b) => (a.page < b.page ? -1 : a.page > b.page ? 1 : 0));
    write(
      join(out, 'numbers.json'),
      `${JSON.stringify({version: 1, numbers: this.#records}, null, 1)}\n`,
    );
    return this.#records;
  }

  /** One SVG a drawn widget, named by page and widget. */
  async writeFigures(out: string): Promise<string[]> {
    for (const {spec, state, result, name} of this.#drawn) {
      const title = typeof spec.title === 'string' ? spec.title : spec.title(state, result);
      const markup = await drawTemplate(spec.view(state, result));
      write(
        join(out, `figures/${name}.svg`),
        composeFigure(markup, {title, description: spec.says(state, result)}),
      );
    }
    return this.#drawn.map(({name}) => name);
  }

  /** Every widget as it is by default. */
  async #shown(): Promise<Shown[]> {
    return Promise.all(
      TAGS.map(async (tag) => {
        const widget = await widgetClass(tag);
        const {spec} = widget;
        const state: unknown = defaults(spec.schema);
        const title =
          typeof spec.title === 'string'
            ? spec.title
            : spec.title(
                state,
                spec.compute(
                  this.course.core,
                  state,
                  this.#content.get(spec.content?.(state) ?? ''),
                ),
              );
        return {widget, declaration: declarationOf(widget), title};
      }),
    );
  }

  /** The page of each widget alone, and the list of all for editors. */
  async #writeFrames(out: string): Promise<void> {
    const {frame} = this.#assets;
    const shown = await this.#shown();
    const page = {url: '/embed/'};
    runtime.place = 'frame';
    for (const each of shown) {
      const {tag} = each.declaration;
      const riding = Object.entries(this.#riding(this.#asked(tag, {})))
        .map(([name, value]) => ` ${name}="${escapeHtml(JSON.stringify(value))}"`)
        .join('');
      const html = framePage(each, riding, [
        `<link rel="icon" href="${BASE}favicon.svg" type="image/svg+xml">`,
        `<script src="${BASE}${frame.early}"></script>`,
        ...frame.styles.map((style) => `<link rel="stylesheet" href="${BASE}${style}">`),
        '<!--chunks-->',
        `<script type="module" src="${BASE}${frame.script}"></script>`,
      ]);
      const drawn = await this.#draw(html);
      const preloads = await this.#preloads(drawn);
      write(
        join(out, `embed/${tag}.html`),
        drawn.replace('<!--chunks-->', () => preloads).replaceAll(BASE, wayUp(page.url)),
      );
    }
    runtime.place = 'course';
    write(
      join(out, 'embed/custom-elements.json'),
      `${JSON.stringify(customElementsManifest(shown.map(({declaration}) => declaration)), null, 1)}\n`,
    );
  }

  #ridingOn(
    tag: string,
    attributes: Record<string, string>,
    env: PageEnv,
  ): Record<string, unknown> {
    const asked = this.#asked(tag, attributes);
    const own =
      attributes['id'] ?? attributes['question']?.split('/').at(-1) ?? tag.replace('attn-', '');
    const name = `${pageFolder(env)}/${own}`.replaceAll('/', '-');
    if (this.#drawn.some((other) => other.name === name))
      throw new Error(`这一页已有一个小工具的图叫「${own}」，给它们各写一个id`);
    this.#drawn.push({...asked, name});
    return this.#riding(asked);
  }

  /** Reads a tag and computes what it shows; throws, in words, what is wrong with it. */
  #asked(tag: string, attributes: Record<string, string>): Asked {
    if (!TAGS.includes(tag)) throw new Error(`没有叫 <${tag}> 的小工具`);
    const {spec} = customElements.get(tag) as unknown as AnyWidgetClass;
    const unknown = Object.keys(attributes).find(
      (key) => !COMMON.includes(key) && !Object.hasOwn(spec.schema, key),
    );
    if (unknown !== undefined) throw new Error(`<${tag}> 没有叫「${unknown}」的属性`);
    const {state, problem} = readFields(spec.schema, (key) => attributes[key] ?? null);
    if (problem) throw new Error(`<${tag}> ${problem.message}`);
    const content = spec.content?.(state);
    if (content !== undefined && !this.#content.has(content))
      throw new Error(`没有叫「${content}」的内容`);
    return {
      spec,
      state,
      content,
      result: spec.compute(this.course.core, state, this.#content.get(content ?? '')),
    };
  }

  /** The author's text that a widget shows, and the result of one that takes long to compute. */
  #riding({spec, state, content, result}: Asked): Record<string, unknown> {
    const slow = typeof spec.slow === 'function' ? spec.slow(state) : spec.slow;
    return {
      ...(content === undefined ? {} : {data: withBase(this.#content.get(content))}),
      ...(slow ? {result} : {}),
    };
  }

  /** Markup with its widgets drawn, as browsers know declarative shadow roots. */
  async #draw(html: string): Promise<string> {
    const drawn = (await drawWidgets(html)).replace(
      /<(attn-[a-z-]+)(?=[\s>])/g,
      '<$1 defer-hydration',
    );
    return drawn
      .replaceAll('<template shadowroot="open" ', '<template ')
      .replaceAll('<?>', '<!--?-->');
  }

  async #finish(html: string, data: PageData): Promise<string> {
    const page = data.page.url.replace(/^\//, '');
    const numbers = this.course.numbersFor(
      page === 'widgets/' ? EXAMPLES_FROM : page.replace(/\/$/, ''),
    );
    let done = await this.#draw(html);
    const ids = printedNumbers(done);
    done = done.replace('<!--sources-->', () => (ids.length > 0 ? sourcesTable(ids, numbers) : ''));
    for (const id of ids) {
      const spec = numbers[id];
      if (spec) this.#records.push(numberRecord(id, page, spec));
    }
    const formulas = new FormulaStyle();
    done = formulas.extract(done);
    const preloads = await this.#preloads(done);
    done = done
      .replace('<!--chunks-->', () => preloads)
      .replace('<!--formulas-->', () => this.#formulaLink(formulas));
    done = done.replaceAll(BASE, wayUp(data.page.url));
    this.#search.set(page, searchEntries(page, done));
    return done;
  }

  /** Writes the sheet of a page's formulas, named by what is in it, and links to it. */
  #formulaLink(formulas: FormulaStyle): string {
    const sheet = formulas.sheet();
    if (!sheet) return '';
    for (const font of sheet.fonts) this.#fonts.add(font);
    const file = `assets/formula-${createHash('sha256').update(sheet.css).digest('hex').slice(0, 8)}.css`;
    write(join(this.#options.out, file), sheet.css);
    return `<link rel="stylesheet" href="${BASE}${file}">`;
  }

  /** The scripts that all widgets share. All of them come after the text, which they must not delay. */
  async #preloads(html: string): Promise<string> {
    const assets = this.#assets;
    const tags = TAGS.filter((tag) => html.includes(`<${tag} `) || html.includes(`<${tag}>`));
    if (tags.length === 0) return '';
    const asking = tags.filter((tag) => new RegExp(`<${tag}(?![^>]* result=)`).test(html));
    const needs = new Set(
      (await Promise.all(asking.map(widgetClass))).flatMap((widget) => widget.needs),
    );
    const files = new Set([...assets.chunks, ...[...needs].flatMap((need) => assets.needs[need])]);
    return [
      `<link rel="preload" href="${BASE}${assets.widgetStyle}" as="style">`,
      ...[...files].map(
        (file) => `<link rel="modulepreload" fetchpriority="low" href="${BASE}${file}">`,
      ),
    ].join('\n');
  }

  async #eleventy(): Promise<Eleventy> {
    const {course} = this;
    const lessons = course.chapters.flatMap((chapter) => chapter.lessons);
    const glossary = readGlossary(lessons);
    const quizzes = [...course.questions().values()].filter(({quiz}) => quiz).map(({id}) => id);
    const pages = [
      ...(await modelPages(course.cache, course.models)),
      glossaryPage(glossary, lessons),
    ];
    pages.push({
      path: 'widgets/index.md',
      markdown: galleryMarkdown(await this.#shown()),
      data: {
        title: '小工具',
        description: '这门课的每个小工具：现场可用，也能放进你的网页。',
        lead: '课里的每个小工具都在这里，能单独用，也能放进你的网页：一个标签、一个iframe，或一张图。',
      },
    });
    const assets = this.#assets;
    const {out} = this.#options;
    const finish = (content: string, page: PageData['page']) => this.#finish(content, {page});
    const md = lessonMarkdown(course, (tag, attributes, env) =>
      this.#ridingOn(tag, attributes, env),
    ).use(linkTerms, glossary);
    const eleventy = new Eleventy('lessons', out, {
      quietMode: true,
      config(config) {
        config.setIncludesDirectory('../web/site/layouts');
        config.setTemplateFormats(['md']);
        config.setLibrary('md', md);
        config.addGlobalData('layout', 'page.njk');
        config.addGlobalData('assets', assets);
        config.addGlobalData('chapters', course.chapters);
        config.addGlobalData('base', BASE);
        config.addFilter('inline', function (this: {page: PageEnv['page']}, text: string) {
          return md.renderInline(text, {page: this.page});
        });
        config.addFilter('label', (lesson: string) => course.labelOf(lesson));
        config.addFilter(
          'minutes',
          (lesson: string) => lessons.find(({id}) => id === lesson)?.minutes ?? '',
        );
        config.addFilter(
          'topic',
          (lesson: string) => lessons.find(({id}) => id === lesson)?.topic ?? '',
        );
        config.addFilter('quiz', (lesson: string) =>
          quizzes.filter((id) => id.startsWith(`${lesson}/`)).join(' '),
        );
        config.addFilter('written', (lesson: string) => lessonExists(lesson));
        config.addFilter(
          'lessonHref',
          (lesson: string) => `${BASE}${lessonFolder(lesson)}index.html`,
        );
        config.addPreprocessor('frame', 'md', (data: PageData, content: string) => {
          const path = data.page.inputPath.replace(/^\.\//, '');
          // Pages made by the build have no file.
          const text = existsSync(path) ? readFileSync(path, 'utf8') : content;
          checkHead(
            path,
            text,
            {...data},
            lessons.map(({id}) => id),
          );
          checkBoxes(path, text, BOX_NAMES);
          if (data.id) checkFrame(path, text);
          return content;
        });
        for (const {path, markdown, data} of pages) config.addTemplate(path, markdown, data);
        config.addPreprocessor('models', 'md', (_data: PageData, content: string) =>
          content.replace('{models}', () =>
            modelsTable(course.models, course.numbersFor('models')),
          ),
        );
        config.addTransform('finish', function (this: {page: PageData['page']}, content: string) {
          return finish(content, this.page);
        });
        return {markdownTemplateEngine: false, htmlTemplateEngine: false};
      },
    });
    eleventy.disableLogger();
    return eleventy;
  }
}

/** Eleventy wraps an author's mistake in errors of its own; only the innermost says something. */
async function told(work: Promise<unknown>): Promise<void> {
  try {
    await work;
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

/** The parser counts lines from the file's first. */
function headMistake(
  path: string,
  error: Error & {mark?: {line: number}; reason?: string},
): BuildError {
  return new BuildError(
    path,
    (error.mark?.line ?? 0) + 1,
    `开头的两行「---」之间写错了：${error.reason ?? error.message}`,
  );
}

/** Links in an author's content start at the site's root. */
function withBase(content: unknown): unknown {
  return JSON.parse(JSON.stringify(content), (key, value: unknown) =>
    key === 'href' && typeof value === 'string' ? `${BASE}${value}` : value,
  );
}

export {BuildError};
