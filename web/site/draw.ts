// Widgets drawn at build: the same classes, the same core, into declarative shadow DOM.

import {render} from '@lit-labs/ssr';
import {collectResult} from '@lit-labs/ssr/lib/render-result.js';
import type {TemplateResult} from 'lit';
import {unsafeHTML} from 'lit/directives/unsafe-html.js';

/** Lit ends a template whose last piece is an expression with "<?>", which is not valid HTML. */
function validComments(markup: string): string {
  return markup.replaceAll('<?>', '<!---->');
}

/** A page's markup with every registered element drawn, between two comments of Lit's. */
export async function drawWidgets(html: string): Promise<string> {
  return validComments(await collectResult(render(unsafeHTML(html))));
}

export async function drawTemplate(template: TemplateResult): Promise<string> {
  return validComments(await collectResult(render(template)));
}
