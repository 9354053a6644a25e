// Edits HTML by its parse tree: changes are made at places of nodes, and the text between two
// changes stays the same, byte for byte.

import {parse, parseFragment, type DefaultTreeAdapterTypes} from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;
export type Document = DefaultTreeAdapterTypes.Document;
export type Comment = DefaultTreeAdapterTypes.CommentNode;
export type Parent = DefaultTreeAdapterTypes.ParentNode;

/** Parses a whole page; every node has its place in the text. */
export const parsePage = (html: string) => parse(html, {sourceCodeLocationInfo: true});

/** Parses a part of a page, in which elements may be left open. */
export const parsePiece = (html: string) => parseFragment(html, {sourceCodeLocationInfo: true});

export const isElement = (node: Node): node is Element => 'tagName' in node;
export const isComment = (node: Node): node is Comment => node.nodeName === '#comment';

/**
 * The descendants of a node in document order, those in templates (and so in shadow roots)
 * included.
 */
export function nodesIn(parent: Parent, found: Node[] = []): Node[] {
  for (const node of parent.childNodes) {
    found.push(node);
    if ('content' in node) nodesIn(node.content, found);
    if ('childNodes' in node) nodesIn(node, found);
  }
  return found;
}

export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

export const isWidget = (node: Node): node is Element =>
  isElement(node) && node.tagName.startsWith('attn-');

function placeOf(node: Node, what = ''): {startOffset: number; endOffset: number} {
  const place = node.sourceCodeLocation;
  if (!place) throw new Error(`${node.nodeName}${what} has no place in the text`);
  return place;
}

/** The text of an element, its tags included. */
export function textOf(element: Element, html: string): string {
  const {startOffset, endOffset} = placeOf(element);
  return html.slice(startOffset, endOffset);
}

/** Changes to a text, collected in any order and applied together. */
export class Edits {
  readonly #edits: {from: number; to: number; text: string}[] = [];

  replace(node: Node, text: string): void {
    const {startOffset, endOffset} = placeOf(node);
    this.#edits.push({from: startOffset, to: endOffset, text});
  }

  /** Inserts attributes, each with a space before it, after the element's name. */
  addFirst(element: Element, attributes: string): void {
    const at = placeOf(element).startOffset + 1 + element.tagName.length;
    this.#edits.push({from: at, to: at, text: attributes});
  }

  /** Inserts attributes, each with a space before it, after the element's last one. */
  addLast(element: Element, attributes: string): void {
    const own = element.attrs.map(({name}) => this.#attribute(element, name).endOffset);
    const at = Math.max(placeOf(element).startOffset + 1 + element.tagName.length, ...own);
    this.#edits.push({from: at, to: at, text: attributes});
  }

  /** Removes an attribute and the space before it. */
  removeAttribute(element: Element, name: string): void {
    const {startOffset, endOffset} = this.#attribute(element, name);
    this.#edits.push({from: startOffset - 1, to: endOffset, text: ''});
  }

  setAttribute(element: Element, name: string, value: string): void {
    const {startOffset, endOffset} = this.#attribute(element, name);
    const text = `${name}="${escapeHtml(value)}"`;
    this.#edits.push({from: startOffset, to: endOffset, text});
  }

  /** The changed text. */
  apply(text: string): string {
    // At one place, insertions come before removals; otherwise the order of the calls is kept.
    const edits = this.#edits.sort((a, b) => a.from - b.from || a.to - b.to);
    const parts: string[] = [];
    let done = 0;
    for (const {from, to, text: put} of edits) {
      if (from < done) throw new Error(`two changes overlap at ${from}`);
      parts.push(text.slice(done, from), put);
      done = to;
    }
    return [...parts, text.slice(done)].join('');
  }

  #attribute(element: Element, name: string): {startOffset: number; endOffset: number} {
    const place = element.sourceCodeLocation?.attrs?.[name];
    if (!place) throw new Error(`<${element.tagName}> has no ${name} in the text`);
    return place;
  }
}

export function withoutComments(html: string): string {
  const edits = new Edits();
  for (const node of nodesIn(parsePiece(html))) if (isComment(node)) edits.replace(node, '');
  return edits.apply(html);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Attributes with JSON values, each with a space before it. */
export function jsonAttributes(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeHtml(JSON.stringify(value))}"`)
    .join('');
}
