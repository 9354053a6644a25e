// Small pictures, 96 × 72 units, one idea each and no text, for the stations of the timeline and
// the cards of the lessons. The build writes them out, so that no page's script carries them.

import {inkOf} from '../shared/heat.js';
import type {Token} from '../shared/plot.js';
import type {Shape} from '../shared/thumb.js';

const box = (x: number, y: number, width: number, height: number, token: Token, ink = 1): Shape => [
  `M${x} ${y}h${width}v${height}h${-width}z`,
  token,
  ink,
];

const line = (d: string, token: Token, width = 1.5, ink = 1, dash?: string): Shape =>
  dash ? [d, token, ink, width, dash] : [d, token, ink, width];

const dot = (x: number, y: number, radius: number, token: Token, ink = 1): Shape => [
  `M${x - radius} ${y}${[2, -2].map((r) => `a${radius} ${radius} 0 1 0 ${r * radius} 0`).join('')}`,
  token,
  ink,
];

/** A point of an arrow to the right, or downwards. */
const tip = (x: number, y: number, token: Token, down = false): Shape => [
  down ? `M${x} ${y + 3}l-3.2 -5.5h6.4z` : `M${x + 3} ${y}l-5.5 -3.2v6.4z`,
  token,
  1,
];

/** Curves from one point to several at another height. */
const fan = (
  [x, y]: readonly [number, number],
  goals: readonly number[],
  height: number,
  widths: readonly number[],
  token: Token,
): Shape[] =>
  goals.map((goal, i) => {
    const middle = (y + height) / 2;
    const d = `M${x} ${y}C${x} ${middle} ${goal} ${middle} ${goal} ${height}`;
    return line(d, token, widths[i] ?? 1, 0.75);
  });

/** A vector as a row of cells. */
const cells = (x: number, y: number, token: Token, inks: readonly number[]): Shape[] =>
  inks.map((ink, i) => box(x + 10 * i, y, 9, 9, token, ink));

const chain = (): Shape[] => [
  line('M12 28C28 8 68 8 84 28', 'wrong', 1.3, 1, '2 4'),
  ...[12, 30, 48, 66].map((x) => tip(x + 10, 42, 'ink-2')),
  ...[12, 30, 48, 66, 84].map((x, i) => dot(x, 42, 5.5, 'ink-2', [0.95, 0.7, 0.5, 0.28, 0.08][i])),
];

const additive = (): Shape[] => [
  ...fan([48, 20], [14, 36, 60, 82], 54, [1, 5, 2, 1], 'weight'),
  dot(48, 14, 6, 'query'),
  ...[14, 36, 60, 82].map((x) => dot(x, 58, 5, 'key')),
];

const projection = (): Shape[] => [
  ...[0.25, 0.25, 1, 0.15].map((ink, i) => box(8, 16.5 + 10 * i, 9, 9, 'ink-2', ink)),
  line('M22 36C34 36 34 14 46 14M22 36H46M22 36C34 36 34 58 46 58', 'ink-2', 1.2),
  ...cells(51, 9.5, 'query', [0.86, 1, 0.8, 0.6]),
  ...cells(51, 31.5, 'key', [0.25, 1, 0.25, 0.35]),
  ...cells(51, 53.5, 'value', [0.25, 0.12, 0.25, 1]),
];

const softmax = (): Shape[] => [
  ...[26, 0, 32, 0].map((height, i) => box(8 + 12 * i, 44 - height, 9, height, 'score')),
  ...[0, 12, 0, 14].map((height, i) => box(8 + 12 * i, 44, 9, height, 'score', 0.55)),
  line('M5 44H56', 'ink-2', 1),
  line('M62 38H67', 'ink-2', 1.3),
  tip(69, 38, 'ink-2'),
  ...[
    [8, 22, 0.62],
    [31, 1.5, 0.4],
    [33.5, 30, 1],
  ].map(([y = 0, height = 0, ink]) => box(77, y, 13, height, 'weight', ink)),
];

/** Rough weights under a causal mask: how full each cell is drawn. */
const TRIANGLE = [
  [1],
  [0.6, 0.4],
  [0.3, 0.2, 0.5],
  [0.39, 0.03, 0.56, 0.02],
  [0.2, 0.2, 0.2, 0.2, 0.2],
];

const mask = (): Shape[] =>
  TRIANGLE.flatMap((row, i) =>
    Array.from({length: 5}, (_, j): Shape => {
      const [x, y] = [17 + 12.6 * j, 5 + 12.6 * i];
      // A stroke across what is hidden.
      return j > i
        ? line(`M${x + 2} ${y + 9.6}l7.6 -7.6`, 'ink-2', 1.2, 0.5)
        : box(x, y, 11.6, 11.6, 'weight', inkOf(row[j] ?? 0));
    }),
  );

/** Values as wide as their weights, and the sum. */
const values = (): Shape[] => [
  ...[
    [14, 12, 0.5],
    [32, 2, 0.8],
    [48, 17, 0.9],
    [64, 2, 0.6],
  ].flatMap(([x = 0, width = 0, ink = 1]) =>
    [0, 1, 2, 3].map((i) => box(x - width / 2, 11 + 13 * i, width, 11, 'value', ink)),
  ),
  line('M70 36H74', 'ink-2', 1.3),
  tip(76, 36, 'ink-2'),
  ...[0, 1, 2, 3].map((i) => box(82, 11 + 13 * i, 10, 11, 'value')),
];

const heads = (): Shape[] => [
  ...fan([48, 56], [12, 66], 20, [7, 2], 'weight'),
  ...fan([48, 56], [30, 48], 20, [1.4, 6], 'query'),
  ...[12, 30, 48, 66, 84].map((x, i) => box(x - 6, 8, 12, 9, 'ink-2', i === 4 ? 0.25 : 0.55)),
  box(39, 57, 18, 10, 'ink-2'),
];

const point = (x: number, angle: number, radius: number) =>
  `${(x + radius * Math.cos(angle)).toFixed(1)} ${(36 + radius * Math.sin(angle)).toFixed(1)}`;

/** Two dials whose hands have turned and keep their angle. */
const rope = (): Shape[] =>
  [26, 70].flatMap((x, i): Shape[] => {
    const from = -0.4 - 1.25 * i;
    const to = from - 0.8;
    const edge = `M${x - 20} 36a20 20 0 1 0 40 0a20 20 0 1 0 -40 0`;
    const wedge = `M${x} 36L${point(x, from, 11)}A11 11 0 0 0 ${point(x, to, 11)}z`;
    return [
      line(edge, 'rule', 1.5),
      [wedge, 'score', 0.35],
      line(`M${x} 36L${point(x, from, 19)}`, 'key', 2.4),
      line(`M${x} 36L${point(x, to, 19)}`, 'query', 2.4),
    ];
  });

const sink = (): Shape[] => [
  ...[21, 29, 20].map((height, i) => box(13 + 20 * i, 46 - height, 13, height, 'weight', 0.7)),
  line('M9 46H88', 'ink-2', 1),
  line('M74 24h13v22h-13z', 'weight', 1, 1, '2 2'),
  line('M80.5 49V58', 'ink-2', 1.4),
  tip(80.5, 61, 'ink-2', true),
];

const cache = (): Shape[] => [
  ...[0, 1, 2, 3, 4].flatMap((i) => {
    const ink = i === 4 ? 1 : 0.38;
    const y = 6 + 12.5 * i;
    return [box(18, y, 29, 10, 'key', ink), box(53, y, 29, 10, 'value', ink)];
  }),
  tip(12, 61, 'ink-2'),
];

/** Queries that share one pair of a key and a value. */
const shared = (queries: readonly number[], x: number): Shape[] => [
  ...queries.flatMap((query) => [
    line(`M${query} 18C${query} 36 ${x} 32 ${x} 48`, 'ink-2', 1, 0.7),
    dot(query, 14, 4.6, 'query'),
  ]),
  box(x - 10, 50, 9, 16, 'key'),
  box(x + 1, 50, 9, 16, 'value'),
];

const latent = (): Shape[] => [
  ['M8 8L40 27V45L8 64z', 'key', 0.45],
  ['M88 8L56 27V45L88 64z', 'value', 0.45],
  box(42, 25, 12, 22, 'weight'),
];

const constant = (): Shape[] => [
  box(8, 16, 40, 40, 'value', 0.3),
  line('M8 16h40v40h-40z', 'value', 1.2),
  line('M16 28H40M16 36H34M16 44H38', 'value', 2.5),
  ...[1, 0.2, 0.2, 0.9, 0.2, 0.2, 1].map((ink, i) =>
    box(60 + 14 * (i % 2), 6 + 8.6 * i, 12, 6.6, 'key', ink),
  ),
];

const THUMBS = {
  chain,
  additive,
  projection,
  softmax,
  mask,
  values,
  heads,
  rope,
  sink,
  cache,
  mqa: () => shared([11, 26, 41, 55, 70, 85], 48),
  gqa: () => [...shared([9, 23, 37], 23), ...shared([59, 73, 87], 73)],
  latent,
  constant,
} satisfies Record<string, () => Shape[]>;

export type ThumbName = keyof typeof THUMBS;

/** A hundredth of a unit is finer than a pixel. */
const short = (d: string) =>
  d.replace(/\d+\.\d{3,}/g, (long) => String(Number(Number(long).toFixed(2))));

export function shapesOf(name: ThumbName): Shape[] {
  return THUMBS[name]().map(([d, token, ink, ...stroke]) => [
    short(d),
    token,
    Number(ink.toFixed(2)),
    ...stroke,
  ]);
}
