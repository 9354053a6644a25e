// The modules that only some widgets compute with, each started once.

import type {Need} from '../shared/runtime.js';

const modules: Record<Need, () => Promise<{start: () => Promise<void>}>> = {
  cache: () => import('./cache-start.js'),
  model: () => import('./model-start.js'),
  scaling: () => import('./scaling-start.js'),
  sequence: () => import('./sequence-start.js'),
};
const started: Partial<Record<Need, Promise<void>>> = {};

export const provide = (need: Need): Promise<void> =>
  (started[need] ??= modules[need]().then(({start}) => start()));
