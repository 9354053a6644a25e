// The whole course in Node: every module, the trained model and the authors' texts.

import {readFileSync} from 'node:fs';
import {useModel} from '../../web/elements/attn-heads/trained-model.js';
import {runtime} from '../../web/shared/runtime.js';
import {Contents} from '../../web/site/contents.js';
import {Course} from '../../web/site/course.js';
import {loadTrain} from '../../web/train.js';
import {resourcesFromBuild} from './load-core.js';

/** Prepares the runtime for every widget, and returns the authors' texts by name. */
export async function openCourse(): Promise<Map<string, unknown>> {
  const resources = await resourcesFromBuild();
  const course = new Course(resources);
  Object.assign(runtime, resources);
  const train = await loadTrain({wasmBinary: readFileSync('build/wasm/attn_train.wasm')});
  useModel(train.openTrained(readFileSync('lessons/case/small-scaled.weights')));
  return new Contents(course).all();
}
