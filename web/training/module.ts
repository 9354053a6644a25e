// The module that trains, fetched when a reader starts.

import wasmUrl from '../../build/wasm/attn_train.wasm?url';
import {CoreError} from '../module.js';
import {bytesOf as fileBytes} from '../shared/file-bytes.js';
import {loadTrain, type Train} from '../train.js';

/** @throws CoreError 'no-module' */
export async function bytesOf(url: string): Promise<ArrayBuffer> {
  try {
    return await fileBytes(url);
  } catch (error) {
    throw new CoreError('no-module', `${url}: ${String(error)}`);
  }
}

export async function fetchTrain(): Promise<Train> {
  return loadTrain({wasmBinary: await bytesOf(wasmUrl)});
}
