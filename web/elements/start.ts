// Loads the core before the elements are registered, so that an element may call the core while it
// renders. If the core can't be loaded, the page stays as built, with one message.

import {loadCore} from '../core.js';
import {provide} from './needs.js';
import {register, TAGS} from './registry.js';
import {showMessage, STILL} from './still.js';
import {teachingWorld} from '../shared/course-data.js';
import {giveBoxesPlaces} from '../shared/number-box.js';
import {runtime, type Runtime} from '../shared/runtime.js';

const IDLE_TIMEOUT_MS = 2000;
/**
 * The delay after the last hydration until boxes out of sight get their places; the page is at rest
 * by then.
 */
const PLACES_DELAY_MS = 5000;
const FALLBACK_DELAY_MS = 30;

export interface Start {
  /** The response with attn_core.wasm, requested as early as the page can. */
  wasm: Promise<Response>;
  stylesheets: readonly string[];
  /** Replaces `stylesheets` on pages where no drawing of the build needs them earlier. */
  sheets?: Promise<readonly CSSStyleSheet[]>;
  contentBase: string;
  place?: Runtime['place'];
  /** Drawn widgets out of sight are hydrated after this. */
  rest?: Promise<unknown>;
  /** Shows a message if the widgets can't start; replaces the page's own message. */
  explain?: (error: unknown) => string;
}

export function widgetsIn(root: ParentNode): Element[] {
  return [...root.querySelectorAll(TAGS.join(','))];
}

function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task, {timeout: IDLE_TIMEOUT_MS});
  else setTimeout(task, FALLBACK_DELAY_MS);
}

/**
 * Widgets drawn by the build wait with `defer-hydration`: the widget of a link and those in sight
 * are hydrated first, the rest later, one at a time while the page is idle.
 */
function hydrateAll(widgets: readonly Element[], rest?: Promise<unknown>): void {
  const hydrate = (widget: Element | null | undefined) =>
    widget?.removeAttribute('defer-hydration');
  hydrate(
    widgets.find((widget) =>
      location.hash.startsWith(`#${encodeURI(widget.id || widget.localName)}`),
    ),
  );
  const inSight = new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      hydrate(target);
      giveBoxesPlaces(target);
    }
  });
  for (const widget of widgets) inSight.observe(widget);
  const waiting = [...widgets];
  const next = () => {
    const widget = waiting.shift();
    if (widget) {
      hydrate(widget);
      whenIdle(next);
    } else {
      setTimeout(() => {
        for (const hydrated of widgets) whenIdle(() => giveBoxesPlaces(hydrated));
      }, PLACES_DELAY_MS);
    }
  };
  void Promise.resolve(rest).then(next);
}

/**
 * Registers the tags of widgets once the core is loaded. A widget whose module is missing does not
 * prevent the others from starting.
 */
export async function registerAll(
  widgets: Element[],
  explain: (error: unknown) => string,
): Promise<void> {
  const failed = new Map<string, unknown>();
  await Promise.all(
    widgets.map(({localName: tag}) =>
      register([tag]).catch((error: unknown) => {
        console.warn(`attn-lessons: ${tag} did not load`, error);
        failed.set(tag, error);
      }),
    ),
  );
  const affected = widgets.filter((widget) => failed.has(widget.localName));
  if (affected.length > 0) showMessage(affected, explain([...failed.values()][0]));
}

/** True once the core is loaded. */
export async function startWidgets({
  wasm,
  stylesheets,
  sheets,
  contentBase,
  place = 'course',
  rest,
  explain = () => STILL,
}: Start): Promise<boolean> {
  const present = widgetsIn(document);
  try {
    const response = await wasm;
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    const core = await loadCore({wasmBinary: await response.arrayBuffer()});
    const shared = (await sheets) ?? [];
    Object.assign(runtime, {
      core,
      provide,
      world: teachingWorld,
      stylesheets,
      sheets: shared,
      contentBase,
      place,
    });
  } catch (error) {
    console.warn('attn-lessons: core did not load', error);
    showMessage(present, explain(error));
    return false;
  }
  await registerAll(present, explain);
  hydrateAll(present, rest);
  return true;
}
