// The entry of the npm package with every widget: a tag is registered when the page first has it.

import {TAGS, widgetClass} from '../elements/registry.js';
import {begin} from './package.js';

export {setBase, type Bases} from './package.js';

const asked = new Map<string, Promise<void>>();

/** Registers tags that the page's own document does not contain, as inside a shadow root. */
export async function define(...tags: readonly string[]): Promise<void> {
  for (const tag of tags) {
    if (!TAGS.includes(tag)) throw new TypeError(`attn-lessons: no such tag: ${tag}`);
    if (!asked.has(tag))
      asked.set(
        tag,
        begin(tag, () => widgetClass(tag)),
      );
  }
  await Promise.all(tags.map((tag) => asked.get(tag)));
}

if (typeof document !== 'undefined') {
  const look = () =>
    void define(...TAGS.filter((tag) => !asked.has(tag) && document.querySelector(tag)));
  look();
  new MutationObserver(look).observe(document, {childList: true, subtree: true});
}
