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

export async function startWidgets({wasmUrl, stylesheets, contentBase, watch}: Start): Promise<void> {
  const present = widgetsIn(document);
  if (present.length === 0 && !watch) return;
  try {
    const response = await fetch(wasmUrl);
    if (!response.ok) throw new Error(`${wasmUrl}: ${response.status}`);
    const core = await loadCore({wasmBinary: await response.arrayBuffer()});
    // Named one by one, so that the file's explanations are not shipped.
    const world = {d_head, d_model, embeddings, n_heads, tokens, W_K, W_O, W_Q, W_V};
    Object.assign(runtime, {core, world, stylesheets, contentBase});
    await register(widgetsIn(document).map((widget) => widget.localName));
  } catch (error) {
    console.warn('attn-lessons: the core did not load', error);
    tell(present);
    return;
  }
  if (!watch) return;
  new MutationObserver((records) => {
    const added = records.flatMap((record) => [...record.addedNodes]).filter((node): node is Element => node instanceof Element);
    const tags = added.flatMap((element) => [element, ...widgetsIn(element)]).map((element) => element.localName).filter((tag) => TAGS.includes(tag));
    void register(tags);
  }).observe(document, {childList: true, subtree: true});
}
