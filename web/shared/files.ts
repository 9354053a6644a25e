// The files that widgets fetch. On the site each has an address; the bundles of the package and of
// the offline pages, which set import.meta.env.CARRIED, carry them in script, packed, under
// addresses of their own.

import {runtime} from './runtime.js';

const CARRIED = 'carried:///';

type Load = () => Promise<{default: string}>;
const carried = new Map<string, Load>();

/**
 * Names a file that the bundle carries; the plugin in web/tools/carried.mjs writes the calls.
 *
 * @public
 * @param load  gives the file, gzip in base64
 * @returns its address for `fetchFile`
 */
export function carry(name: string, load: Load): string {
  carried.set(CARRIED + name, load);
  return CARRIED + name;
}

function unpacked(text: string): Response {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

async function fetchCarried(address: string): Promise<Response> {
  if (runtime.filesBase) return fetch(runtime.filesBase + address.slice(CARRIED.length));
  const load = carried.get(address);
  return load ? unpacked((await load()).default) : new Response(null, {status: 404});
}

/** Fetches a file of the site, or one that the bundle carries. */
export const fetchFile = (address: string): Promise<Response> =>
  import.meta.env['CARRIED'] && address.startsWith(CARRIED)
    ? fetchCarried(address)
    : fetch(address);

/** Address of a page of the course by its path below the root; empty if no site is known. */
export function pageAddress(path: string): string {
  if (!import.meta.env['CARRIED']) return `${runtime.contentBase}../${path}`;
  return runtime.pageBase ? runtime.pageBase + path : '';
}
