// The trained model of a page: fetched once, when a reader first needs it.

import {runtime} from '../../shared/runtime.js';
import type {TrainedModel} from '../../train.js';

export let model: TrainedModel | undefined;

/** Sets the model: fetched by the page, or opened by the build. */
export function useModel(opened: TrainedModel): void {
  model = opened;
  runtime.model = opened;
}

export const ready = (): boolean => model !== undefined;

let coming: Promise<void> | undefined;

export let failed = false;

/** Fetches module and weights once, and again after a failure. */
export function bringModel(): Promise<void> {
  coming ??= import('./trained-start.js')
    .then(({fetchModel}) => fetchModel())
    .then(useModel)
    .catch((error: unknown) => {
      coming = undefined;
      failed = true;
      throw error;
    });
  return coming;
}
