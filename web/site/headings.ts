// Line breaks of headings: only between words, and never before a word of one character, such as
// 的 and 了, which belongs to the word before it. The style sheet forbids all other breaks between
// characters.

import type MarkdownIt from 'markdown-it';
import {escapeHtml} from './html.js';

const HEADING = 'heading';
const words = new Intl.Segmenter('zh', {granularity: 'word'});

/** The pieces of a text between which a line may break, where no punctuation allows it anyway. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let afterWord = false;
  for (const {segment, isWordLike = false} of words.segment(text)) {
    if (pieces.length === 0 || (afterWord && isWordLike && segment.length > 1))
      pieces.push(segment);
    else pieces[pieces.length - 1] += segment;
    afterWord = isWordLike;
  }
  return pieces;
}

/** Keeps a number and its percent sign on one line. */
const keepPercent = (text: string): string => text.replaceAll(' %', '\u00a0%');

/** A heading's plain text as HTML with the places where its lines may break. */
export function headingHtml(text: string): string {
  return piecesOf(keepPercent(text)).map(escapeHtml).join('<wbr>');
}

/** Gives the headings of a page these line breaks, and keeps percentages together everywhere. */
export function breakLines(md: MarkdownIt): void {
  md.core.ruler.push('heading-words', ({tokens}) => {
    for (const [i, {children}] of tokens.entries()) {
      if (tokens[i - 1]?.type !== 'heading_open') continue;
      for (const token of children ?? []) if (token.type === 'text') token.meta = HEADING;
    }
  });
  const plain = md.renderer.rules.text!;
  md.renderer.rules.text = (tokens, i, ...rest) =>
    tokens[i]?.meta === HEADING
      ? headingHtml(tokens[i].content)
      : keepPercent(plain(tokens, i, ...rest));
}
