// Tables that are pictures. In `::: heat key` each number's cell is filled with the colour of keys,
// the fuller the larger the number is; a negative number's cell is hatched. In `::: bars key` a bar
// stands below the number in the last column, all bars to one scale. With `::: bars key limit` the
// first row is a limit, drawn as a frame, and what exceeds it is red. The numbers stay text and
// keep their sources.

import {container} from '@mdit/plugin-container';
import type MarkdownIt from 'markdown-it';
import type {Token} from 'markdown-it/index.js';
import {faceFill, inkOf, type HeatToken} from '../shared/heat.js';

const TOKENS: readonly HeatToken[] = ['weight', 'score', 'query', 'key', 'value', 'wrong'];

export const PICTURE_NAMES = ['heat', 'bars'] as const;
type Kind = (typeof PICTURE_NAMES)[number];

/** A hatched cell has less ink, so that its number stays legible on both of its colours. */
const HATCHED = 0.45;
const BAR = 12;

interface Cell {
  open: Token;
  text: Token;
  value: number;
}

export interface PageAccess {
  /** The value of a number of the page. */
  valueOf: (env: unknown, id: string) => number;
  /** Throws BuildError at the place in the page's source that holds `needle`. */
  refuse: (env: unknown, needle: string, message: string) => never;
}

/** The cells with a number, row by row; of several numbers in a cell the first counts. */
function rowsOf(tokens: readonly Token[], value: (id: string) => number): Cell[][] {
  const rows: Cell[][] = [];
  for (const [i, open] of tokens.entries()) {
    if (open.type === 'tr_open') rows.push([]);
    const text = tokens[i + 1];
    const id = text?.children?.find(({type}) => type === 'num')?.meta as string | undefined;
    if (open.type === 'td_open' && text && id !== undefined)
      rows.at(-1)?.push({open, text, value: value(id)});
  }
  return rows.filter((row) => row.length > 0);
}

function addStyle(token: Token, style: string): void {
  const own = String(token.attrGet('style') ?? '').replace(/;$/, '');
  token.attrSet('style', own ? `${own};${style}` : style);
}

function fill({open, value}: Cell, token: HeatToken, largest: number): void {
  const share = largest > 0 ? Math.abs(value) / largest : 0;
  const ink = inkOf(share) * (value < 0 ? HATCHED : 1);
  const colour = `color-mix(in srgb,var(--${token}) ${Math.round(100 * ink)}%,var(--raised))`;
  const background =
    value < 0 ? `repeating-linear-gradient(135deg,${colour} 0 3px,var(--raised) 3px 6px)` : colour;
  addStyle(open, `background:${background};color:${faceFill(ink, token)}`);
  addStyle(open, 'print-color-adjust:exact');
}

const percent = (share: number) => `${Number((100 * share).toFixed(3))}%`;

const bar = (from: number, to: number, paint: string) =>
  `<rect x="${percent(from)}" width="${percent(to - from)}" height="${BAR}" ${paint}/>`;

/** One bar on a line at its beginning, so that a bar too short to see is seen to be missing. */
function barOf(share: number, token: HeatToken, limit: number | undefined): string {
  const ink = `fill="var(--${token})"`;
  const parts =
    limit === undefined || share <= limit
      ? [bar(0, share, ink)]
      : [bar(0, limit, ink), bar(limit, share, 'fill="var(--wrong)"')];
  return `${parts.join('')}<line y2="${BAR}" stroke="var(--ink-2)"/>`;
}

function addBars(rows: readonly Cell[][], token: HeatToken, limited: boolean, html: Token): void {
  const cells = rows.map((row) => row.at(-1)!);
  const largest = Math.max(...cells.map(({value}) => value));
  const limit = limited ? cells[0]!.value / largest : undefined;
  for (const [i, {text, value}] of cells.entries()) {
    const drawn =
      limited && i === 0
        ? bar(0, value / largest, 'fill="none" stroke="var(--ink-2)" stroke-width="2"')
        : barOf(value / largest, token, limit);
    const content =
      `<svg width="100%" height="${BAR}" style="display:block" aria-hidden="true">` +
      `${drawn}</svg>`;
    text.children?.push(Object.assign(Object.create(html) as Token, {content}));
  }
}

/**
 * The colour and the option after a container's name; undefined where one of them is unknown.
 */
function optionsOf(kind: Kind, info: string): {token: HeatToken; limited: boolean} | undefined {
  const [, name = '', ...rest] = info.trim().split(/\s+/);
  const token = TOKENS.find((other) => other === name);
  const limited = kind === 'bars' && rest.join(' ') === 'limit';
  return token && (limited || rest.length === 0) ? {token, limited} : undefined;
}

/** Draws the tables in `::: heat` and `::: bars`. */
export function pictureTables(md: MarkdownIt, {valueOf, refuse}: PageAccess): void {
  for (const name of PICTURE_NAMES)
    md.use(container, {name, openRender: () => '', closeRender: () => ''});
  md.core.ruler.push('picture-tables', (state) => {
    const {tokens, env} = state;
    for (const [i, {type, info}] of tokens.entries()) {
      const kind = PICTURE_NAMES.find((name) => type === `container_${name}_open`);
      if (!kind) continue;
      const size = tokens.slice(i).findIndex((end) => end.type === `container_${kind}_close`);
      const inside = tokens.slice(i, i + size);
      const {token, limited} =
        optionsOf(kind, info) ??
        refuse(env, `::: ${info.trim()}`, `颜色只能是 ${TOKENS.join('、')}，bars后面可以写limit`);
      const rows = rowsOf(inside, (id) => valueOf(env, id));
      if (kind === 'bars') {
        if (rows.some((row) => row.at(-1)!.value < 0))
          refuse(env, `::: ${info.trim()}`, '最后一列有负数，条画不出来；负数用heat');
        addBars(rows, token, limited, new state.Token('html_inline', '', 0));
        const head = inside.filter((cell) => cell.type === 'th_open').at(-1);
        if (head) addStyle(head, 'width:50%');
      } else {
        const largest = Math.max(...rows.flat().map(({value}) => Math.abs(value)));
        for (const cell of rows.flat()) fill(cell, token, largest);
      }
    }
  });
}
