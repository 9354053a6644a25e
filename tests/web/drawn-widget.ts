// A widget as the build draws it, for tests in Node.

import type {Spec} from '../../web/elements/attn-widget/spec.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';

/** The results of a widget for its default state with a few changed fields. */
export function shownWidget<S extends object, R, C>(
  resources: Resources,
  spec: Spec<S, R, C>,
  patch: Partial<S>,
  content?: C,
) {
  const state = {...defaults<S>(spec.schema), ...patch};
  const result = spec.compute(resources, state, content as C);
  return {
    state,
    result,
    says: spec.says(state, result),
    table: spec.table(state, result),
    draw: () => drawTemplate(spec.view(state, result)),
  };
}

/** The same with the markup of the picture. */
export async function drawnWidget<S extends object, R>(
  resources: Resources,
  spec: Spec<S, R>,
  patch: Partial<S>,
) {
  const {draw, ...shown} = shownWidget(resources, spec, patch);
  return {...shown, drawn: (await draw()).replace(/<!--.*?-->/gs, '')};
}
