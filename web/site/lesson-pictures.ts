// A small picture for each lesson on the home page, drawn from the lesson's own numbers.

import {matrix, rowsOf, valuesOf} from '../core.js';
import {color, type Token} from '../shared/plot.js';
import type {Course} from './course.js';

const WIDTH = 96;
const HEIGHT = 72;

const round = (value: number) => Math.round(100 * value) / 100;

function box(x: number, y: number, width: number, height: number, tone: Token, opacity = 1) {
  return (
    `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ` +
    `rx="1.5" fill="${color(tone)}" fill-opacity="${round(opacity)}"/>`
  );
}

function line(path: string, tone: Token, width = 1.5, opacity = 1) {
  return (
    `<path d="${path}" fill="none" stroke="${color(tone)}" stroke-width="${round(width)}" ` +
    `stroke-opacity="${round(opacity)}" stroke-linecap="round"/>`
  );
}

function dot(x: number, y: number, radius: number, tone: Token, opacity = 1) {
  return (
    `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" fill="${color(tone)}" ` +
    `fill-opacity="${round(opacity)}"/>`
  );
}

/** The numbers of a vector as cells, one above the other. */
function strip(x: number, values: readonly number[], tone: Token) {
  return values
    .map((value, i) => box(x, 12 + i * 12, 10, 10, tone, 0.15 + 0.6 * Math.abs(value)))
    .join('');
}

/** A matrix of shares as a grid of cells. */
function grid(rows: readonly (readonly number[])[], tone: Token) {
  const cell = 12.5;
  const left = (WIDTH - cell * rows.length) / 2;
  const top = (HEIGHT - cell * rows.length) / 2;
  return rows
    .flatMap((row, i) =>
      row.map((share, j) => box(left + j * cell, top + i * cell, 11, 11, tone, 0.08 + 0.9 * share)),
    )
    .join('');
}

/** Bars on a common base line, negative ones below it. */
function bars(values: readonly number[], x: number, base: number, scale: number, tone: Token) {
  return values
    .map((value, i) => {
      const size = Math.abs(value) * scale;
      return box(x + i * 13, value >= 0 ? base - size : base, 10, size, tone, value >= 0 ? 1 : 0.5);
    })
    .join('');
}

/** Shares of a whole, stacked from the bottom. */
function stack(shares: readonly number[], x: number, tone: Token) {
  let top = HEIGHT - 6;
  return shares
    .map((share, i) => {
      const height = share * (HEIGHT - 12);
      top -= height;
      return box(x, top, 16, Math.max(0, height - 1.5), tone, 1 - 0.25 * (i % 3));
    })
    .join('');
}

function arc(from: number, to: number, tone: Token, share: number) {
  const top = 50 - 0.9 * Math.abs(to - from);
  return line(`M${from} 58C${from} ${top} ${to} ${top} ${to} 58`, tone, 1 + 7 * share, 0.75);
}

/** The numbers of the teaching sentence that the pictures show. */
function sentenceOf({core, world}: Course) {
  const x = matrix(world.embeddings);
  const project = (w: readonly (readonly number[])[]) => core.product(x, matrix(w));
  const [q, k, v] = [project(world.W_Q), project(world.W_K), project(world.W_V)];
  const trace = core.attention(q, k, v, {scaled: true, mask: 'causal'});
  return {
    q: rowsOf(q),
    k: rowsOf(k),
    v: rowsOf(v),
    scores: rowsOf(trace.scores),
    weights: rowsOf(trace.weights),
  };
}
type Sentence = ReturnType<typeof sentenceOf>;

/** 「给了」, whose row the lessons return to. */
const GIVES = 3;

const PLACES = [12, 30, 48, 66, 84];

const PICTURES: Record<string, (sentence: Sentence, course: Course) => string> = {
  'c3-l01': ({q, k}) =>
    strip(14, q[GIVES]!, 'query') +
    strip(72, k[2]!, 'key') +
    line('M30 36H66', 'ink-2') +
    dot(48, 36, 7, 'score'),
  'c3-l02': ({scores}) =>
    grid(
      scores.map((row) => row.map((score) => Math.min(1, Math.abs(score) / 3))),
      'score',
    ),
  'c3-l03': ({scores}, {core}) => {
    const seen = scores[GIVES]!.slice(0, GIVES + 1);
    return (
      bars(seen, 6, 44, 12, 'score') +
      line('M4 44H58', 'ink-2', 1) +
      stack(valuesOf(core.weigh(seen).weights), 72, 'weight')
    );
  },
  'c3-l04': ({weights}) => grid(weights, 'weight'),
  'c3-l05': ({v, weights}) =>
    v
      .slice(0, GIVES + 1)
      .map((values, i) => {
        const x = 18 + 20 * i;
        const width = Math.max(2, 24 * weights[GIVES]![i]!);
        return values
          .map((value, d) =>
            box(x - width / 2, 10 + d * 13, width, 11, 'value', 0.25 + 0.6 * Math.abs(value)),
          )
          .join('');
      })
      .join(''),
  'c3-l06': () =>
    [26, 70]
      .map(
        (x, i) =>
          `<circle cx="${x}" cy="36" r="19" fill="none" stroke="${color('rule')}" ` +
          'stroke-width="1.5"/>' +
          line(i === 0 ? `M${x} 36L${x + 17} 30` : `M${x} 36L${x + 6} 52`, 'query', 2.5) +
          line(i === 0 ? `M${x} 36L${x + 6} 20` : `M${x} 36L${x + 17} 42`, 'key', 2.5),
      )
      .join(''),
  'c3-l07': ({weights}) =>
    arc(PLACES[GIVES]!, PLACES[0]!, 'weight', weights[GIVES]![0]!) +
    arc(PLACES[GIVES]!, PLACES[2]!, 'value', weights[GIVES]![2]!) +
    PLACES.map((x) => dot(x, 63, 4, 'ink-2')).join(''),
  'c3-l08': () =>
    PLACES.map((x, i) => {
      const opacity = i === PLACES.length - 1 ? 1 : 0.35;
      return box(x - 7, 14, 14, 18, 'key', opacity) + box(x - 7, 38, 14, 18, 'value', opacity);
    }).join(''),
  'c3-l09': () =>
    Array.from({length: 8}, (_, i) => {
      const x = round(9 + 11.2 * i);
      return dot(x, 14, 4, 'query') + line(`M${x} 19L${i < 4 ? 26 : 70} 48`, 'ink-2', 1, 0.6);
    }).join('') + [26, 70].map((x) => box(x - 9, 49, 18, 14, 'key')).join(''),
  'c3-l10': () =>
    `<path d="M8 8L40 27V45L8 64z" fill="${color('key')}" fill-opacity="0.45"/>` +
    `<path d="M88 8L56 27V45L88 64z" fill="${color('value')}" fill-opacity="0.45"/>` +
    box(42, 25, 12, 22, 'weight'),
  'c3-b1': () =>
    PLACES.map((x, i) => dot(x, 36, 7, 'query', 1 / (1 + 0.9 * i))).join('') +
    PLACES.slice(1)
      .map((x) => line(`M${x - 10} 36H${x - 8}`, 'ink-2', 2))
      .join(''),
  'c3-b4': (_sentence, {core}) =>
    bars(valuesOf(core.weigh([3.5, 0, 0.4, -0.6, 0.2]).weights), 16, 62, 56, 'weight'),
};

/** The markup of a lesson's picture. */
export function lessonPicture(lesson: string, course: Course): string {
  const draw = PICTURES[lesson];
  if (!draw) return '';
  return (
    `<svg class="lesson-picture" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">` +
    `${draw(sentenceOf(course), course)}</svg>`
  );
}
