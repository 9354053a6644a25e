// The wording of a KV cache: the same in the widget, its pictures and the models' pages.

import type {CacheKind, LayerKind} from '../cache.js';
import type {Exact} from './cache-json.js';
import {cacheKinds} from './course-data.js';
import {binary, bytes, integer} from './format.js';

export const kindName = (kind: CacheKind): string => cacheKinds[kind];

/** "65,536 B（64 KiB）"; below 1 KiB the second form is left out. */
export function size(value: Exact | bigint): string {
  const whole = BigInt(value);
  return whole < 1024n ? bytes(whole) : `${bytes(whole)}（${binary(whole)}）`;
}

/** The cache of one layer: "4个头 × (256 + 256)个数，至多512个词元". */
export function keptBy({
  kind,
  heads = 0,
  kWidth = 0,
  vWidth = 0,
  window,
  stateBytes = 0,
}: LayerKind): string {
  if (kind === 'state' || kind === 'convolution') return `每层${bytes(stateBytes)}`;
  if (kind === 'shared' || kind === 'none') return '不占字节';
  if (kind === 'latent' || kind === 'index') return `每层${integer(kWidth)}个数`;
  return (
    `${integer(heads)}个头 × (${integer(kWidth)} + ${integer(vWidth)})个数` +
    `${window ? `，至多${integer(window)}个词元` : ''}`
  );
}

/** The factors of a product: "16层 × 4头 × (256 + 256) × 2 B". */
export function product(
  {layers, heads = 0, kWidth = 0, vWidth = 0, stateBytes = 0, ownBits}: LayerKind,
  bytesPerValue: number,
): string {
  if (stateBytes) return `${integer(layers)}层 × ${bytes(stateBytes)}`;
  const numbers = vWidth
    ? `${integer(heads)}头 × (${integer(kWidth)} + ${integer(vWidth)})`
    : integer(kWidth);
  return `${integer(layers)}层 × ${numbers} × ${ownBits ? ownBits / 8 : bytesPerValue} B`;
}

/** "每词元64 KiB" or, of what does not grow, "不变，144 MiB". */
export function costOf(perToken: Exact, constant: Exact): string {
  if (Number(perToken) > 0) return `每词元${binary(perToken)}`;
  return Number(constant) > 0 ? `不变，${binary(constant)}` : '0';
}
