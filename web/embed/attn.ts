// One script for other people's pages: every attn-… tag on the page, now or later, becomes a
// widget. The content of a tag stays visible until the core is loaded, and for good if it fails to
// load.

import wasmUrl from '../../build/wasm/attn_core.wasm?url';
import {registerAll, startWidgets, widgetsIn} from '../elements/start.js';
import {fetchFile} from '../shared/files.js';
import tokens from '../shared/tokens.css?url';
import widgetStyle from '../shared/widget.css?url';
import {explain} from './explain.js';
import {reserve} from './placeholder.js';

async function sheet(address: string): Promise<CSSStyleSheet> {
  const made = new CSSStyleSheet();
  return made.replace(await (await fetchFile(new URL(address, import.meta.url).href)).text());
}

const present = widgetsIn(document);
reserve(present);
const started = await startWidgets({
  wasm: fetchFile(wasmUrl),
  stylesheets: [],
  sheets: Promise.all([tokens, widgetStyle].map(sheet)),
  contentBase: new URL(/* @vite-ignore */ '../content/', import.meta.url).href,
  place: 'host',
  explain,
});

if (started) {
  const seen = new WeakSet(present);
  const later = () => {
    const widgets = widgetsIn(document).filter(
      (widget) => !widget.matches(':defined') && !seen.has(widget),
    );
    if (widgets.length === 0) return;
    for (const widget of widgets) seen.add(widget);
    reserve(widgets);
    void registerAll(widgets, explain);
  };
  // Widgets added while the core was loading, and those added from now on.
  later();
  new MutationObserver(later).observe(document, {childList: true, subtree: true});
}
