// Names the things that formulas and sentences are about, so that pointing at one lights it
// everywhere (see pointing.ts). The names are those of the parts in flow-path.ts, and the tokens of
// the teaching sentence.

import type MarkdownIt from 'markdown-it';
import {pageFolder, type PageEnv} from './paths.js';

const isLesson = (env: unknown) => /^c\d+\//.test(pageFolder(env as PageEnv));

const LETTERS: Readonly<Record<string, string>> = {
  q: 'q',
  k: 'k',
  v: 'v',
  s: 'scores',
  x: 'x',
};
/** A letter on the line; a subscript, as in W_Q, is smaller and has one more class. */
const LETTER =
  /<span class="mord (?:mathnormal|mathbf|boldsymbol)"(?: style="[^"]*")?>([qkvsx])</gi;
/** A root in the source; it has a group where its content is d or d with a subscript. */
const SQRT = /\\sqrt(?![a-z])\s*(\{\s*d\s*[_}]|d(?![a-z]))?/g;

/** Marks q, k, v, s, x, √d and softmax in a formula that KaTeX has set. */
export function nameInFormula(source: string, formula: string): string {
  const roots = [...source.matchAll(SQRT)].map(([, d]) => d !== undefined);
  let root = 0;
  return formula
    .replaceAll(LETTER, (span, letter: string) =>
      span.replace('<span', `<span data-thing="${LETTERS[letter.toLowerCase()]}"`),
    )
    .replaceAll('<span class="mord sqrt">', (span) =>
      roots[root++] ? '<span data-thing="sqrt" class="mord sqrt">' : span,
    )
    .replaceAll(
      '<span class="mord mathrm">softmax<',
      '<span data-thing="softmax" class="mord mathrm">softmax<',
    );
}

const WORDS: Readonly<Record<string, string>> = {
  softmax: 'softmax',
  查询: 'q',
  因果掩码: 'mask',
  掩码: 'mask',
  注意力分数: 'scores',
  注意力权重: 'softmax',
  小明: '小明',
  苹果: '苹果',
  小王: '小王',
  '「把」': '把',
  '「给了」': '给了',
};
const WORD = new RegExp(Object.keys(WORDS).join('|'), 'g');
/** Words that are marked only where they stand alone, in a cell of a table or in bold. */
const ALONE: Readonly<Record<string, string>> = {键: 'k', 值: 'v', 把: '把', 给了: '给了'};

const marked = (name: string, text: string) => `<span data-thing="${name}">${text}</span>`;

/** Marks the words of a lesson's sentences. */
export function nameWords(md: MarkdownIt): void {
  const plain = md.renderer.rules.text!;
  md.renderer.rules.text = (tokens, i, options, env, self) => {
    const text = plain(tokens, i, options, env, self);
    if (!isLesson(env)) return text;
    const alone = ALONE[text];
    return alone
      ? marked(alone, text)
      : text.replaceAll(WORD, (word) => marked(WORDS[word]!, word));
  };
}
