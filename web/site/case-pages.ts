// The pages of the case: their map, their order, and the numbered questions 停下来想一想 in them.

import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {BuildError, lineOf} from './build-error.js';
import {headingHtml} from './headings.js';
import {escapeHtml} from './html.js';
import {BASE, lessonExists, lessonFolder} from './paths.js';

export interface CasePage {
  /** Below lessons/case. */
  folder: string;
  /** The content of the page, in some words without a stop. */
  about: string;
  /** Lessons like "c3-l03" and pages like "case/training" that it presupposes. */
  needs: string[];
  /** The skills of a reader who has read it, as a sentence. */
  able: string;
  minutes: number;
}

/** A place in the machine with the pages about it. */
export interface CasePart {
  name: string;
  /** The work of this part of the machine, as a sentence. */
  what: string;
  pages: CasePage[];
}

/** Types the export of `lessons/case/pages.ts`. */
export function defineCase(parts: CasePart[]): CasePart[] {
  return parts;
}

/** The parts that the layout prints around the text of a page of the case. */
export interface CaseFrame {
  part?: string;
  minutes?: number;
  prev?: PageLink | undefined;
  next?: PageLink | undefined;
}

interface PageLink {
  href: string;
  title: string;
}

const LIST = 'lessons/case/pages.ts';
/** The page that collects the questions of all others; it is no part of the order. */
const THINKS = 'case/think';
const THINK = /^::: think\b.*\n[\s\S]*?^:::[ \t]*$/gm;

const sourceOf = (folder: string) => `lessons/${folder}/index.md`;
const read = (folder: string) => readFileSync(sourceOf(folder), 'utf8');

/** ① … ⑳, ㉑ … ㉟, ㊱ … ㊿ */
export const circled = (number: number): string =>
  String.fromCodePoint(number + (number <= 20 ? 0x245f : number <= 35 ? 0x3251 - 21 : 0x32b1 - 36));

export class CasePages {
  readonly #parts: readonly CasePart[];
  /** The pages' folders below lessons/, in order. */
  readonly folders: readonly string[];

  /** Throws BuildError where the list and the folders of lessons/case disagree. */
  constructor(parts: readonly CasePart[]) {
    this.#parts = parts;
    this.folders = parts.flatMap(({pages}) => pages.map(({folder}) => `case/${folder}`));
    const list = existsSync(LIST) ? readFileSync(LIST, 'utf8') : '';
    const missing = this.folders.find((folder) => !existsSync(sourceOf(folder)));
    if (missing)
      throw new BuildError(LIST, lineOf(list, missing.slice(5)), `没有${sourceOf(missing)}`);
    const unlisted = readdirSync('lessons/case', {withFileTypes: true})
      .filter((entry) => entry.isDirectory())
      .map(({name}) => `case/${name}`)
      .filter((folder) => existsSync(sourceOf(folder)))
      .find((folder) => folder !== THINKS && !this.folders.includes(folder));
    if (unlisted) throw new BuildError(sourceOf(unlisted), 1, `${LIST}里没有这一页`);
  }

  /** The frame of a page by its folder; undefined outside the case. */
  frame(folder: string): CaseFrame | undefined {
    if (!folder.startsWith('case/')) return undefined;
    const at = this.folders.indexOf(folder);
    if (at < 0) return {};
    const link = (to: string | undefined) => (to ? this.#link(to) : undefined);
    const part = this.#parts.find(({pages}) =>
      pages.some((page) => `case/${page.folder}` === folder),
    );
    const minutes = part?.pages.find((page) => `case/${page.folder}` === folder)?.minutes;
    return {
      part: part!.name,
      minutes: minutes!,
      prev: link(this.folders[at - 1]),
      next: link(this.folders[at + 1]),
    };
  }

  /** The map, as HTML without empty lines. */
  map(labelOf: (lesson: string) => string): string {
    const need = (id: string) => {
      if (this.folders.includes(id)) return anchor(this.#link(id));
      const label = escapeHtml(labelOf(id));
      if (!lessonExists(id)) return label;
      return anchor({href: `${BASE}${lessonFolder(id)}index.html`, title: label});
    };
    const before = (needs: readonly string[]) =>
      needs.length > 0 ? ` · 先读${needs.map(need).join('、')}` : '';
    const card = ({folder, about, needs, able, minutes}: CasePage) => `<li>
<p class="lesson-question">${anchor(this.#link(`case/${folder}`), headingHtml)}</p>
<p>${escapeHtml(about)}。</p>
<p><b>读完会</b>${escapeHtml(able)}</p>
<p class="lesson-meta">约${minutes}分钟${before(needs)}</p>
</li>`;
    const part = ({name, what, pages}: CasePart) => `<li>
<div class="place"><b>${escapeHtml(name)}</b><p>${escapeHtml(what)}</p></div>
<ol class="lessons">
${pages.map(card).join('\n')}
</ol>
</li>`;
    return `<ol class="case-map wide">\n${this.#parts.map(part).join('\n')}\n</ol>`;
  }

  /** A plain list of the pages. */
  list(): string {
    const items = this.#parts.flatMap(({pages}) =>
      pages.map(
        ({folder, about}) =>
          `<li>${anchor(this.#link(`case/${folder}`))}：${escapeHtml(about)}。</li>`,
      ),
    );
    return `<ul>\n${items.join('\n')}\n</ul>`;
  }

  /** The number of a page's question by its place on the page, from 0; undefined elsewhere. */
  thinkNumber(folder: string, place: number): number | undefined {
    const at = this.folders.indexOf(folder);
    if (at < 0) return undefined;
    const before = this.folders.slice(0, at).flatMap(thinksOf).length;
    return before + place + 1;
  }

  /**
   * The questions of all pages with their answers, under their pages' titles.
   *
   * @param render  makes HTML of a page's Markdown
   */
  thinks(render: (markdown: string, folder: string) => string): string {
    return this.folders
      .flatMap((folder) => {
        const boxes = thinksOf(folder);
        if (boxes.length === 0) return [];
        // Numbers and places named on their page are linked there: two pages may use one name.
        const html = render(boxes.join('\n\n'), folder).replace(
          /href="#([^"]*)"( data-num="[^"]*")?/g,
          `href="${BASE}${folder}/index.html#$1"`,
        );
        const id = folder.replace('case/', 'from-');
        return [`<h2 id="${id}">${anchor(this.#link(folder), headingHtml)}</h2>\n${html}`];
      })
      .join('\n');
  }

  #link(folder: string): PageLink {
    const title = /^title: *(.+)$/m.exec(read(folder))?.[1]?.trim();
    // A page without a title is refused by the check of its head, with a better message.
    return {href: `${BASE}${folder}/index.html`, title: title ?? folder};
  }
}

const thinksOf = (folder: string): string[] => read(folder).match(THINK) ?? [];

const anchor = ({href, title}: PageLink, text: (title: string) => string = escapeHtml): string =>
  `<a href="${href}">${text(title)}</a>`;
