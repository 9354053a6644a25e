// A widget's picture as one SVG file that stands alone. The build and the browser read their trees
// into the same plain one, so they make the same file. Colours are the light palette's, since a
// file has no page around it.

import tokens from './tokens.css?raw';

const WIDTH = 640;
const MARGIN = 16;
const TITLE_HEIGHT = 44;
const GAP = 12;
const FONTS = "'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif";

const PALETTE = new Map(
  [...tokens.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]+),/gi)].map((match) => [
    match[1] ?? '',
    match[2] ?? '',
  ]),
);

export interface FigureText {
  title: string;
  description: string;
}

/** An element of a drawn view, as a parser or a browser gives it; comments are left out. */
export interface Drawing {
  name: string;
  attributes: readonly (readonly [name: string, value: string])[];
  /** Elements, and texts with their entities decoded. */
  children: readonly (Drawing | string)[];
}

/** A file has no focus and no style sheet, and one name for the whole picture. */
const DROPPED = ['data-figure', 'class', 'tabindex', 'role', 'aria-label', 'aria-hidden'];

/** An element that may have content gets a closing tag, even if it is empty. */
const HOLDERS = ['svg', 'g', 'defs', 'text', 'tspan'];

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Markup of a drawing, without what only a page needs. */
export function written(part: Drawing | string): string {
  if (typeof part === 'string') return escape(part);
  const attributes = part.attributes
    .filter(([name]) => !DROPPED.includes(name))
    .map(([name, value]) => ` ${name}="${escape(value)}"`)
    .join('');
  const inside = part.children.map(written).join('');
  const tag = `<${part.name}${attributes}`;
  return inside || HOLDERS.includes(part.name) ? `${tag}>${inside}</${part.name}>` : `${tag}/>`;
}

/** The outermost pictures, in order. */
function pictures(parts: Drawing['children']): Drawing[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [];
    if (part.name !== 'svg') return pictures(part.children);
    return part.attributes.some(([name]) => name === 'data-figure') ? [part] : [];
  });
}

/** Throws when the view draws no picture. */
export function writeFigure(view: Drawing['children'], {title, description}: FigureText): string {
  const parts = pictures(view);
  if (parts.length === 0) throw new Error(`${title}: the view draws no picture`);
  let y = TITLE_HEIGHT;
  const placed = parts.map(({attributes, children}) => {
    const given = (wanted: string) => attributes.find(([name]) => name === wanted)?.[1];
    const height = Number(given('height'));
    if (!(height > 0)) throw new Error(`${title}: a picture needs its height`);
    const units = given('viewBox');
    const place = {x: MARGIN, y, width: WIDTH - 2 * MARGIN, height};
    y += height + GAP;
    return written({
      name: 'svg',
      attributes: [
        ...Object.entries(place).map(([name, value]) => [name, String(value)] as const),
        ...(units
          ? ([
              ['viewBox', units],
              ['preserveAspectRatio', 'xMinYMin'],
            ] as const)
          : []),
        ['font-size', '13'],
        ['fill', 'var(--ink)'],
        ['overflow', 'visible'],
      ],
      children,
    });
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" ` +
    `viewBox="0 0 ${WIDTH} ${y}" role="img" font-family="${FONTS}">` +
    `<title>${escape(title)}</title><desc>${escape(description)}</desc>` +
    `<rect width="${WIDTH}" height="${y}" fill="var(--raised)"/>` +
    `<text x="${MARGIN}" y="28" font-size="16" font-weight="600" fill="var(--ink)">` +
    `${escape(title)}</text>${placed.join('')}</svg>\n`;
  return svg.replace(/var\(--([\w-]+)\)/g, (whole, name: string) => PALETTE.get(name) ?? whole);
}
