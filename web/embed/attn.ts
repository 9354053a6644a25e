// One script for other people's pages: every attn-… tag on the page, now or later, comes alive. What
// a page puts inside a tag stays visible until the core is there, and for good if it can't come.

import wasmUrl from '../../build/wasm/attn_core.wasm?url';
import tokens from '../shared/tokens.css?url';
import widgetStyle from '../shared/widget.css?url';
import {startWidgets} from '../elements/start.js';

await startWidgets({wasmUrl, stylesheets: [tokens, widgetStyle].map((sheet) => new URL(sheet, import.meta.url).href), contentBase: new URL(/* @vite-ignore */ '../content/', import.meta.url).href, watch: true});
