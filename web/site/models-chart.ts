// The chart of the models' page: one row a model, with the bytes of a token as a dot on a
// logarithmic axis. It is a list, so that it is complete without scripts and its numbers have
// cards; models-order.ts sorts it.

import type {ModelCache} from '../cache.js';
import {binary} from '../shared/format.js';
import {mechanismOf, type Mechanism} from '../shared/mechanism.js';
import {along} from '../shared/plot.js';
import {escapeHtml} from './html.js';
import type {Model} from './model-numbers.js';
import type {NumberSpec} from './numbers.js';
import {BASE} from './paths.js';

type Numbers = Record<string, NumberSpec>;

const MECHANISMS: Record<Mechanism, {name: string; what: string}> = {
  MHA: {name: 'MHA', what: '每个头各存一份键和值'},
  GQA: {name: 'GQA', what: '几个头合存一份'},
  MQA: {name: 'MQA', what: '所有的头合存一份'},
  MLA: {name: 'MLA', what: '存一个压窄的向量'},
  window: {name: '窗口', what: '有些层只留最近的词元；空心是窗口未满时'},
  state: {name: '状态', what: '有些层只存一份大小固定的状态'},
};
const NAMES = Object.keys(MECHANISMS) as Mechanism[];

/** Outlines of the marks around their centre, as different in grey as in colour. */
const MARKS: Record<Mechanism, string> = {
  MHA: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0',
  GQA: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0',
  MQA: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0',
  MLA: 'M0-7.5L7.5 0L0 7.5L-7.5 0Z',
  window: 'M0-7L7.5 6H-7.5Z',
  state: 'M-5.5-5.5H5.5V5.5H-5.5Z',
};

/** How the rows may be ordered; the first is how the build orders them. */
const ORDERS = {up: '从小到大', down: '从大到小', mechanism: '按机制', name: '按名字'} as const;
type Order = keyof typeof ORDERS;

/** Per cent of the track: the place of zero, and the ends of the logarithmic part. */
const ZERO = 2;
const FIRST = 13;
const LAST = 97;
/** The height of a track, in pixels. */
const TRACK = 28;

interface Row {
  model: Model;
  mechanism: Mechanism;
  growing: number;
  /** Null where no layer has a window. */
  within: number | null;
}

interface Axis {
  ticks: readonly number[];
  /** The place of a number of bytes, in per cent. */
  x: (bytes: number) => number;
}

function axisOf(rows: readonly Row[]): Axis {
  const sizes = rows
    .flatMap(({growing, within}) => [growing, within ?? 0])
    .filter((size) => size > 0);
  const first = Math.floor(Math.log2(Math.min(...sizes)));
  const last = Math.ceil(Math.log2(Math.max(...sizes)));
  const ends = [2 ** first, 2 ** last] as const;
  const share = (bytes: number) => along(bytes, ends, 'log') / 100;
  return {
    ticks: [0, ...Array.from({length: last - first + 1}, (_, i) => 2 ** (first + i))],
    x: (bytes) => (bytes === 0 ? ZERO : Number((FIRST + (LAST - FIRST) * share(bytes)).toFixed(2))),
  };
}

const mark = (mechanism: Mechanism, x: number, hollow = false) =>
  `<svg x="${x}%" y="50%" overflow="visible"><path class="mark${hollow ? ' hollow' : ''}" ` +
  `d="${MARKS[mechanism]}"/></svg>`;

function track({mechanism, growing, within}: Row, {x, ticks}: Axis): string {
  const lines = ticks.map((tick) => `<line x1="${x(tick)}%" x2="${x(tick)}%" y2="100%"/>`);
  const range =
    within === null
      ? ''
      : `<line class="range" x1="${x(growing)}%" x2="${x(within)}%" y1="50%" y2="50%"/>` +
        mark(mechanism, x(within), true);
  return (
    `<svg class="track" width="100%" height="${TRACK}" aria-hidden="true">${lines.join('')}` +
    `${range}${mark(mechanism, x(growing))}</svg>`
  );
}

function scale({x, ticks}: Axis): string {
  const labels = ticks.map((tick) => binary(tick).split(' '));
  const texts = ticks.map((tick, i) => {
    const [number, unit] = labels[i] ?? [];
    // The first label with a unit names it for those after it.
    const named = tick > 0 && unit !== labels[i - 1]?.[1];
    // A phone has no room for every power of two.
    const odd = i % 2 === 0 && tick > 0 ? ' class="odd"' : '';
    return (
      `<text x="${x(tick)}%" y="12"${odd}>${number}</text>` +
      (named ? `<text x="${x(tick)}%" y="26"${odd}>${unit}</text>` : '')
    );
  });
  return (
    `<div class="axis" aria-hidden="true"><svg class="track" width="100%" height="30">` +
    `${texts.join('')}</svg><span>再加一个词元</span><span>窗口未满时</span></div>`
  );
}

/** The row's place in an order. */
function places(rows: readonly Row[]): (row: Row, order: Order) => number {
  const names = rows.map(({model}) => model.model).sort();
  const grouped = [...rows].sort(
    (a, b) =>
      NAMES.indexOf(a.mechanism) - NAMES.indexOf(b.mechanism) || rows.indexOf(a) - rows.indexOf(b),
  );
  return (row, order) => {
    if (order === 'name') return names.indexOf(row.model.model);
    if (order === 'mechanism') return grouped.indexOf(row);
    return order === 'up' ? rows.indexOf(row) : rows.length - 1 - rows.indexOf(row);
  };
}

/** Rows in the order from few bytes to many. */
export function modelsChart(
  models: readonly {model: Model; cache: ModelCache}[],
  numbers: Numbers,
): string {
  const value = (model: Model, name: string) => Number(numbers[`${model.id}.${name}`]?.value ?? 0);
  const rows = models.map(({model, cache}): Row => {
    const windowed = cache.layout.some(({window}) => window);
    return {
      model,
      mechanism: mechanismOf(cache),
      growing: value(model, 'growing'),
      within: windowed ? value(model, 'within') : null,
    };
  });
  const axis = axisOf(rows);
  const place = places(rows);
  const number = ({id}: Model, name: string) =>
    `<a class="num" href="#num-${id}.${name}" data-num="${id}.${name}">` +
    `${escapeHtml(numbers[`${id}.${name}`]?.text ?? '')}</a>`;
  const items = rows.map((row) => {
    const {model, mechanism, within} = row;
    const ranks = (Object.keys(ORDERS) as Order[]).map(
      (order) => `data-${order}="${place(row, order)}"`,
    );
    return (
      `<li class="${mechanism.toLowerCase()}" ${ranks.join(' ')}>` +
      `<a class="model" href="${BASE}models/${model.id}/index.html"><span>` +
      `${escapeHtml(model.model)} <small>${MECHANISMS[mechanism].name}</small></span>` +
      `${track(row, axis)}</a><span>${number(model, 'growing')}</span>` +
      `<span>${within === null ? '' : number(model, 'within')}</span></li>`
    );
  });
  const kinds = NAMES.filter((name) => rows.some(({mechanism}) => mechanism === name)).map(
    (name) =>
      `<li class="${name.toLowerCase()}"><svg width="18" height="18" aria-hidden="true">` +
      `${mark(name, 50)}</svg><b>${MECHANISMS[name].name}</b>${MECHANISMS[name].what}</li>`,
  );
  const buttons = (Object.keys(ORDERS) as Order[]).map(
    (order, i) =>
      `<button type="button" data-order="${order}" aria-pressed="${i === 0}">${ORDERS[order]}` +
      `</button>`,
  );
  return (
    `<div class="sizes wide"><ul class="kinds">${kinds.join('')}</ul>` +
    `<div class="orders scripted" role="group" aria-label="排序">${buttons.join('')}</div>` +
    `${scale(axis)}<ol>${items.join('')}</ol></div>`
  );
}
