// The path of the data through one attention, small, for the margin of a lesson. The parts that
// the lesson is about are lit, and each part is a link to the first lesson about it.

import {color, type Token} from '../shared/plot.js';
import {escapeHtml} from './html.js';
import {BASE, lessonExists, lessonFolder} from './paths.js';

/** The parts in the order of the data. */
const PARTS = ['x', 'q', 'k', 'v', 'scores', 'sqrt', 'mask', 'softmax', 'mix', 'out'] as const;
type Part = (typeof PARTS)[number];

/** Name, name for screen readers, left edge, top edge and width in the picture's units. */
const DRAWN: Readonly<Record<Part, readonly [string, string, number, number, number]>> = {
  x: ['x', 'x，词元向量', 0, 0, 128],
  q: ['q', 'q，查询', 0, 30, 36],
  k: ['k', 'k，键', 44, 30, 36],
  v: ['v', 'v，值', 92, 30, 36],
  scores: ['打分 q·k', '打分 q·k', 0, 60, 80],
  sqrt: ['÷', '除以根号d', 0, 86, 80],
  mask: ['掩码', '掩码', 0, 112, 80],
  softmax: ['softmax', 'softmax', 0, 138, 80],
  mix: ['加权求和', '加权求和', 0, 168, 128],
  out: ['输出', '输出', 0, 194, 128],
};
const HEIGHT = 22;

/** The root over d, after the sign of the division. */
const root = (ink: string): string =>
  `<path d="M41 97L43 96L46 102L49 91H58" fill="none" stroke="${ink}" stroke-width="1.3"/>` +
  '<text x="53.5" y="101.5">d</text>';

/** The parts that each lesson is about, in the order in which lessons are read. */
const LIT: Readonly<Record<string, readonly Part[]>> = {
  'c3-l01': ['x', 'q', 'k'],
  'c3-l02': ['scores'],
  'c3-l03': ['sqrt', 'softmax'],
  'c3-l04': ['mask'],
  'c3-l05': ['v', 'mix', 'out'],
  'c3-l06': ['q', 'k'],
  'c3-l07': ['q', 'k', 'v', 'out'],
  'c3-l08': ['k', 'v'],
  'c3-l09': ['k', 'v'],
  'c3-l10': ['k', 'v'],
  'c3-b4': ['softmax'],
};

/** The parts that a lesson is about. */
export const thingsOf = (lesson: string): readonly Part[] => LIT[lesson] ?? [];

/** From x to q, k and v; down to the weights, and v beside them; on to the output. */
const LINES =
  'M18 22V30M62 22V30M110 22V30M18 52V60M62 52V60M40 82V86M40 108V112M40 134V138' +
  'M40 160V168M110 52V168M64 190V194';

const TOKENS: Partial<Record<Part, Token>> = {q: 'query', k: 'key', v: 'value'};

function partMarkup(part: Part, lesson: string): string {
  const [name, spoken, x, y, width] = DRAWN[part];
  const first = Object.keys(LIT).find((id) => LIT[id]!.includes(part));
  const lit = thingsOf(lesson).includes(part);
  const ink = color(TOKENS[part] ?? (lit ? 'ink' : 'ink-2'));
  const middle = part === 'sqrt' ? 30 : x + width / 2;
  const drawn =
    `<rect x="${x + 0.5}" y="${y + 0.5}" width="${width - 1}" height="${HEIGHT - 1}" rx="5" ` +
    `fill="${color(lit ? 'weight-soft' : 'paper')}" stroke="${color(lit ? 'weight' : 'rule')}"/>` +
    `<g fill="${ink}"${lit ? ' font-weight="600"' : ''}>` +
    `<text x="${middle}" y="${y + 15.5}">${escapeHtml(name)}</text>` +
    `${part === 'sqrt' ? root(ink) : ''}</g>`;
  const about = `data-thing="${part}"${lit ? ' class="now"' : ''}`;
  if (!first || !lessonExists(first)) return `<g ${about}>${drawn}</g>`;
  const href = `${BASE}${lessonFolder(first)}index.html`;
  return `<a href="${href}" aria-label="${spoken}" ${about}>${drawn}</a>`;
}

export function flowPath(lesson: string): string {
  const parts = PARTS.map((part) => partMarkup(part, lesson));
  return (
    '<svg class="flow-path" viewBox="0 0 128 216" font-size="11.5" text-anchor="middle" ' +
    'role="group" aria-label="数据流">\n' +
    `<path d="${LINES}" stroke="${color('ink-2')}"/>\n${parts.join('\n')}\n</svg>`
  );
}
