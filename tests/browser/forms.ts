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

/** The first page of each form, by its path in dist/. */
export function firstOfEachForm(pages: readonly string[]): Set<string> {
  const firsts = new Map<string, string>();
  for (const page of pages) {
    const kinds = new Set(kindsBelow(parse(readFileSync(join(dist, page), 'utf8'))));
    const form = [...kinds].sort().join('\n');
    if (!firsts.has(form)) firsts.set(form, page);
  }
  return new Set(firsts.values());
}
