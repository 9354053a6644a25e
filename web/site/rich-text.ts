// Authors' short texts (questions, timeline): plain text with `{num id}` and **strong** parts.

import type {RichText} from '../shared/rich-text.js';
import type {NumberSpec} from './numbers.js';

const PART = /\{num ([\w.-]+)\}|\*\*([^*]+)\*\*/g;

/** Throws Error with the unknown number's name. */
export function richText(text: string, find: (id: string) => NumberSpec): RichText {
  const parts: RichText = [];
  let from = 0;
  for (const match of text.matchAll(PART)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    if (match[1] !== undefined) parts.push({num: match[1], text: find(match[1]).text});
    else if (match[2] !== undefined) parts.push({strong: richText(match[2], find)});
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
