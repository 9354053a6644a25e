// A widget's picture as one SVG file that stands alone: markup in, markup out, so that the build and
// the browser make the same file. Colours are the light palette's, since a file has no page around it.

import tokens from './tokens.css?raw';

const WIDTH = 640;
const MARGIN = 16;
const TITLE_HEIGHT = 44;
const GAP = 12;

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

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The outermost `<svg data-figure …>…</svg>` pieces, in order. */
function pieces(markup: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = -1;
  for (const tag of markup.matchAll(/<(\/?)svg\b[^>]*?(\/?)>/g)) {
    if (tag[1]) {
      depth--;
      if (depth === 0 && start >= 0) {
        found.push(markup.slice(start, tag.index + tag[0].length));
        start = -1;
      }
    } else {
      if (depth === 0 && tag[0].includes('data-figure')) start = tag.index;
      if (!tag[2]) depth++;
    }
  }
  return found;
}

/** Throws when the view draws no picture. */
export function composeFigure(markup: string, {title, description}: FigureText): string {
  const clean = markup
    .replace(/<!--[\s\S]*?-->|<\?>/g, '')
    .replace(
      /\s(data-figure|class|tabindex|role|aria-label|aria-hidden)(="[^"]*")?(?=[\s/>])/g,
      (attribute) => (attribute.includes('data-figure') ? attribute : ''),
    );
  const parts = pieces(clean);
  if (parts.length === 0) throw new Error(`${title}: the view draws no picture`);
  let y = TITLE_HEIGHT;
  const placed = parts.map((part) => {
    const height = Number(/^<svg[^>]*\sheight="([\d.]+)"/.exec(part)?.[1]);
    if (!(height > 0)) throw new Error(`${title}: a picture needs its height`);
    const moved = part.replace(
      /^<svg[^>]*>/,
      `<svg x="${MARGIN}" y="${y}" width="${WIDTH - 2 * MARGIN}" height="${height}" font-size="13" fill="var(--ink)" overflow="visible">`,
    );
    y += height + GAP;
    return moved;
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" font-family="'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif">` +
    `<title>${escape(title)}</title><desc>${escape(description)}</desc>` +
    `<rect width="${WIDTH}" height="${y}" fill="var(--raised)"/><text x="${MARGIN}" y="28" font-size="16" font-weight="600" fill="var(--ink)">${escape(title)}</text>` +
    `${placed.join('')}</svg>\n`;
  return svg.replace(/var\(--([\w-]+)\)/g, (whole, name: string) => PALETTE.get(name) ?? whole);
}
