// The small picture of each widget in the gallery: a part of what the widget's own view draws by
// default, without the texts, which would be too small to read.

import {written, type Drawing} from '../../shared/figure.js';
import {drawTemplate} from '../draw.js';
import {drawingsIn} from '../figures.js';
import {parsePiece} from '../html.js';
import {thumbPaths} from '../lesson-pictures.js';
import type {PageWidget, Widgets} from '../page-widgets.js';
import type {ThumbName} from '../thumbs.js';

/** Width ÷ height of every picture. */
const SHAPE = 1.6;

/** The part of a view that is shown. */
interface Part {
  /** Index among the pictures of the view. */
  picture?: number;
  /** The width that the picture is laid out for, in pixels. */
  layout?: number;
  /** The left upper corner and the width of the part, in pixels of the layout. */
  at?: readonly [x: number, y: number, width: number];
  texts?: boolean;
  /** Fields of the state that differ from the default, as attributes spell them. */
  set?: Readonly<Record<string, string>>;
}

const LAYOUT = 340;

/** A widget without an entry shows the top of its first picture, with the texts. */
const PARTS: Readonly<Record<string, Part>> = {
  'attn-backward': {at: [-4, 60, 348]},
  'attn-check': {at: [-22, -56, 350], texts: true, set: {question: 'c3-l05/trade-scale'}},
  'attn-dataflow': {at: [-10, 27, 360], texts: true},
  'attn-decode': {at: [18, 40, 276]},
  'attn-failures': {picture: 3, at: [20, -8, 340]},
  'attn-forward': {layout: 680, at: [116, 6, 380]},
  'attn-formula': {at: [45, 0, 238], texts: true},
  'attn-groups': {at: [-8, -24, 356]},
  'attn-heads': {picture: 1, at: [30, 22, 336]},
  'attn-jacobian': {at: [60, 20, 256]},
  'attn-kv-cache': {picture: 2, at: [0, 0, 400]},
  'attn-lookup': {picture: 1, at: [24, -10, 336]},
  'attn-mask': {at: [-42, 40, 410]},
  'attn-memory': {at: [-14, -40, 368]},
  'attn-float': {at: [-6, 0, 352]},
  'attn-online-softmax': {at: [-6, 16, 352]},
  'attn-params': {at: [-6, 0, 352], texts: true},
  'attn-position': {picture: 1, at: [10, 14, 326]},
  'attn-qkv': {at: [60, 20, 296]},
  'attn-rnn': {at: [-8, 6, 356]},
  'attn-scaling': {at: [16, 14, 340]},
  'attn-sentence': {picture: 1, at: [-36, 20, 412]},
  'attn-sink': {picture: 1, at: [28, -16, 336]},
  'attn-softmax': {layout: 480, at: [30, -5, 400], set: {pair: ''}},
  'attn-sweep': {picture: 1, at: [22, 36, 330]},
  'attn-tiles': {at: [-30, 14, 400]},
  'attn-timing': {at: [20, 48, 336]},
  'attn-traffic': {at: [-10, 4, 360], texts: true},
  'attn-train': {picture: 1, at: [30, 14, 300]},
  'attn-variance': {picture: 1, at: [30, 112, 290]},
  'attn-world': {at: [14, 12, 350]},
};

/** Attributes with coordinates; a tenth of a pixel is fine enough for them. */
const PLACING = /^(d|points|transform|[xyr]|[xy][12]|[cr][xy]|width|height)$/;

function short(name: string, value: string): string {
  if (!PLACING.test(name)) return value;
  return value.replace(/\d+\.\d{2,}/g, (number) => String(Number(Number(number).toFixed(1))));
}

/** Ids are unique on a page, so those of a picture begin with its tag. */
const renamed = (tag: string, value: string) =>
  value.replace(/^(url\()?#/, (start) => `${start}${tag}-`);

/** Areas that only take the pointer. */
const isUnseen = ({attributes}: Drawing) =>
  attributes.some(([name, value]) => name === 'fill' && value === 'transparent') &&
  !attributes.some(([name]) => name === 'stroke');

function small(drawing: Drawing, tag: string, texts: boolean): Drawing[] {
  const {name} = drawing;
  if (isUnseen(drawing) || (name === 'text' && !texts)) return [];
  const attributes = drawing.attributes
    .filter(([key]) => !/^(data|aria)-/.test(key))
    .map(([key, value]) => [
      key,
      key === 'id' ? `${tag}-${value}` : renamed(tag, short(key, value)),
    ])
    .map(([key = '', value = '']) => [key, value] as const);
  const inText = name === 'text' || name === 'tspan';
  const children = drawing.children.flatMap((child): (Drawing | string)[] => {
    if (typeof child !== 'string') return small(child, tag, texts);
    return inText ? [child.replace(/\s+/g, ' ')] : [];
  });
  return name === 'g' && children.length === 0 ? [] : [{name, attributes, children}];
}

const isDrawing = (part: Drawing | string): part is Drawing => typeof part !== 'string';

/** The outermost pictures. */
function picturesIn(parts: Drawing['children']): Drawing[] {
  return parts
    .filter(isDrawing)
    .flatMap((part) => (part.name === 'svg' ? [part] : picturesIn(part.children)));
}

const framed = (tag: string, viewBox: readonly number[], content: string) =>
  `<svg class="widget-picture" id="w-${tag.replace('attn-', '')}" viewBox="${viewBox.join(' ')}" ` +
  `aria-hidden="true">${content}</svg>`;

/** Throws Error where the view has no such picture. */
async function partOf(
  {spec: {tag, view}, state, result}: PageWidget,
  {picture: index = 0, layout = LAYOUT, at = [0, 0, layout], texts = false}: Part,
): Promise<string> {
  const markup = await drawTemplate(view(state, result));
  const picture = picturesIn(drawingsIn(parsePiece(markup)))[index];
  if (!picture) throw new Error(`web/site/gallery/pictures.ts: ${tag} has no picture ${index}`);
  const given = (wanted: string) => picture.attributes.find(([name]) => name === wanted)?.[1];
  const units = given('viewBox');
  const height = Number(given('height'));
  const [drawing] = small(picture, tag, texts);
  const [x, y, width] = at;
  return framed(
    tag,
    [x, y, width, width / SHAPE],
    written({
      name: 'svg',
      attributes: [
        ['width', String(layout)],
        // A picture in units of its own keeps its proportions.
        ['height', String(units ? (layout * height) / Number(units.split(' ')[2]) : height)],
        ...(units ? ([['viewBox', units]] as const) : []),
        ['overflow', 'visible'],
        ['font-size', '13'],
        ['fill', 'var(--ink)'],
      ],
      children: drawing?.children ?? [],
    }),
  );
}

/** The small picture of a lesson, in the shape of a widget's. */
const thumb = (name: ThumbName) => (tag: string) =>
  framed(tag, [-(72 * SHAPE - 96) / 2, 0, 72 * SHAPE, 72], thumbPaths(name));

/** Some stations of the timeline, in its two tracks. */
function stations(tag: string): string {
  const tracks: readonly ThumbName[][] = [
    ['chain', 'softmax', 'heads'],
    ['cache', 'gqa', 'latent'],
  ];
  const drawn = tracks.flatMap((track, row) =>
    track.map((name, i) => {
      const [x, y] = [16 + 112 * i, 22 + 98 * row];
      const arrow =
        `<path d="M${x + 88} ${y + 36}h18" stroke="var(--ink-2)" stroke-width="1.5"/>` +
        `<path d="M${x + 110} ${y + 36}l-7 -4v8z" fill="var(--ink-2)"/>`;
      return (
        `<rect x="${x}" y="${y}" width="84" height="72" rx="6" fill="var(--paper)" ` +
        `stroke="var(--rule)"/><svg x="${x}" y="${y + 4.5}" width="84" height="63" ` +
        `viewBox="0 0 96 72">${thumbPaths(name)}</svg>${i < track.length - 1 ? arrow : ''}`
      );
    }),
  );
  return framed(tag, [0, 0, LAYOUT, LAYOUT / SHAPE], drawn.join(''));
}

/** Widgets whose view has no part that says enough when it is small. */
const DRAWN: Readonly<Record<string, (tag: string) => string>> = {
  'attn-latent': thumb('latent'),
  'attn-timeline': stations,
};

/** The picture of a widget, as markup on one line. */
export async function widgetPicture(widgets: Widgets, tag: string): Promise<string> {
  const drawn = DRAWN[tag]?.(tag);
  if (drawn) return drawn;
  const part = PARTS[tag] ?? {texts: true};
  return partOf(widgets.read(tag, part.set ?? {}), part);
}
