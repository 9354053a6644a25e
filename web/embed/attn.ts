// One script for other people's pages: every attn-… tag on the page, now or later, comes alive. What
// a page puts inside a tag stays visible until the core is there, and for good if it can't come.

import wasmUrl from '../../build/wasm/attn_core.wasm?url';
import {register, TAGS} from '../elements/registry.js';
import {startWidgets, widgetsIn} from '../elements/start.js';
import tokens from '../shared/tokens.css?url';
import widgetStyle from '../shared/widget.css?url';

const started = await startWidgets({
  wasm: fetch(wasmUrl),
  stylesheets: [tokens, widgetStyle].map((sheet) => new URL(sheet, import.meta.url).href),
  contentBase: new URL(/* @vite-ignore */ '../content/', import.meta.url).href,
});

if (started) {
  new MutationObserver((records) => {
    const added = records.flatMap((record) => [...record.addedNodes]).filter((node): node is Element => node instanceof Element);
    const tags = added.flatMap((element) => [element, ...widgetsIn(element)]).map((element) => element.localName).filter((tag) => TAGS.includes(tag));
    void register(tags);
  }).observe(document, {childList: true, subtree: true});
}
