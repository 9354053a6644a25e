// The style sheet of one page's formulas: the rules of KaTeX that the page uses, and a class for
// each style attribute, because a strict policy ignores style attributes.

import {readFileSync} from 'node:fs';
import {attributeOf, type Edits, type Element} from './html.js';

const KATEX = 'node_modules/katex/dist';
/** The letters of variables. */
const ITALIC = 'KaTeX_Math-Italic.woff2';

/** Rounds to hundredths of an em, less than a fifth of a pixel, so that many styles become one. */
function rounded(style: string): string {
  return style.replace(/-?[\d.]+(?=em)/g, (size) => String(Math.round(100 * Number(size)) / 100));
}

const styleOf = (element: Element) =>
  rounded((attributeOf(element, 'style') ?? '').replace(/;$/, ''));

export class FormulaStyle {
  /** The class of each style. Similar styles stand together, so that the sheet is short packed. */
  readonly #names: ReadonlyMap<string, string>;

  /** Replaces the elements' style attributes by classes. */
  constructor(styled: readonly Element[], edits: Edits) {
    const styles = [...new Set(styled.map(styleOf))].sort();
    this.#names = new Map(styles.map((style, i) => [style, `s${i.toString(36)}`]));
    for (const element of styled) {
      const name = this.#names.get(styleOf(element));
      edits.removeAttribute(element, 'style');
      const own = attributeOf(element, 'class');
      if (own === undefined) edits.addFirst(element, ` class="${name}"`);
      else edits.setAttribute(element, 'class', `${name} ${own}`);
    }
  }

  /**
   * The sheet for the classes of a page, the font files that it names, and those of them that every
   * formula needs; null without formulas.
   */
  sheet(used: ReadonlySet<string>): {css: string; fonts: string[]; first: string[]} | null {
    if (!used.has('katex')) return null;
    const source = readFileSync(`${KATEX}/katex.min.css`, 'utf8');
    const rules = [...source.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(
      ([, selector = '', body = '']) => ({selector, body}),
    );
    const kept = rules
      .filter(({selector}) => !selector.startsWith('@'))
      .flatMap(({selector, body}) => {
        const parts = selector
          .split(',')
          .filter((part) =>
            [...part.matchAll(/\.([\w-]+)/g)].every(([, name]) => used.has(name ?? '')),
          );
        return parts.length > 0 ? [`${parts.join(',')}{${body}}`] : [];
      });
    const families = new Set([...kept.join('').matchAll(/KaTeX_\w+/g)].map(([family]) => family));
    const fonts: string[] = [];
    const faces = rules
      .filter(({selector}) => selector === '@font-face')
      .flatMap(({body}) => {
        const family = /font-family:"?(KaTeX_\w+)/.exec(body)?.[1];
        const file = /url\(fonts\/([\w-]+\.woff2)\)/.exec(body)?.[1];
        if (!family || !file || !families.has(family)) return [];
        fonts.push(file);
        return [
          `@font-face{${body.replace(/src:[^;]*/, `src:url(fonts/${file}) format("woff2")`)}}`,
        ];
      });
    const own = [...this.#names].map(([style, name]) => `.${name}{${style}}`);
    return {
      css: [...faces, ...kept, ...own].join('\n'),
      fonts: fonts.map((file) => `${KATEX}/fonts/${file}`),
      first: ['KaTeX_Main-Regular.woff2', ...(used.has('mathnormal') ? [ITALIC] : [])],
    };
  }
}
