// Draws widgets at build, with the same classes and the same core, into declarative shadow DOM.

import {render} from '@lit-labs/ssr';
import {collectResult} from '@lit-labs/ssr/lib/render-result.js';
import type {TemplateResult} from 'lit';
import {unsafeHTML} from 'lit/directives/unsafe-html.js';
import {runtime} from '../shared/runtime.js';
import {attributeOf, Edits, isComment, isElement, isWidget, nodesIn, parsePiece} from './html.js';

export async function drawTemplate(template: TemplateResult): Promise<string> {
  const markup = await collectResult(render(template));
  // Lit ends a template whose last piece is an expression with "<?>", which is not valid HTML.
  return markup.replaceAll('<?>', '<!---->');
}

export interface DrawnWidget {
  /** The tag with its shadow root; it is hydrated when the page's script calls it. */
  markup: string;
  /** Ids of the numbers that it prints. */
  printed: string[];
}

const known = new Map<string, DrawnWidget>();

/** Draws a widget from the text of its element; the same text is drawn once. */
export async function drawWidget(text: string): Promise<DrawnWidget> {
  const key = [runtime.place, ...runtime.stylesheets, text].join('\n');
  const drawn = known.get(key) ?? settled(await drawTemplate(unsafe(text)));
  known.set(key, drawn);
  return drawn;
}

const unsafe = (text: string) => unsafeHTML(text) as unknown as TemplateResult;

function settled(drawn: string): DrawnWidget {
  const piece = parsePiece(drawn);
  const edits = new Edits();
  const printed: string[] = [];
  for (const node of nodesIn(piece)) {
    // Lit puts a comment before and after the markup that it renders.
    if (isComment(node) && node.parentNode === piece) edits.replace(node, '');
    if (!isElement(node)) continue;
    if (isWidget(node)) edits.addFirst(node, ' defer-hydration');
    // The name from an early draft of the standard stands beside the attribute that browsers use.
    if (attributeOf(node, 'shadowroot') !== undefined) edits.removeAttribute(node, 'shadowroot');
    const number = attributeOf(node, 'data-num');
    if (number !== undefined) printed.push(number);
  }
  return {markup: edits.apply(drawn), printed};
}
