// Pictures of a KV cache: the layers of a model as a strip, and how caches grow with the context.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {CacheKind, LayerKind, ModelCache} from '../cache.js';
import {tickLabels, ticksBeside} from './axis.js';
import type {Exact} from './cache-json.js';
import {costOf, keptBy, kindName} from './cache-text.js';
import {binary, integer} from './format.js';
import {along, color, figure, hatch, panel, rule, text, upright, type Token} from './plot.js';

/** The look of a kind in the strip: its height carries the same information as its colour. */
interface Look {
  height: number;
  fill: Token;
  hatched?: boolean;
}

const LOOKS: Record<CacheKind, Look> = {
  full: {height: 44, fill: 'weight'},
  window: {height: 26, fill: 'weight', hatched: true},
  chunk: {height: 26, fill: 'weight', hatched: true},
  latent: {height: 14, fill: 'weight'},
  index: {height: 6, fill: 'score'},
  cross: {height: 14, fill: 'weight', hatched: true},
  state: {height: 20, fill: 'ink-2'},
  convolution: {height: 6, fill: 'ink-2'},
  shared: {height: 44, fill: 'ink-2', hatched: true},
  none: {height: 3, fill: 'ink-2'},
};

const STRIP = 52;
const LEGEND = STRIP + 28;
const ROW = 42;

/** Parts that come on top of the previous kind, such as index keys, are on no list of layers. */
function companionOf(model: ModelCache, i: number): LayerKind | undefined {
  const next = model.layout[i + 1];
  return next &&
    ['index', 'convolution', 'state', 'cross'].includes(next.kind) &&
    !model.layerKinds.includes(i + 1)
    ? next
    : undefined;
}

interface Block {
  x: number;
  width: number;
  /** Index into the layout. */
  kind: number;
}

/** One block for each layer, or one for each kind if the file does not give the order. */
function blocksOf({layout, layerKinds}: ModelCache): Block[] {
  if (layerKinds.length > 0)
    return layerKinds.map((kind, i) => ({
      x: (100 * i) / layerKinds.length,
      width: 78 / layerKinds.length,
      kind,
    }));
  const hosts = layout.map((kind, i) => ({kind: i, layers: kind.layers}));
  const all = hosts.reduce((sum, {layers}) => sum + layers, 0);
  let before = 0;
  return hosts.map(({kind, layers}) => {
    const block = {x: (100 * before) / all, width: (100 * layers) / all - 1, kind};
    before += layers;
    return block;
  });
}

function blockShape(
  {x, width}: Pick<Block, 'x' | 'width'>,
  {kind}: LayerKind,
  bottom: number,
  scale = 1,
): SVGTemplateResult {
  const {height: full, fill, hatched} = LOOKS[kind];
  const height = Math.max(3, full * scale);
  return svg`<rect x="${x.toFixed(2)}%" y=${bottom - height} width="${width.toFixed(2)}%"
    height=${height} fill=${hatched ? `url(#kv-${fill})` : color(fill)}/>`;
}

/**
 * The layers from the input (left) on, and below them the kinds, with the content and cost of each
 * if given.
 */
export function layerStrip(
  model: ModelCache,
  costs?: readonly {bytes_per_token: Exact; constant: Exact}[],
): TemplateResult {
  const {layout, layerKinds} = model;
  const row = costs ? ROW : 26;
  const label = layout.map(({kind, layers}) => `${kindName(kind)}${layers}层`).join('，');
  return figure(
    {height: LEGEND + row * layout.length, label: `逐层存什么：${label}`},
    svg`
    <defs>${hatch('kv-weight', 'weight')}${hatch('kv-ink-2', 'ink-2')}</defs>
    ${blocksOf(model).map((block) => {
      const kind = layout[block.kind];
      const companion = companionOf(model, block.kind);
      if (!kind) return nothing;
      return svg`${blockShape(block, kind, STRIP)}${
        companion ? blockShape(block, companion, STRIP - LOOKS[kind.kind].height - 2) : nothing
      }`;
    })}
    ${rule(0, 100, STRIP)}
    ${
      layerKinds.length > 0
        ? svg`${text(0, STRIP + 17, '第1层', {
            size: 11,
            fill: 'ink-2',
          })}${text(100, STRIP + 17, `第${integer(layerKinds.length)}层`, {
            size: 11,
            fill: 'ink-2',
            anchor: 'end',
          })}`
        : text(0, STRIP + 17, '文件只给了各有几层，没有给次序', {size: 11, fill: 'ink-2'})
    }
    ${layout.map((kind, i) => {
      const y = LEGEND + row * i;
      const cost = costs?.[i];
      return svg`${i > 0 ? rule(0, 100, y) : nothing}
        <svg x="0%" y=${y} width="12" height=${row}
          overflow="visible">${blockShape({x: 0, width: 100}, kind, 24, 0.45)}</svg>
        <svg x="24" y=${y}
          overflow="visible">${text(0, 19, `${kindName(kind.kind)} × ${integer(kind.layers)}层`, {
            weight: 600,
          })}${cost ? text(0, 35, keptBy(kind), {size: 11, fill: 'ink-2'}) : nothing}</svg>
        ${
          cost
            ? text(100, y + 19, costOf(cost.bytes_per_token, cost.constant), {anchor: 'end'})
            : nothing
        }`;
    })}`,
  );
}

export interface Growth {
  name: string;
  points: {context: number; total: Exact}[];
  /** The size at the chosen context. */
  total: Exact;
}

const LINES: readonly {fill: Token; dash: string | typeof nothing; width: number}[] = [
  {fill: 'weight', dash: nothing, width: 2.5},
  {fill: 'ink', dash: '7 4', width: 1.6},
  {fill: 'score', dash: '2 3', width: 2},
  {fill: 'ink-2', dash: '10 3 2 3', width: 1.6},
];

const LEFT = 15;
const PLOT = 230;
const NAME_ROW = 22;

/** The plot begins at 2⁵ tokens and has a tick every five doublings, at least to 2²⁰. */
const DOUBLINGS = 5;

/** Contexts along the plot, each twice the one before, beyond the chosen one. */
export function contextsUpTo(context: number): number[] {
  const last = DOUBLINGS * Math.max(4, Math.ceil(Math.log2(context) / DOUBLINGS));
  return Array.from({length: last - DOUBLINGS + 1}, (_, i) => 2 ** (DOUBLINGS + i));
}

export interface GrowthMarks {
  context: number;
  /** Available memory in bytes, drawn as a horizontal line. */
  room: number;
  /** The label of the available memory. */
  roomText: string;
}

/** Bytes against context, both on logarithmic axes: slope 1 is a constant cost for each token. */
export function growthPlot(
  curves: readonly Growth[],
  {context, room, roomText}: GrowthMarks,
): TemplateResult {
  const first = curves[0]?.points ?? [];
  const domain = [first[0]?.context ?? 1, first.at(-1)?.context ?? 1] as const;
  const sizes = [
    ...curves.flatMap(({points}) => points.map(({total}) => Number(total))),
    room,
  ].filter((size) => size > 0);
  // From unit to unit: 1 MiB, 1 GiB …
  const lowest = Math.floor(Math.log2(Math.min(...sizes)) / 10);
  const highest = Math.max(lowest + 1, Math.ceil(Math.log2(Math.max(...sizes)) / 10));
  const [lo, hi] = [1024 ** lowest, 1024 ** highest];
  const yOf = (size: number) => PLOT - (PLOT * along(Math.max(size, lo), [lo, hi], 'log')) / 100;
  const xOf = (tokens: number) => along(tokens, domain, 'log');
  const ticks = Array.from({length: highest - lowest + 1}, (_, i) => 1024 ** (lowest + i));
  const across = contextsUpTo(domain[1]).filter((_, i) => i % DOUBLINGS === 0);
  const top = NAME_ROW * curves.length + 26;
  return figure(
    {
      height: top + PLOT + 42,
      label: `字节数随上下文增长：${curves.map(({name, total}) => `${name} ${binary(total)}`).join('，')}`,
    },
    svg`
    ${curves.map(({name, total}, i) => {
      const {fill, dash, width} = LINES[i] ?? {fill: 'ink' as const, dash: nothing, width: 1};
      const y = NAME_ROW * i;
      return svg`<line x1="0" x2="34" y1=${y + 9} y2=${y + 9} stroke=${color(fill)}
        stroke-width=${width} stroke-dasharray=${dash}/>
        <svg x="42" y=${y}
          overflow="visible">${text(0, 14, name, {
            weight: i === 0 ? 600 : 400,
          })}</svg>${text(100, y + 14, binary(total), {
            anchor: 'end',
            weight: i === 0 ? 600 : 400,
          })}`;
    })}
    ${ticks.map((tick) => rule(LEFT, 100, top + yOf(tick)))}
    ${ticksBeside(ticks, LEFT - 2, (tick) => top + yOf(tick), binary)}
    ${panel(
      {x: LEFT, y: top, width: 100 - LEFT, height: PLOT},
      svg`
      ${upright(xOf(context), 0, PLOT, 'ink-2')}${text(
        xOf(context) + (xOf(context) > 50 ? -1.5 : 1.5),
        PLOT - 8,
        integer(context),
        {anchor: xOf(context) > 50 ? 'end' : 'start', size: 11, fill: 'ink-2', halo: true},
      )}
      <line x1="0%" x2="100%" y1=${yOf(room)} y2=${yOf(room)} stroke=${color('wrong')}
        stroke-dasharray="4 3"/>
      ${text(1, yOf(room) - 5, roomText, {size: 11, fill: 'wrong', halo: true})}
      ${curves
        .map(({points}, i) => {
          const {fill, dash, width} = LINES[i] ?? {fill: 'ink' as const, dash: nothing, width: 1};
          const way = points
            .filter(({total}) => Number(total) > 0)
            .map(
              ({context: tokens, total}) =>
                `${xOf(tokens).toFixed(2)} ${((100 * yOf(Number(total))) / PLOT).toFixed(2)}`,
            );
          return way.length > 1
            ? svg`<svg x="0%" y="0" width="100%" height=${PLOT} viewBox="0 0 100 100"
              preserveAspectRatio="none"><path d="M${way.join('L')}" fill="none"
              stroke=${color(fill)} stroke-width=${width} stroke-dasharray=${dash}
              vector-effect="non-scaling-stroke"/></svg>`
            : nothing;
        })
        .reverse()}
      <circle cx="${xOf(context)}%" cy=${yOf(Number(curves[0]?.total ?? 0))} r="4.5"
        fill=${color('weight')}/>
      ${across.map((tick) => upright(xOf(tick), PLOT, PLOT + 4, 'ink-2'))}
      ${tickLabels(
        across,
        (tick, i) => ({
          x: xOf(tick),
          y: PLOT + 18,
          anchor: i === 0 ? 'start' : i === across.length - 1 ? 'end' : 'middle',
        }),
        integer,
      )}
      ${text(100, PLOT + 36, '上下文（词元，对数轴）', {anchor: 'end', size: 11, fill: 'ink-2'})}`,
    )}`,
  );
}
