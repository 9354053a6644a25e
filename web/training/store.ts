// One run saved in this browser, so that it survives a reload. A browser that refuses storage
// (private windows, sandboxed frames) saves nothing, and the calls return that without an error.

import type {Curve, Settings} from './protocol.js';

export interface SavedRun {
  settings: Settings;
  curve: Curve;
  /** The state of the trainer. */
  state: Uint8Array;
}

export interface RunStore {
  /** False if nothing can be saved. */
  put(run: SavedRun): Promise<boolean>;
  get(): Promise<SavedRun | null>;
}

const DATABASE = 'attn-lessons';
const STORE = 'training';
const KEY = 'last';

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return answer(request);
}

/** Works in a page and in a worker. */
export function browserStore(): RunStore {
  let database: Promise<IDBDatabase> | undefined;
  const store = async (mode: IDBTransactionMode) =>
    (await (database ??= open())).transaction(STORE, mode).objectStore(STORE);
  return {
    put: async (run) => {
      try {
        await answer((await store('readwrite')).put(run, KEY));
        return true;
      } catch {
        return false;
      }
    },
    get: async () => {
      try {
        return (await answer<SavedRun | undefined>((await store('readonly')).get(KEY))) ?? null;
      } catch {
        return null;
      }
    },
  };
}
