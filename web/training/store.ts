// Runs saved in this browser, so that they survive a reload: the last run of attn-train, and the
// present one of the sweep over widths. A browser that refuses storage (private windows, sandboxed
// frames) saves nothing, and the calls return that without an error.

import type {Curve, Settings} from './protocol.js';
import type {Slot} from './slot.js';

export interface SavedRun {
  settings: Settings;
  curve: Curve;
  /** The state of the trainer. */
  state: Uint8Array;
}

export interface RunStore {
  /** False if nothing can be saved. */
  put(slot: Slot, run: SavedRun): Promise<boolean>;
  get(slot: Slot): Promise<SavedRun | null>;
}

const DATABASE = 'attn-lessons';
const STORE = 'training';

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
    put: async (slot, run) => {
      try {
        await answer((await store('readwrite')).put(run, slot));
        return true;
      } catch {
        return false;
      }
    },
    get: async (slot) => {
      try {
        return (await answer<SavedRun | undefined>((await store('readonly')).get(slot))) ?? null;
      } catch {
        return null;
      }
    },
  };
}
