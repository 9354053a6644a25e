// The module with two threads. It starts only in a worker of an isolated page.

import scriptUrl from '../../build/wasm/attn_train_threads.js?url';
import wasmUrl from '../../build/wasm/attn_train_threads.wasm?url';
import type {CreateThreads} from '../../build/wasm/attn_train.mjs';
import {trainWith, type Train, type TrainModule} from '../train.js';
import {bytesOf} from './module.js';

/**
 * The script that the helper runs first; newer versions of Emscripten have no such file and use the
 * module's script.
 */
const helpers = import.meta.glob<string>('../../build/wasm/attn_train_threads.worker.*', {
  query: '?url',
  import: 'default',
  eager: true,
});

const START_MS = 5000;

/**
 * Resolves to the module once its helper runs; a helper that is not allowed to start may send no
 * message.
 */
function started(create: () => Promise<TrainModule>): Promise<TrainModule> {
  return new Promise((resolve, reject) => {
    // The module throws a helper's error outside every handler. Unless the start succeeded, this
    // listener stays: a late error of a helper must not end the run that continues with one thread.
    const refused = (event: ErrorEvent) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    addEventListener('error', refused);
    const timer = setTimeout(() => reject(new Error('the helper did not start in time')), START_MS);
    create()
      .then((module) => {
        removeEventListener('error', refused);
        resolve(module);
      }, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Throws if the page, a policy or the browser allows no threads. */
export async function fetchThreads(): Promise<Train> {
  const helper = Object.values(helpers)[0] ?? scriptUrl;
  // The script is not bundled, since the helper loads the same file.
  const [{default: create}, wasmBinary] = await Promise.all([
    import(/* @vite-ignore */ scriptUrl) as Promise<{default: CreateThreads}>,
    bytesOf(wasmUrl),
  ]);
  const options = {wasmBinary, mainScriptUrlOrBlob: scriptUrl, locateFile: () => helper};
  // An error at the start counts as a refusal, too.
  return trainWith(await started(async () => create(options)));
}
