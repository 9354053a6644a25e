// A page as it is published: its widgets drawn, its numbers with their sources, its formulas
// without style attributes, its addresses relative. The page is parsed once, and every step reads
// that tree.

import {createHash} from 'node:crypto';
import {fontLink, preloadLinks, styleLink, type ClientAssets} from './assets.js';
import {drawWidget} from './draw.js';
import {FormulaStyle} from './formula-style.js';
import {
  Edits,
  isComment,
  isElement,
  isWidget,
  nodesIn,
  parsePage,
  parsePiece,
  textOf,
  type Comment,
  type Element,
} from './html.js';
import type {NumberSpec} from './numbers.js';
import {outlineOf} from './outline.js';
import {BASE, wayUp} from './paths.js';
import {searchEntries, type SearchEntry} from './search-index.js';
import {numberRecord, sourcesTable, type NumberRecord} from './sources.js';

/** The placeholders of a layout for the parts that are made after the page is drawn. */
const ROOMS = ['sources', 'chunks', 'formulas', 'outline'] as const;
type Room = (typeof ROOMS)[number];

export interface DrawnPage {
  html: string;
  numbers: NumberRecord[];
  search: SearchEntry[];
  /** The style sheet of the page's formulas, its path below the site's root, and its fonts. */
  formulas: {file: string; css: string; fonts: string[]; first: string[]} | undefined;
}

interface Parts {
  tree: ReturnType<typeof parsePage>;
  /** Replaces the tags of widgets by their drawn markup. */
  edits: Edits;
  rooms: Map<Room, Comment>;
  widgets: Element[];
  /** The elements with a style attribute. */
  styled: Element[];
  classes: Set<string>;
  /** Ids of the numbers that the page prints, in order, once each. */
  printed: string[];
}

async function partsOf(html: string): Promise<Parts> {
  const tree = parsePage(html);
  const edits = new Edits();
  const rooms = new Map<Room, Comment>();
  const widgets: Element[] = [];
  const styled: Element[] = [];
  const classes = new Set<string>();
  const printed = new Set<string>();
  for (const node of nodesIn(tree)) {
    const room = isComment(node) ? ROOMS.find((name) => name === node.data) : undefined;
    if (room) rooms.set(room, node as Comment);
    if (!isElement(node)) continue;
    for (const {name, value} of node.attrs) {
      if (name === 'style') styled.push(node);
      if (name === 'class') for (const each of value.split(/\s+/)) classes.add(each);
      if (name === 'data-num') printed.add(value);
    }
    if (!isWidget(node)) continue;
    widgets.push(node);
    const drawn = await drawWidget(textOf(node, html));
    edits.replace(node, drawn.markup);
    for (const id of drawn.printed) printed.add(id);
  }
  return {tree, edits, rooms, widgets, styled, classes, printed: [...printed]};
}

/** A page with one widget and no text of its own. */
export async function drawBarePage(
  html: string,
  url: string,
  assets: ClientAssets,
): Promise<string> {
  const {edits, rooms, widgets} = await partsOf(html);
  const chunks = rooms.get('chunks');
  if (chunks) edits.replace(chunks, await preloadLinks(widgets, assets));
  return edits.apply(html).replaceAll(BASE, wayUp(url));
}

/**
 * Draws a page of the course.
 *
 * @param url      its address below the site's root, like "/c3/l03/"
 * @param numbers  the numbers that the page may print
 * @throws Error for a number without a source
 */
export async function drawPage(
  html: string,
  url: string,
  numbers: Record<string, NumberSpec>,
  assets: ClientAssets,
): Promise<DrawnPage> {
  const page = url.replace(/^\//, '');
  const {tree, edits, rooms, widgets, styled, classes, printed} = await partsOf(html);
  const formulas = formulaSheet(styled, classes, edits);
  const sources = printed.length > 0 ? sourcesTable(printed, numbers) : '';
  const put: Record<Room, string> = {
    sources,
    chunks: await preloadLinks(widgets, assets),
    formulas: formulas
      ? [styleLink(formulas.file), ...formulas.first.map(fontLink)].join('\n')
      : '',
    outline: outlineOf(tree),
  };
  for (const [room, comment] of rooms) edits.replace(comment, put[room]);
  const place = rooms.get('sources');
  // The table is added to the tree as well, so that the search finds its text.
  if (place?.parentNode)
    place.parentNode.childNodes.splice(
      place.parentNode.childNodes.indexOf(place),
      1,
      ...parsePiece(sources).childNodes,
    );
  return {
    html: edits.apply(html).replaceAll(BASE, wayUp(url)),
    numbers: printed.flatMap((id) => {
      const spec = numbers[id];
      return spec ? [numberRecord(id, page, spec)] : [];
    }),
    search: searchEntries(page, tree),
    formulas,
  };
}

/** The style sheet of a page's formulas; its name is the hash of its content. */
function formulaSheet(
  styled: readonly Element[],
  classes: ReadonlySet<string>,
  edits: Edits,
): DrawnPage['formulas'] {
  const sheet = new FormulaStyle(styled, edits).sheet(classes);
  if (!sheet) return undefined;
  const hash = createHash('sha256').update(sheet.css).digest('hex').slice(0, 8);
  return {...sheet, file: `assets/formula-${hash}.css`};
}
