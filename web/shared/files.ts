// The files that widgets fetch. On the site each has an address; the bundles of the package and of
// the offline pages carry them in script, packed, under addresses of their own.

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

/** True for an address that only `fetchFile` understands. */
export const isCarried = (address: string): boolean => address.startsWith(CARRIED);

function unpacked(text: string): Response {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

/** Fetches a file of the site, or one that the bundle carries. */
export async function fetchFile(address: string): Promise<Response> {
  if (!isCarried(address)) return fetch(address);
  if (runtime.filesBase) return fetch(runtime.filesBase + address.slice(CARRIED.length));
  const load = carried.get(address);
  return load ? unpacked((await load()).default) : new Response(null, {status: 404});
}

/** @throws Error if the server has no such file */
export async function bytesOf(address: string): Promise<ArrayBuffer> {
  const response = await fetchFile(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.arrayBuffer();
}

/** Address of a page of the course by its path below the root; undefined if no site is known. */
export function pageAddress(path: string): string | undefined {
  const {pageBase, contentBase} = runtime;
  if (pageBase === undefined && isCarried(contentBase)) return undefined;
  return `${pageBase ?? `${contentBase}../`}${path}`;
}
