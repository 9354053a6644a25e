// A widget as the build draws it, for tests in Node.

import {readFileSync} from 'node:fs';
import type {Core} from '../../web/core.js';
import type {Spec} from '../../web/elements/attn-widget.js';
import {loadSequence} from '../../web/sequence.js';
import {runtime} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import type {TeachingWorld} from '../../web/shared/world.js';
import {readData} from '../../web/site/data-files.js';
import {drawTemplate} from '../../web/site/draw.js';
import {coreFromBuild} from './load-core.js';

/** The core, with the teaching sentence and the module about tokens in a row where widgets find them. */
export async function coreAndRuntime(): Promise<Core> {
  const core = await coreFromBuild();
  const sequence = await loadSequence({
    wasmBinary: readFileSync('build/wasm/attn_sequence.wasm'),
  });
  const world = readData('lessons/data/teaching-world.json', 'test').value as TeachingWorld;
  Object.assign(runtime, {core, sequence, world});
  return core;
}

/** All that a widget shows of its default state with a few fields changed. */
export async function drawnWidget<S extends object, R>(
  core: Core,
  spec: Spec<S, R>,
  patch: Partial<S>,
) {
  const state = {...defaults<S>(spec.schema), ...patch};
  const result = spec.compute(core, state, undefined);
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
  return {state, result, drawn, says: spec.says(state, result), table: spec.table(state, result)};
}
