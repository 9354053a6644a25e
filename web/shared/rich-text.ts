// Text with numbers that link to their source, as widgets show it.

import {html, type TemplateResult} from 'lit';
import {indices} from './indices.js';
import {runtime} from './runtime.js';

export type RichPart = string | {num: string; text: string} | {strong: RichText};
export type RichText = RichPart[];

/** Plain text with its indices as subscripts; a number and its percent sign stay on one line. */
export function showText(plain: string): unknown {
  const text = plain.replaceAll(' %', '\u00a0%');
  const parts = indices(text);
  return parts.length === 1
    ? text
    : parts.map((part, i) => (i % 2 === 1 ? html`<sub>${part}</sub>` : part));
}

/**
 * A number that links to its row in the page's table of sources, if the page has one, with or
 * without scripts.
 */
export function showRich(parts: RichText): TemplateResult {
  return html`${parts.map((part) => {
    if (typeof part === 'string') return showText(part);
    if ('num' in part && runtime.place !== 'course') return part.text;
    if ('strong' in part) return html`<strong>${showRich(part.strong)}</strong>`;
    return html`<a class="num" href="#num-${part.num}" data-num=${part.num}>${part.text}</a>`;
  })}`;
}

export function plainRich(parts: RichText): string {
  return parts
    .map((part) =>
      typeof part === 'string' ? part : 'strong' in part ? plainRich(part.strong) : part.text,
    )
    .join('');
}
