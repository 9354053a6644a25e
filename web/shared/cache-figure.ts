// A picture of a KV cache: the layers of a model as a strip.

import {nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {CacheKind, LayerKind, ModelCache} from '../cache.js';
import type {Exact} from './cache-json.js';
import {costOf, keptBy, kindName} from './cache-text.js';
import {integer} from './format.js';
import {color, figure, hatch, rule, text, type Token} from './plot.js';

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

/** Fill of a kind; a hatched one needs the pattern `kv-<token>` of `kindHatches`. */
export function kindFill(kind: CacheKind, suffix = ''): string {
  const {fill, hatched} = LOOKS[kind];
  return hatched ? `url(#kv-${fill}${suffix})` : color(fill);
}

/** The patterns of hatched kinds; the suffix tells apart those of two pictures. */
export const kindHatches = (suffix = ''): SVGTemplateResult =>
  svg`<defs>${hatch(`kv-weight${suffix}`, 'weight')}${hatch(`kv-ink-2${suffix}`, 'ink-2')}</defs>`;

const STRIP = 52;
/** With a second cache on top of some layers. */
const TALL_STRIP = 70;
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
  const height = Math.max(3, LOOKS[kind].height * scale);
  return svg`<rect x="${x.toFixed(2)}%" y=${bottom - height} width="${width.toFixed(2)}%"
    height=${height} fill=${kindFill(kind)}/>`;
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
  const tall = layout.some((_, i) => companionOf(model, i));
  const strip = tall ? TALL_STRIP : STRIP;
  const legend = strip + 28;
  const label = layout.map(({kind, layers}) => `${kindName(kind)}${layers}层`).join('，');
  return figure(
    {height: legend + row * layout.length, label: `逐层存什么：${label}`},
    svg`
    ${kindHatches()}
    ${blocksOf(model).map((block) => {
      const kind = layout[block.kind];
      const companion = companionOf(model, block.kind);
      if (!kind) return nothing;
      return svg`${blockShape(block, kind, strip)}${
        companion ? blockShape(block, companion, strip - LOOKS[kind.kind].height - 2) : nothing
      }`;
    })}
    ${rule(0, 100, strip)}
    ${
      layerKinds.length > 0
        ? svg`${text(0, strip + 17, '第1层', {
            size: 11,
            fill: 'ink-2',
          })}${text(100, strip + 17, `第${integer(layerKinds.length)}层`, {
            size: 11,
            fill: 'ink-2',
            anchor: 'end',
          })}`
        : text(0, strip + 17, '文件只给了各有几层，没有给次序', {size: 11, fill: 'ink-2'})
    }
    ${layout.map((kind, i) => {
      const y = legend + row * i;
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
