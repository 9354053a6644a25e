// Loads the training module and the weights of the trained model for the widgets that need them.

import wasmUrl from '../../../build/wasm/attn_train.wasm?url';
import {weightsUrl} from '../../shared/course-data.js';
import {loadTrain, type TrainedModel} from '../../train.js';

async function bytesOf(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

export async function fetchModel(): Promise<TrainedModel> {
  const [wasmBinary, weights] = await Promise.all([bytesOf(wasmUrl), bytesOf(weightsUrl)]);
  return (await loadTrain({wasmBinary})).openTrained(weights);
}
