// The style sheet of one page's formulas: the rules of KaTeX that the page uses, and a class for
// each style attribute, because a strict policy ignores style attributes.

import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {attributeOf, type Edits, type Element} from './html.js';

const KATEX = 'node_modules/katex/dist';
/**
 * Four base-36 digits are enough for a few hundred styles; the build stops if two names are equal.
 */
const NAME_LENGTH = 4;

/** Rounds to hundredths of an em, less than a fifth of a pixel, so that many styles become one. */
function rounded(style: string): string {
  return style.replace(/-?[\d.]+(?=em)/g, (size) => String(Math.round(100 * Number(size)) / 100));
}

export class FormulaStyle {
  readonly #rules = new Map<string, string>();

  /** Replaces an element's style attribute by a class. */
  take(element: Element, edits: Edits): void {
    const style = rounded((attributeOf(element, 'style') ?? '').replace(/;$/, ''));
    const name = `s${BigInt(`0x${createHash('sha256').update(style).digest('hex')}`)
      .toString(36)
      .slice(0, NAME_LENGTH)}`;
    if ((this.#rules.get(name) ?? style) !== style)
      throw new Error(`two styles share the class ${name}: ${style}`);
    this.#rules.set(name, style);
    edits.removeAttribute(element, 'style');
    const own = attributeOf(element, 'class');
    if (own === undefined) edits.addFirst(element, ` class="${name}"`);
    else edits.setAttribute(element, 'class', `${name} ${own}`);
  }

  /**
   * The sheet for the classes of a page, and the font files that it names; null without formulas.
   */
  sheet(used: ReadonlySet<string>): {css: string; fonts: string[]} | null {
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
    const own = [...this.#rules]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, style]) => `.${name}{${style}}`);
    return {
      css: [...faces, ...kept, ...own].join('\n'),
      fonts: fonts.map((file) => `${KATEX}/fonts/${file}`),
    };
  }
}
