// The text of a built page, block by block, including the shadow trees of its widgets.
import {parse, type DefaultTreeAdapterTypes as Tree} from 'parse5';

const INLINE = new Set(
  'a abbr b cite code em i mark small span strong sub sup u wbr num-ber'.split(' '),
);

/** The LaTeX of a formula, which KaTeX keeps in an annotation. */
function latexOf(node: Tree.Node): string {
  if (node.nodeName === 'annotation' && 'childNodes' in node)
    return node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
  return 'childNodes' in node ? node.childNodes.map(latexOf).join('') : '';
}

/**
 * One string for each paragraph, cell, button or label; formulas are LaTeX between dollar signs.
 */
export function blocksOf(html: string): string[] {
  const blocks: string[] = [];
  let block = '';
  const close = () => {
    const text = block.replaceAll(/\s+/g, ' ').trim();
    if (text) blocks.push(text);
    block = '';
  };
  const walk = (node: Tree.Node): void => {
    const name = node.nodeName;
    if (name === '#text') block += (node as Tree.TextNode).value;
    if (!('childNodes' in node) || ['script', 'style', 'noscript'].includes(name)) return;
    const classes = 'attrs' in node ? node.attrs.find((attr) => attr.name === 'class')?.value : '';
    if (classes?.split(' ').includes('katex')) {
      block += `$${latexOf(node)}$`;
      return;
    }
    const apart = !INLINE.has(name);
    if (apart) close();
    // The content of a template is its declarative shadow tree.
    const children = 'content' in node ? node.content.childNodes : node.childNodes;
    for (const child of children) walk(child);
    if (apart) close();
  };
  walk(parse(html));
  close();
  return blocks;
}
