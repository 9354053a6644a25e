// Loads the training module and the weights of the trained model for the widgets that need them.

import wasmUrl from '../../../build/wasm/attn_train.wasm?url';
import {weightsUrl} from '../../shared/course-weights.js';
import {bytesOf} from '../../shared/file-bytes.js';
import {loadTrain, type TrainedModel} from '../../train.js';

export async function fetchModel(): Promise<TrainedModel> {
  const [wasmBinary, weights] = await Promise.all([bytesOf(wasmUrl), bytesOf(weightsUrl)]);
  return (await loadTrain({wasmBinary})).openTrained(new Uint8Array(weights));
}
