// A page as it is published: its widgets drawn, its numbers with their sources, its formulas without
// style attributes, its addresses relative. The drawn page is parsed once; everything reads that tree.

import {createHash} from 'node:crypto';
import {preloadLinks, styleLink, type ClientAssets} from './assets.js';
import {drawWidgets} from './draw.js';
import {FormulaStyle} from './formula-style.js';
import {
  attributeOf,
  Edits,
  isComment,
  isElement,
  isWidget,
  nodesIn,
  parsePage,
  parsePiece,
  type Comment,
  type Element,
} from './html.js';
import type {NumberSpec} from './numbers.js';
import {BASE, wayUp} from './paths.js';
import {searchEntries, type SearchEntry} from './search-index.js';
import {numberRecord, sourcesTable, type NumberRecord} from './sources.js';

/** Where a layout leaves room for what follows from the drawn page. */
const ROOMS = ['sources', 'chunks', 'formulas'] as const;
type Room = (typeof ROOMS)[number];

export interface DrawnPage {
  html: string;
  numbers: NumberRecord[];
  search: SearchEntry[];
  /** The sheet of its formulas below the site's root, with the fonts that it names. */
  formulas: {file: string; css: string; fonts: string[]} | undefined;
}

interface Parts {
  tree: ReturnType<typeof parsePage>;
  edits: Edits;
  rooms: Map<Room, Comment>;
  widgets: Element[];
  /** Those with a style attribute. */
  styled: Element[];
  classes: Set<string>;
  /** Ids of the numbers that the page prints, in order, once each. */
  printed: string[];
}

function partsOf(drawn: string): Parts {
  const tree = parsePage(drawn);
  const edits = new Edits();
  const rooms = new Map<Room, Comment>();
  const elements: Element[] = [];
  for (const node of nodesIn(tree)) {
    if (isElement(node)) elements.push(node);
    if (!isComment(node)) continue;
    const room = ROOMS.find((name) => name === node.data);
    if (room) rooms.set(room, node);
    // The two that Lit puts around a page.
    if (node.parentNode === tree) edits.replace(node, '');
  }
  const widgets = elements.filter(isWidget);
  for (const widget of widgets) edits.addFirst(widget, ' defer-hydration');
  // The name of an early draft stands beside the attribute that browsers know.
  for (const element of elements)
    if (attributeOf(element, 'shadowroot') !== undefined)
      edits.removeAttribute(element, 'shadowroot');
  const values = (name: string) => elements.flatMap((element) => attributeOf(element, name) ?? []);
  return {
    tree,
    edits,
    rooms,
    widgets,
    styled: elements.filter((element) => attributeOf(element, 'style') !== undefined),
    classes: new Set(values('class').flatMap((names) => names.split(/\s+/))),
    printed: [...new Set(values('data-num'))],
  };
}

/** A page without text of its own: one widget alone. */
export async function drawBarePage(
  html: string,
  url: string,
  assets: ClientAssets,
): Promise<string> {
  const drawn = await drawWidgets(html);
  const {edits, rooms, widgets} = partsOf(drawn);
  const chunks = rooms.get('chunks');
  if (chunks) edits.replace(chunks, await preloadLinks(widgets, assets));
  return edits.apply(drawn).replaceAll(BASE, wayUp(url));
}

/**
 * A page of the course.
 *
 * @param url      its address below the site's root, like "/c3/l03/"
 * @param numbers  those that it may print
 * @throws Error for a number without a source
 */
export async function drawPage(
  html: string,
  url: string,
  numbers: Record<string, NumberSpec>,
  assets: ClientAssets,
): Promise<DrawnPage> {
  const page = url.replace(/^\//, '');
  const drawn = await drawWidgets(html);
  const {tree, edits, rooms, widgets, styled, classes, printed} = partsOf(drawn);
  const formulas = formulaSheet(styled, classes, edits);
  const sources = printed.length > 0 ? sourcesTable(printed, numbers) : '';
  const put: Record<Room, string> = {
    sources,
    chunks: await preloadLinks(widgets, assets),
    formulas: formulas ? styleLink(formulas.file) : '',
  };
  for (const [room, comment] of rooms) edits.replace(comment, put[room]);
  const place = rooms.get('sources');
  // The tree gets the table as well: its fold can be searched for.
  if (place?.parentNode)
    place.parentNode.childNodes.splice(
      place.parentNode.childNodes.indexOf(place),
      1,
      ...parsePiece(sources).childNodes,
    );
  return {
    html: edits.apply(drawn).replaceAll(BASE, wayUp(url)),
    numbers: printed.flatMap((id) => {
      const spec = numbers[id];
      return spec ? [numberRecord(id, page, spec)] : [];
    }),
    search: searchEntries(page, tree),
    formulas,
  };
}

/** The sheet of a page's formulas, named by what is in it. */
function formulaSheet(
  styled: readonly Element[],
  classes: ReadonlySet<string>,
  edits: Edits,
): DrawnPage['formulas'] {
  const style = new FormulaStyle();
  for (const element of styled) style.take(element, edits);
  const sheet = style.sheet(classes);
  if (!sheet) return undefined;
  const hash = createHash('sha256').update(sheet.css).digest('hex').slice(0, 8);
  return {...sheet, file: `assets/formula-${hash}.css`};
}
