import {readFile} from 'node:fs/promises';
import {beforeAll, describe, expect, it} from 'vitest';
import {loadCache, type Cache, type LayerKind} from '../../web/cache.js';
import {CoreError} from '../../web/core.js';

let cache: Cache;
beforeAll(async () => {
  const wasmBinary = await readFile(new URL('../../build/wasm/attn_cache.wasm', import.meta.url));
  cache = await loadCache({wasmBinary});
});

describe('cacheBytes', () => {
  it('counts full layers and a constant state', () => {
    // 16 layers · 4 heads · (256 + 256) values · 2 B = 64 KiB a token; 48 states of 3 MiB = 144
    // MiB.
    const layout: LayerKind[] = [
      {kind: 'full', layers: 16, heads: 4, kWidth: 256, vWidth: 256},
      {kind: 'state', layers: 48, stateBytes: 3 << 20},
    ];
    const bytes = cache.cacheBytes(layout, {context: 262144, batch: 2, bytesPerValue: 2});
    expect(bytes.growingPerToken).toBe(65536n);
    expect(bytes.constant).toBe(144n << 20n);
    expect(bytes.total).toBe(2n * ((16n << 30n) + (144n << 20n)));
    expect(bytes.kinds[0]).toMatchObject({bytesPerToken: 65536n, constant: 0n, total: 32n << 30n});
  });

  it('is exact for sizes beyond the precision of a JavaScript number', () => {
    // 7 one-byte values · (2⁵³ − 1) tokens · 127 sequences: odd, and beyond 2⁶².
    const layout: LayerKind[] = [{kind: 'latent', layers: 1, heads: 1, kWidth: 7}];
    const query = {context: Number.MAX_SAFE_INTEGER, batch: 127, bytesPerValue: 1};
    expect(cache.cacheBytes(layout, query).total).toBe(7n * (2n ** 53n - 1n) * 127n);
  });

  it('refuses invalid arguments, with a code and a sentence', () => {
    const sizing =
      (layout: LayerKind[], bytesPerValue = 2) =>
      () =>
        cache.cacheBytes(layout, {context: Number.MAX_SAFE_INTEGER, batch: 1024, bytesPerValue});
    const full: LayerKind = {kind: 'full', layers: 1, heads: 1, kWidth: 1, vWidth: 1};
    expect(sizing([full, {...full, heads: -1}])).toThrow(CoreError);
    expect(sizing([full, {...full, heads: -1}])).toThrow('layout[1].heads');
    expect(sizing([full], 3)).toThrow('bits_per_value: expected 4, 5, 8, 16 or 32, got 24');
    expect(sizing([{...full, kWidth: 4096}])).toThrow(
      'total: expected at most 9223372036854775807 bytes, got more',
    );
    expect(sizing([{...full, kind: 'sliding' as 'full'}])).toThrow(
      'cacheBytes: expected full, window',
    );
  });
});
