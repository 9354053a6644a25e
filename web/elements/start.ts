// Core first, elements afterwards: so an element may call the core while it renders, and a page whose
// core can't come stays as it is, with one sentence.

import {d_head, d_model, embeddings, n_heads, tokens, W_K, W_O, W_Q, W_V} from '../../lessons/data/teaching-world.json';
import {loadCore} from '../core.js';
import {register, TAGS} from './registry.js';
import {runtime} from '../shared/runtime.js';

export interface Start {
  wasmUrl: string;
  stylesheets: readonly string[];
  contentBase: string;
  /** Also registers tags that the page adds later. */
  watch: boolean;
}

function widgetsIn(root: ParentNode): Element[] {
  return [...root.querySelectorAll(TAGS.join(','))];
}

function tell(widgets: Element[]): void {
  const notice = document.createElement('p');
  notice.className = 'core-missing';
  notice.setAttribute('role', 'status');
  notice.textContent = '计算模块没能载入，下面的图停在构建时的样子；文字、公式和数字都是全的。';
  widgets[0]?.before(notice);
  for (const widget of widgets) widget.toggleAttribute('static', true);
}

let cache: Promise<void> | undefined;

/** The module about caches is the only one so far. */
const provide = () => (cache ??= import('./cache-start.js').then(({startCache}) => startCache()));

async function startCore({wasmUrl, stylesheets, contentBase}: Start): Promise<void> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`${wasmUrl}: ${response.status}`);
  const core = await loadCore({wasmBinary: await response.arrayBuffer()});
  // Named one by one, so that the file's explanations are not shipped.
  const world = {d_head, d_model, embeddings, n_heads, tokens, W_K, W_O, W_Q, W_V};
  Object.assign(runtime, {core, world, stylesheets, contentBase});
}

export async function startWidgets(start: Start): Promise<void> {
  const present = widgetsIn(document);
  if (present.length === 0 && !start.watch) return;
  const core = startCore(start);
  // Where no widget waits for it there is nobody to tell.
  core.catch(() => undefined);
  // Each tag for itself: what one of them lacks keeps no other from coming alive.
  const bring = async (widgets: Element[]) => {
    const lost = new Set<string>();
    await Promise.all([...new Set(widgets.map((widget) => widget.localName))].map((tag) => core.then(() => register([tag], provide)).catch((error: unknown) => {
      console.warn(`attn-lessons: ${tag} did not load`, error);
      lost.add(tag);
    })));
    tell(widgets.filter((widget) => lost.has(widget.localName)));
  };
  if (start.watch) {
    new MutationObserver((records) => {
      const added = records.flatMap((record) => [...record.addedNodes]).filter((node): node is Element => node instanceof Element);
      void bring(added.flatMap((element) => [element, ...widgetsIn(element)]).filter((element) => TAGS.includes(element.localName)));
    }).observe(document, {childList: true, subtree: true});
  }
  await bring(present);
}
