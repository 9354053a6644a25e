// The static figures: one SVG for each widget that a page shows, named by page and widget.

import {join} from 'node:path';
import {writeFigure, type Drawing, type FigureText} from '../shared/figure.js';
import {titleOf, type PageWidget} from './page-widgets.js';
import {drawTemplate} from './draw.js';
import {isElement, parsePiece, type Parent} from './html.js';
import {pageFolder, type PageEnv} from './paths.js';
import {write} from './write.js';

interface Drawn extends PageWidget {
  /** The name of its file in figures/, without the ending. */
  name: string;
}

export class Figures {
  /** The figures of each page; a page may be drawn again. */
  readonly #drawn = new Map<string, Drawn[]>();

  /** Throws Error when the page has a figure of that name already. */
  add(widget: PageWidget, own: string, env: PageEnv): void {
    const page = pageFolder(env);
    // Other people's pages show the gallery's figures, whose names leave out the folder of the tag.
    const name = `${page.replace(/^widgets\/.*/, 'widgets')}/${own}`.replaceAll('/', '-');
    const drawn = this.#drawn.get(page) ?? [];
    if (drawn.some((other) => other.name === name))
      throw new Error(`这一页已有一个小工具的图叫「${own}」，给它们各写一个id`);
    this.#drawn.set(page, [...drawn, {...widget, name}]);
  }

  /** Removes a page's figures before the page is drawn again. */
  forget(env: PageEnv): void {
    this.#drawn.delete(pageFolder(env));
  }

  /** Writes the figures of one page, or of all; returns their names. */
  async write(out: string, env?: PageEnv): Promise<string[]> {
    const pages = env ? [this.#drawn.get(pageFolder(env)) ?? []] : [...this.#drawn.values()];
    for (const drawn of pages.flat()) {
      const {spec, state, result, name} = drawn;
      const markup = await drawTemplate(spec.view(state, result));
      const words = {title: titleOf(drawn), description: spec.says(state, result)};
      write(join(out, `figures/${name}.svg`), composeFigure(markup, words));
    }
    return pages.flat().map(({name}) => name);
  }
}

/** The plain tree of parsed markup. */
export function drawingsIn(parent: Parent): (Drawing | string)[] {
  return parent.childNodes.flatMap((node): (Drawing | string)[] => {
    if ('value' in node) return [node.value];
    if (!isElement(node)) return [];
    const attributes = node.attrs.map(({name, value}) => [name, value] as const);
    return [{name: node.tagName, attributes, children: drawingsIn(node)}];
  });
}

/** The figure of a view's markup. Throws when the view draws no picture. */
export function composeFigure(markup: string, words: FigureText): string {
  return writeFigure(drawingsIn(parsePiece(markup)), words);
}
