// The script of every page: starts the widgets, the cards of numbers, the search and the theme
// button.

import './hydrate.js';
import '../shared/tokens.css';
import './page.css';
import './content.css';
import widgetStyle from '../shared/widget.css?url';
import wasmUrl from '../../build/wasm/attn_core.wasm?url';
import {showSources} from './number-cards.js';
import {stopAtBroad} from './scrollers.js';
import {switchTheme} from './theme-switch.js';

const base = new URL(document.documentElement.dataset['base'] ?? './', location.href);

showSources();
switchTheme();
stopAtBroad();
document.querySelector('#search-open')?.addEventListener('click', () => {
  void import('./search.js').then(({openSearch}) => openSearch(base));
});
addEventListener('keydown', (event) => {
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void import('./search.js').then(({openSearch}) => openSearch(base));
  }
});
if (
  [...document.querySelectorAll('main *')].some((element) => element.localName.startsWith('attn-'))
) {
  const wasm = fetch(wasmUrl);
  // startWidgets, which is called later, reports a failure.
  wasm.catch(() => undefined);
  const {startWidgets} = await import('../elements/start.js');
  await startWidgets({
    wasm,
    stylesheets: [new URL(widgetStyle, import.meta.url).href],
    contentBase: new URL('content/', base).href,
  });
}
// The progress comes after the widgets, so as not to delay them.
if (document.querySelector('[data-progress]'))
  void import('./progress.js').then(({showProgress}) => showProgress());
