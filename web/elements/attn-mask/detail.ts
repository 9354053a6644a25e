// One row of <attn-mask>, key by key: score, power, weight; and its 100 % as a strip, beside the
// strip of the correct way where a mistaken one is shown.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {fixed, percent} from '../../shared/format.js';
import {
  color,
  figure,
  hatch,
  panel,
  rule,
  text,
  textLines,
  unitsOf,
  type Token,
} from '../../shared/plot.js';
import {enteringText, fitted, powerText} from './grid.js';
import {
  barsAt,
  come,
  type Beat,
  orderOf,
  partsAt,
  type Masked,
  type Part,
  type Shown,
} from './moment.js';
import {type Cell, type MaskState, MISTAKES} from './state.js';
import {beatWords} from './words.js';

/** Columns in per cent: right edges of two numbers, and the bar. */
const SCORE = 29;
const POWER = 47;
const BAR = {x: 50, width: 49};
/** A text after a bar begins here at the latest, so that it has room. */
const LAST = 79;

const TOP = 54;
const STRIP = 30;
const LIFT = 14;
/** Room under a strip for its names. */
const NAMES = 24;
/** Height of the lines below the strips. */
const LINE = 19;

export function detail(state: MaskState, shown: Shown): TemplateResult {
  const {row, rows, place} = shown;
  const order = orderOf(state.mistake);
  const line = rows.length > 7 ? 28 : 38;
  const below = TOP + line * rows.length + 16;
  const parts = partsAt({...row, order}, place);
  const bars = barsAt(parts, rows.length);
  const labels = rows.map(({label}) => label);
  const compared = state.mistake !== 'none';
  const each = (compared ? 20 : 0) + STRIP + NAMES;
  const end = below + each * (compared ? 2 : 1);
  const correct: Masked = {
    order: orderOf('none'),
    defined: true,
    cells: row.cells.map(({free, right, hidden}) => ({
      free,
      weight: right,
      masked: hidden,
      leak: false,
    })),
  };
  const power = come(order, 'power', place);
  const swept = place > order.indexOf('hide') + 0.5;
  return figure(
    {
      height: end + 2 * LINE,
      label: `「${row.label}」一行各个位置的分数和权重；数值见表格`,
    },
    svg`<defs>${hatch('freed', 'ink-2')}${hatch('lost', 'wrong')}</defs>
      ${text(0, 18, `「${row.label}」这一行`, {size: 15, weight: 600})}
      ${text(100, 18, beatWords(order, place), {anchor: 'end', size: 13, fill: 'ink-2'})}
      ${text(SCORE, 42, swept && order[1] === 'hide' ? '进softmax' : '分数', head)}
      ${power > 0.5 ? powers(state.mistake === 'bfloat16' ? 's−最大值' : 's') : nothing}
      ${row.cells.map((cell, j) =>
        key({state, shown, cell, label: labels[j] ?? '', bar: bars[j], y: TOP + line * j, line}),
      )}
      ${strip(parts, labels, below, compared ? wayName(state) : '')}
      ${compared ? strip(partsAt(correct, place), labels, below + each, '✓ 加−∞') : nothing}
      ${power > 0.5 ? notes(shown, parts, end + 12) : nothing}`,
  );
}

const wayName = ({mistake}: MaskState) => MISTAKES.find(({id}) => id === mistake)?.name ?? '';

/** e with its exponent raised. */
const powers = (exponent: string) =>
  svg`<text x="${POWER}%" y="42" text-anchor="end" font-size="12"
    fill=${color('ink-2')}>e<tspan dy="-4" font-size="80%">${exponent}</tspan></text>`;

const head = {anchor: 'end', size: 12, fill: 'ink-2'} as const;

interface Key {
  state: MaskState;
  shown: Shown;
  cell: Cell;
  label: string;
  bar: {kept: number; whole: number} | undefined;
  y: number;
  line: number;
}

/** One key of the row. */
function key({state, shown, cell, label, bar, y, line}: Key): SVGTemplateResult {
  const {row, place} = shown;
  const order = orderOf(state.mistake);
  const late = order[3] === 'hide';
  const base = y + line / 2 + 5;
  const hidden = place > order.indexOf('hide') + 0.5;
  const power = come(order, 'power', place);
  const {kept = 0, whole = 0} = bar ?? {};
  const wrong = !row.defined || cell.leak || (late && cell.masked);
  const token: Token = wrong ? 'wrong' : 'weight';
  const drawn = (share: number, ink: number) =>
    svg`<rect x="${BAR.x}%" y=${y + line / 5} width="${(BAR.width * share * power).toFixed(3)}%"
      height=${(3 * line) / 5} fill=${color(token)} opacity=${ink}/>`;
  return svg`${rule(0, 100, y)}<g data-thing=${label}>${text(0, base, label, {
    size: fitted(label, 45, 15),
    weight: 600,
    fill: cell.masked && hidden ? 'ink-2' : 'ink',
  })}
    ${
      place === 0
        ? nothing
        : text(SCORE, base, hidden && !late ? enteringText(row, cell) : fixed(cell.score, 2), {
            anchor: 'end',
            size: 14,
            fill: 'score',
          })
    }
    ${
      power > 0.5 && row.defined
        ? text(POWER, base, powerText(cell), {anchor: 'end', size: 14, fill: 'ink-2'})
        : nothing
    }
    ${drawn(whole, 0.55)}${drawn(kept, 1)}
    ${text(Math.min(LAST, BAR.x + BAR.width * whole) + 2, base, shareText(shown, cell, order), {
      size: 14,
      weight: 600,
      fill: whole > 0 ? token : 'ink-2',
      halo: true,
    })}</g>`;
}

/** Empty until weights are there. */
function shareText({row, place}: Shown, cell: Cell, order: readonly Beat[]): string {
  if (place <= order.indexOf('weight') + 0.5) return '';
  if (!row.defined) return '✗';
  const share = place <= order.indexOf('hide') + 0.5 ? cell.free : cell.weight;
  if (share === 0) return '0';
  return `${cell.leak ? '✗ ' : ''}${percent(share)}`;
}

/** 100 % of the row in one frame. */
function strip(
  parts: readonly Part[],
  labels: readonly string[],
  top: number,
  title: string,
): SVGTemplateResult {
  const y = top + (title ? 20 : 0);
  const longest = Math.max(1, ...parts.map(({to}) => to));
  const at = (share: number) => (100 * share) / longest;
  const ordered = [...parts].sort(
    (a, b) => Number(a.kind === 'gained') - Number(b.kind === 'gained'),
  );
  const fill = title.startsWith('✓') ? 'ink' : 'wrong';
  return svg`${title ? text(0, top + 13, title, {size: 12.5, weight: 600, fill}) : nothing}
    ${panel(
      {x: 0, y, width: 100, height: STRIP},
      svg`${ordered.map((part) => piece(part, at))}<rect width="${at(1)}%" height=${STRIP} rx="2"
        fill="none" stroke=${color('ink')} stroke-width="1.3"/>`,
    )}${names(parts, labels, at, y + STRIP + 16)}`;
}

/** Colours of pieces and their names; hatches, so that hue is not needed, for what is no key's. */
const KINDS: Record<Part['kind'], {token: Token; hatched?: string}> = {
  kept: {token: 'weight'},
  gained: {token: 'weight'},
  leak: {token: 'wrong'},
  lost: {token: 'wrong', hatched: 'url(#lost)'},
  empty: {token: 'ink-2', hatched: 'url(#freed)'},
};

function piece(part: Part, at: (share: number) => number): SVGTemplateResult {
  const {kind, from, to, ink, wait = 0} = part;
  const {token, hatched = color(token)} = KINDS[kind];
  // On its way to its key a piece is lifted, so that it is seen to pass the others.
  const y = -LIFT * 4 * wait * (1 - wait);
  const width = Math.max(0, at(to - from) - 0.35).toFixed(3);
  const place = (filled: string, opacity: number) =>
    svg`<rect x="${at(from).toFixed(3)}%" y=${y.toFixed(1)} width="${width}%"
      height=${STRIP} fill=${filled} opacity=${(ink * opacity).toFixed(2)}/>`;
  return svg`${place(color('raised'), 1)}
    ${place(hatched, kind === 'gained' ? 0.55 * (1 - wait) : 1)}
    ${wait > 0 ? place('url(#freed)', 0.5 * wait) : nothing}`;
}

/** Names under their pieces, the largest first; one without room is in the bars above. */
function names(
  parts: readonly Part[],
  labels: readonly string[],
  at: (share: number) => number,
  y: number,
): SVGTemplateResult {
  const taken: [number, number][] = [];
  const named = parts.filter(({wait, ink}) => wait === undefined && ink > 0.5);
  return svg`${named
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .map((part) => {
      const content = nameOf(part, labels);
      // A full-width character of this size takes 5 % of the narrowest picture, 250 px wide.
      const half = (unitsOf(content) * 5) / 2;
      const x = Math.min(100 - half, Math.max(half, at(part.from + part.to) / 2));
      if (taken.some(([a, b]) => x + half > a && x - half < b)) return nothing;
      taken.push([x - half, x + half]);
      return text(x, y, content, {anchor: 'middle', size: 12.5, fill: KINDS[part.kind].token});
    })}`;
}

function nameOf({key, kind, from, to}: Part, labels: readonly string[]): string {
  const name = labels[key] ?? '';
  if (kind === 'leak') return `✗ ${name}`;
  if (kind === 'lost') return `✗ 不见了${percent(to - from)}`;
  if (kind === 'empty') return `空出来${percent(to - from)}`;
  return name;
}

/** Explains the light pieces, and the ratio that no mask may change. */
function notes({row: {freed, ratio}}: Shown, parts: readonly Part[], y: number): SVGTemplateResult {
  const gains = parts.some(({kind, wait = 1}) => kind === 'gained' && wait < 0.5);
  const lines = [
    gains ? `浅色：让出来的${percent(freed)}` : '',
    ratio
      ? `${ratio.over}÷${ratio.under}：遮前${fixed(ratio.free, 2)}，遮后${fixed(ratio.now, 2)}`
      : '',
  ].filter((line) => line !== '');
  return textLines(0, y, lines, {leading: LINE, size: 13, fill: 'ink-2'});
}
