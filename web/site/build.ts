// The site: pages from lessons/ and everything made from them, all addresses relative.

import {cpSync, existsSync, readdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import type Eleventy from '@11ty/eleventy';
import {loadCache} from '../cache.js';
import {loadCore} from '../core.js';
import {loadScaling} from '../scaling.js';
import {loadSequence} from '../sequence.js';
import {loadTrain} from '../train.js';
import {useModel} from '../elements/attn-heads/trained-model.js';
import {register, TAGS} from '../elements/registry.js';
import {runtime} from '../shared/runtime.js';
import {Widgets} from './page-widgets.js';
import {NO_ASSETS, type ClientAssets} from './assets.js';
import {Contents} from './contents.js';
import {Course} from './course.js';
import {drawPage, type DrawnPage} from './drawn-page.js';
import {setUpEleventy, unwrapped} from './eleventy.js';
import {Figures} from './figures.js';
import {writeFrames} from './frames.js';
import {galleryPages} from './gallery/pages.js';
import {shownWidgets, type Shown} from './gallery/shown.js';
import {EXAMPLES_FROM} from './gallery/widget-page.js';
import {glossaryPage, linkTerms, readGlossary} from './glossary.js';
import {lessonMarkdown} from './markdown.js';
import {modelPages} from './models.js';
import {BASE, type MadePage, type PageEnv} from './paths.js';
import {searchIndex} from './search-index.js';
import type {NumberRecord} from './sources.js';
import {write} from './write.js';

export interface SiteOptions {
  /** Bytes of attn_core.wasm and so on. */
  core: Uint8Array;
  cache: Uint8Array;
  scaling: Uint8Array;
  sequence: Uint8Array;
  train: Uint8Array;
  /** The weights of the trained model that pages show: lessons/case/small-scaled.weights. */
  weights: Uint8Array;
}

export class Site {
  readonly #course: Course;
  /** The authors' texts as widgets get them, by name. */
  readonly #content: Contents;
  readonly #widgets: Widgets;
  /** Computed when the gallery or the frames first need it. */
  #shown: Promise<Shown[]> | undefined;
  readonly #figures = new Figures();
  /** Drawn pages by their address, since pages are finished in any order. */
  readonly #pages = new Map<string, DrawnPage>();

  /**
   * Eleventy instances kept between redrawn pages: one for authors' pages, one for the pages that
   * the build makes, which take long; for the assets given last.
   */
  readonly #redrawing = new Map<boolean, Promise<Eleventy>>();
  #redrawnWith: ClientAssets | undefined;

  private constructor(course: Course) {
    this.#course = course;
    this.#content = new Contents(course);
    this.#widgets = new Widgets(course, this.#content);
  }

  /** Loads the core and registers the widgets for drawing. Throws BuildError. */
  static async open(options: SiteOptions): Promise<Site> {
    const [core, cache, scaling, sequence, train] = await Promise.all([
      loadCore({wasmBinary: options.core}),
      loadCache({wasmBinary: options.cache}),
      loadScaling({wasmBinary: options.scaling}),
      loadSequence({wasmBinary: options.sequence}),
      loadTrain({wasmBinary: options.train}),
    ]);
    const course = new Course({core, cache, scaling, sequence});
    Object.assign(runtime, {
      core,
      cache,
      scaling,
      sequence,
      world: course.world,
      contentBase: `${BASE}content/`,
    });
    // npm run dev opens the site again after a change of code: a registry keeps the first classes.
    const Registry = customElements.constructor as new () => CustomElementRegistry;
    Object.assign(globalThis, {customElements: new Registry()});
    await register(TAGS);
    useModel(train.openTrained(options.weights));
    return new Site(course);
  }

  /**
   * Evaluates all modules of authors, which otherwise happens when a page needs them. Throws
   * BuildError.
   */
  evaluate(): void {
    this.#course.evaluate();
  }

  /** Writes the pages and everything made from them. Throws BuildError. */
  async build(out: string, assets: ClientAssets): Promise<void> {
    await unwrapped((await this.#eleventy(out, assets, await this.#made())).write());
    await this.writeRest(out, assets);
  }

  /**
   * Draws one page again, in the folder of a whole site.
   *
   * @param path  its Markdown file, like "lessons/c3/l03/index.md"
   * @throws BuildError and leaves the page as it was
   */
  async redraw(out: string, path: string, assets: ClientAssets): Promise<void> {
    if (this.#redrawnWith !== assets) this.#redrawing.clear();
    this.#redrawnWith = assets;
    const isMade = !existsSync(path);
    const eleventy =
      this.#redrawing.get(isMade) ??
      this.#eleventy(out, assets, isMade ? await this.#made() : []).then((made) =>
        unwrapped(readAll(made)),
      );
    this.#redrawing.set(isMade, eleventy);
    this.#figures.forget({page: {inputPath: path}});
    try {
      (await eleventy).setIncrementalFile(path);
      await unwrapped((await eleventy).write());
    } catch (error) {
      // After a failed run the instance's data about pages may be wrong.
      this.#redrawing.delete(isMade);
      throw error;
    }
  }

  /** The Markdown files of all pages, those that the build makes included. */
  async pages(): Promise<string[]> {
    const written = readdirSync('lessons', {recursive: true, encoding: 'utf8'});
    const made = await this.#made();
    return [...written.filter((path) => path.endsWith('.md')), ...made.map(({path}) => path)].map(
      (path) => `lessons/${path}`,
    );
  }

  /** Writes the files that are not pages, and the files made from the pages. */
  async writeRest(out: string, assets: ClientAssets): Promise<void> {
    for (const [name, content] of this.#content.all())
      write(join(out, `content/${name}.json`), JSON.stringify(content));
    await writeFrames(out, this.#widgets, await this.#everyWidget(), assets);
    await this.writeFollowing(out);
  }

  /**
   * Writes the files made from the drawn pages; where `path` is given, only that page's figures.
   */
  async writeFollowing(out: string, path?: string): Promise<void> {
    const entries = this.#inOrder().flatMap((page) => page.search);
    write(join(out, 'search-index.json'), searchIndex(entries));
    this.writeNumbers(out);
    await this.#figures.write(out, path === undefined ? undefined : {page: {inputPath: path}});
  }

  /** Renders without writing pages, for the commands that need only numbers or figures. */
  async render(): Promise<void> {
    await unwrapped((await this.#eleventy('dist', NO_ASSETS, await this.#made())).toJSON());
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

  async #eleventy(out: string, assets: ClientAssets, made: readonly MadePage[]): Promise<Eleventy> {
    runtime.stylesheets = [`${BASE}${assets.widgetStyle}`];
    const course = this.#course;
    const glossary = readGlossary(course.lessons);
    const md = lessonMarkdown(course, (tag, attributes, env) =>
      this.#addedAttributes(tag, attributes, env),
    ).use(linkTerms, glossary);
    const finish = async (html: string, {url}: {url: string}) => {
      // The teaching notes of a lesson print its numbers.
      const folder = url.replace(/^\/|\/(notes\/)?$/g, '');
      const numbers = course.numbersFor(folder.startsWith('widgets/') ? EXAMPLES_FROM : folder);
      const page = await drawPage(html, url, numbers, assets);
      this.#pages.set(url, page);
      if (page.formulas && assets !== NO_ASSETS) writeFormulas(out, page.formulas);
      return page.html;
    };
    return setUpEleventy({course, md, assets, out, made, finish});
  }

  /** The pages that the build makes. */
  async #made(): Promise<MadePage[]> {
    const {cache, models, lessons} = this.#course;
    return [
      ...(await modelPages(cache, models)),
      glossaryPage(readGlossary(lessons), lessons),
      ...galleryPages(await this.#everyWidget(), lessons),
    ];
  }

  #everyWidget(): Promise<Shown[]> {
    return (this.#shown ??= shownWidgets(this.#widgets, this.#course.lessons));
  }

  #addedAttributes(
    tag: string,
    attributes: Record<string, string>,
    env: PageEnv,
  ): Record<string, unknown> {
    const widget = this.#widgets.read(tag, attributes);
    const own =
      attributes['id'] ?? attributes['question']?.split('/').at(-1) ?? tag.replace('attn-', '');
    this.#figures.add(widget, own, env);
    return this.#widgets.addedAttributes(widget);
  }
}

/** Eleventy can draw a single file only after a run over all files; this run draws none. */
async function readAll(eleventy: Eleventy): Promise<Eleventy> {
  eleventy.setIgnoreInitial(true);
  await eleventy.write();
  eleventy.setIgnoreInitial(false);
  return eleventy;
}

function writeFormulas(out: string, {file, css, fonts}: NonNullable<DrawnPage['formulas']>): void {
  write(join(out, file), css);
  for (const font of fonts) {
    const copy = join(out, 'assets/fonts', basename(font));
    if (!existsSync(copy)) cpSync(font, copy);
  }
}
