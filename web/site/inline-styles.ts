// A strict policy ignores style attributes, and KaTeX writes many: each distinct one becomes a class
// of one shared sheet.

import {createHash} from 'node:crypto';

export class InlineStyles {
  readonly #rules = new Map<string, string>();

  /** The same markup with classes in place of style attributes. */
  extract(html: string): string {
    return html.replace(/<[a-z][^<>]*\sstyle="[^"]*"[^<>]*>/gi, (tag) => {
      const style = /\sstyle="([^"]*)"/.exec(tag)?.[1] ?? '';
      const name = `s${createHash('sha256').update(style).digest('hex').slice(0, 8)}`;
      this.#rules.set(name, style.replace(/;$/, ''));
      const bare = tag.replace(/\sstyle="[^"]*"/, '');
      return /\sclass="/.test(bare) ? bare.replace(/\sclass="/, ` class="${name} `) : bare.replace(/^<([\w-]+)/, `<$1 class="${name}"`);
    });
  }

  sheet(): string {
    return [...this.#rules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, style]) => `.${name}{${style}}`).join('\n');
  }
}
