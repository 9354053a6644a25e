// Sections of a page: each heading of the second level with its text, and the veils that cover what
// follows a prediction until the reader has answered it. veil.ts works them in the browser.

import type MarkdownIt from 'markdown-it';
import type {Token} from 'markdown-it/index.js';
import {escapeHtml} from './html.js';

/** Covers the tokens from `from` up to `to`. */
interface Veil {
  question: string;
  from: number;
  to: number;
}

const UNVEIL =
  '<p class="unveil">这里先收着，答了上面的问题就展开。' +
  '<button type="button">先看后文</button></p>\n';

const isHeading = (token: Token, ...tags: string[]) =>
  token.type === 'heading_open' && token.level === 0 && tags.includes(token.tag);

/** The index of the first token from `from` on that meets `condition`; `end` without one. */
function indexFrom(
  tokens: readonly Token[],
  from: number,
  end: number,
  condition: (token: Token) => boolean,
): number {
  const found = tokens.slice(from, end).findIndex(condition);
  return found < 0 ? end : from + found;
}

/**
 * True if at most one paragraph and widgets stand there: the section that follows then holds the
 * answer.
 */
function isBare(tokens: readonly Token[]): boolean {
  const blocks = tokens.filter(({level, nesting}) => level === 0 && nesting >= 0);
  const prose = blocks.filter(({type}) => type !== 'html_block');
  return prose.length <= 1 && prose.every(({type}) => type === 'paragraph_open');
}

/** The end of a part's opening: its first heading that has text before it. */
function endOfOpening(tokens: readonly Token[], start: number, end: number): number {
  const first = tokens[start] && isHeading(tokens[start], 'h3') ? start + 1 : start;
  return indexFrom(tokens, first, end, (token) => isHeading(token, 'h3'));
}

/** The question of a prediction's tag; undefined for other tokens. */
function predictionIn(token: Token, predictions: ReadonlySet<string>): string | undefined {
  if (token.type !== 'html_block' || token.level > 0) return undefined;
  const question = /^<attn-check\b[^>]*\bquestion="([^"]*)"/.exec(token.content)?.[1];
  return question !== undefined && predictions.has(question) ? question : undefined;
}

function veilsOf(tokens: readonly Token[], predictions: ReadonlySet<string>): Veil[] {
  const veils: Veil[] = [];
  for (const [i, token] of tokens.entries()) {
    const question = predictionIn(token, predictions);
    if (question === undefined) continue;
    const from = i + 1;
    const to = indexFrom(tokens, from, tokens.length, (other) => isHeading(other, 'h2', 'h3'));
    if (to > from) veils.push({question, from, to});
    const next = tokens[to];
    if (!next || !isHeading(next, 'h2') || !isBare(tokens.slice(from, to))) continue;
    // The next section answers the question, so its opening is covered as well, below its heading.
    const start = indexFrom(tokens, to, tokens.length, ({type}) => type === 'heading_close') + 1;
    const end = indexFrom(tokens, start, tokens.length, (other) => isHeading(other, 'h2'));
    veils.push({question, from: start, to: endOfOpening(tokens, start, end)});
  }
  return veils;
}

/**
 * Wraps each heading of the second level and the text below it in a section, and what follows a
 * prediction in a veil, up to the next heading.
 *
 * @param predictions  the ids of questions that are to be answered before reading on
 */
export function intoSections(md: MarkdownIt, predictions: () => ReadonlySet<string>): void {
  md.core.ruler.push('sections', (state) => {
    const {tokens} = state;
    const tag = (content: string) =>
      Object.assign(new state.Token('html_block', '', 0), {content: `${content}\n`});
    const starts = tokens.flatMap((token, i) => (isHeading(token, 'h2') ? [i] : []));
    if (starts.length === 0) return;
    const veils = veilsOf(tokens, predictions());
    // At one place, closing tags come before opening ones.
    const at = (place: number) => [
      ...veils.filter(({to}) => to === place).map(() => tag('</lesson-veil>')),
      ...(starts.includes(place) || place === tokens.length
        ? place > starts[0]!
          ? [tag('</section>')]
          : []
        : []),
      ...(starts.includes(place) ? [tag('<section class="part">')] : []),
      ...veils
        .filter(({from}) => from === place)
        .map(({question}) => tag(`${UNVEIL}<lesson-veil data-question="${escapeHtml(question)}">`)),
    ];
    state.tokens = [...tokens.flatMap((token, i) => [...at(i), token]), ...at(tokens.length)];
  });
}
