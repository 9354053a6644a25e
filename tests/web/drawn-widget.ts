// A widget as the build draws it, for tests in Node.

import type {Spec} from '../../web/elements/attn-widget/spec.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';

/** Everything that a widget shows for its default state with a few changed fields. */
export async function drawnWidget<S extends object, R>(
  resources: Resources,
  spec: Spec<S, R>,
  patch: Partial<S>,
) {
  const state = {...defaults<S>(spec.schema), ...patch};
  const result = spec.compute(resources, state, undefined);
  const drawn = (await drawTemplate(spec.view(state, result))).replace(/<!--.*?-->/gs, '');
  return {state, result, drawn, says: spec.says(state, result), table: spec.table(state, result)};
}
