// The module with two threads. It starts only in a worker of an isolated page.

import scriptUrl from '../../build/wasm/attn_train_threads.js?url';
import wasmUrl from '../../build/wasm/attn_train_threads.wasm?url';
import type {CreateThreads} from '../../build/wasm/attn_train.mjs';
import {trainWith, type Train, type TrainModule} from '../train.js';
import {bytesOf} from './module.js';

/** What the helper runs first; a newer Emscripten has no such file and takes the script itself. */
const helpers = import.meta.glob<string>('../../build/wasm/attn_train_threads.worker.*', {
  query: '?url',
  import: 'default',
  eager: true,
});

const START_MS = 5000;

/** The module once its helper is there; a helper that may not start can be silent. */
function started(create: () => Promise<TrainModule>): Promise<TrainModule> {
  return new Promise((resolve, reject) => {
    // The module throws a helper's error where nobody catches it. Unless all went well this goes on
    // listening: what a helper says too late must not end the run that one thread makes.
    const refused = (event: ErrorEvent) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    addEventListener('error', refused);
    const timer = setTimeout(() => reject(new Error('the helper says nothing')), START_MS);
    create()
      .then((module) => {
        removeEventListener('error', refused);
        resolve(module);
      }, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Throws where the page, a policy or the browser allows no threads. */
export async function fetchThreads(): Promise<Train> {
  const helper = Object.values(helpers)[0] ?? scriptUrl;
  // As it is, not bundled: the helper loads the same script.
  const [{default: create}, wasmBinary] = await Promise.all([
    import(/* @vite-ignore */ scriptUrl) as Promise<{default: CreateThreads}>,
    bytesOf(wasmUrl),
  ]);
  const options = {wasmBinary, mainScriptUrlOrBlob: scriptUrl, locateFile: () => helper};
  // What it throws at once is a refusal, too.
  return trainWith(await started(async () => create(options)));
}
