// Pages of the same form have the same elements, classes and attributes, and differ in their texts.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parse, type DefaultTreeAdapterTypes} from 'parse5';
import {dist} from './site.js';

type Node = DefaultTreeAdapterTypes.Node;

/** Attributes whose values decide about style or role; of the others only the name counts. */
const VALUES = ['class', 'role', 'type'];

/** The kinds of elements below a node, those in templates included. */
function kindsBelow(node: Node): string[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  const content = 'content' in node ? [node.content] : [];
  const own =
    'tagName' in node
      ? [
          `${node.tagName} ${node.attrs
            .map(({name, value}) => (VALUES.includes(name) ? `${name}=${value}` : name))
            .sort()
            .join(' ')}`,
        ]
      : [];
  return [...own, ...[...children, ...content].flatMap(kindsBelow)];
}

const formOf = (node: Node): string => [...new Set(kindsBelow(node))].sort().join('\n');

/** The widgets of a page in document order. */
function widgetsBelow(node: Node): Node[] {
  if ('tagName' in node && node.tagName.startsWith('attn-')) return [node];
  return 'childNodes' in node ? node.childNodes.flatMap(widgetsBelow) : [];
}

/**
 * The first page of each form, by its path in dist/, with the places (from 0) of those widgets
 * among the page's that have the form of one on an earlier of these pages.
 */
export function firstOfEachForm(pages: readonly string[]): Map<string, number[]> {
  const forms = new Set<string>();
  const forWidgets = new Set<string>();
  const firsts = new Map<string, number[]>();
  for (const page of pages) {
    const document = parse(readFileSync(join(dist, page), 'utf8'));
    const form = formOf(document);
    if (forms.has(form)) continue;
    forms.add(form);
    const widgets = widgetsBelow(document).map(formOf);
    firsts.set(
      page,
      [...widgets.keys()].filter((i) => forWidgets.has(widgets[i] ?? '')),
    );
    for (const widget of widgets) forWidgets.add(widget);
  }
  return firsts;
}
