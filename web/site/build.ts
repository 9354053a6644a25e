// The site: pages from lessons/ and everything made from them, all addresses relative.

import {cpSync} from 'node:fs';
import {basename, join} from 'node:path';
import {loadCache} from '../cache.js';
import {loadCore} from '../core.js';
import {loadSequence} from '../sequence.js';
import {loadTrain} from '../train.js';
import {useModel} from '../elements/heads-trained.js';
import {register, TAGS} from '../elements/registry.js';
import {runtime} from '../shared/runtime.js';
import {Widgets} from './asked.js';
import {NO_ASSETS, type ClientAssets} from './assets.js';
import {contentsOf} from './contents.js';
import {Course} from './course.js';
import {drawPage, type DrawnPage} from './drawn-page.js';
import {setUpEleventy, unwrapped} from './eleventy.js';
import {Figures} from './figures.js';
import {shownWidgets, writeFrames} from './frames.js';
import {EXAMPLES_FROM, galleryPage, type Shown} from './gallery-page.js';
import {linkTerms, readGlossary} from './glossary.js';
import {lessonMarkdown} from './markdown.js';
import {BASE, type PageEnv} from './paths.js';
import {searchIndex} from './search-index.js';
import type {NumberRecord} from './sources.js';
import {write} from './write.js';

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

export class Site {
  readonly #course: Course;
  readonly #out: string;
  /** The authors' texts as widgets get them, by name. */
  readonly #content: ReadonlyMap<string, unknown>;
  readonly #widgets: Widgets;
  readonly #shown: readonly Shown[];
  readonly #figures = new Figures();
  /** By address, as pages are finished in any order. */
  readonly #pages = new Map<string, DrawnPage>();

  private constructor(
    course: Course,
    out: string,
    parts: {content: ReadonlyMap<string, unknown>; widgets: Widgets; shown: readonly Shown[]},
  ) {
    this.#course = course;
    this.#out = out;
    this.#content = parts.content;
    this.#widgets = parts.widgets;
    this.#shown = parts.shown;
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
    const content = contentsOf(course);
    const widgets = new Widgets(course, content);
    return new Site(course, options.out, {content, widgets, shown: await shownWidgets(widgets)});
  }

  /** Writes the pages and everything made from them. Throws BuildError. */
  async build(assets: ClientAssets): Promise<void> {
    runtime.stylesheets = [`${BASE}${assets.widgetStyle}`];
    await unwrapped((await this.#eleventy(assets)).write());
    for (const [name, content] of this.#content)
      write(join(this.#out, `content/${name}.json`), JSON.stringify(content));
    this.#writeFormulas();
    this.#writeSearch();
    await writeFrames(this.#out, this.#widgets, this.#shown, assets);
    this.writeNumbers(this.#out);
    await this.writeFigures(this.#out);
  }

  /** Renders without writing pages, for the commands that only want numbers or figures. */
  async render(): Promise<void> {
    await unwrapped((await this.#eleventy(NO_ASSETS)).toJSON());
  }

  writeNumbers(out: string): NumberRecord[] {
    const numbers = this.#inOrder().flatMap((page) => page.numbers);
    write(join(out, 'numbers.json'), `${JSON.stringify({version: 1, numbers}, null, 1)}\n`);
    return numbers;
  }

  /** One SVG for each drawn widget; returns their names. */
  writeFigures(out: string): Promise<string[]> {
    return this.#figures.write(out);
  }

  #inOrder(): DrawnPage[] {
    return [...this.#pages.keys()].sort().flatMap((url) => this.#pages.get(url) ?? []);
  }

  #writeFormulas(): void {
    for (const {formulas} of this.#pages.values()) {
      if (!formulas) continue;
      write(join(this.#out, formulas.file), formulas.css);
      for (const font of formulas.fonts)
        cpSync(font, join(this.#out, 'assets/fonts', basename(font)));
    }
  }

  #writeSearch(): void {
    const entries = this.#inOrder().flatMap((page) => page.search);
    write(join(this.#out, 'search-index.json'), searchIndex(entries));
  }

  async #eleventy(assets: ClientAssets): ReturnType<typeof setUpEleventy> {
    const course = this.#course;
    const glossary = readGlossary(course.chapters.flatMap((chapter) => chapter.lessons));
    const md = lessonMarkdown(course, (tag, attributes, env) =>
      this.#ridingOn(tag, attributes, env),
    ).use(linkTerms, glossary);
    const finish = async (html: string, {url}: {url: string}) => {
      const folder = url.replace(/^\/|\/$/g, '');
      const numbers = course.numbersFor(folder === 'widgets' ? EXAMPLES_FROM : folder);
      const page = await drawPage(html, url, numbers, assets);
      this.#pages.set(url, page);
      return page.html;
    };
    const gallery = galleryPage(this.#shown);
    return setUpEleventy({course, glossary, md, assets, out: this.#out, gallery, finish});
  }

  #ridingOn(
    tag: string,
    attributes: Record<string, string>,
    env: PageEnv,
  ): Record<string, unknown> {
    const asked = this.#widgets.read(tag, attributes);
    const own =
      attributes['id'] ?? attributes['question']?.split('/').at(-1) ?? tag.replace('attn-', '');
    this.#figures.add(asked, own, env);
    return this.#widgets.riding(asked);
  }
}
