// The calculation of <attn-kv-cache>. A page loads it together with the module about caches
// (cache-start.ts), since the build's picture needs neither.

import type {compute as Compute} from './compute.js';

let loaded: typeof Compute | undefined;

export function provideCompute(compute: typeof Compute): void {
  loaded = compute;
}

// The build and the tests compute without a page.
if (import.meta.env.SSR) provideCompute((await import('./compute.js')).compute);

export const compute: typeof Compute = (...input) => {
  if (!loaded) throw new Error('attn-kv-cache: computed before cache-start.ts was loaded');
  return loaded(...input);
};
