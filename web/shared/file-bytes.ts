// The bytes of a file, apart from files.ts: only scripts that start a module need them.

import {fetchFile} from './files.js';

/** @throws Error if the server has no such file */
export async function bytesOf(address: string): Promise<ArrayBuffer> {
  const response = await fetchFile(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.arrayBuffer();
}
