// The part of <attn-train> for a run is fetched when the first run starts.

type LivePart = typeof import('./live.js');

export let livePart: LivePart | undefined;

export async function bringLive(): Promise<void> {
  livePart ??= await import('./live.js');
}

// The build and the tests draw a run without starting one.
if (import.meta.env.SSR) await bringLive();
